package dev.zarrreactive.copy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.internal.hierarchy.StoredChunks;
import dev.zarrreactive.internal.planning.ArrayPart;
import dev.zarrreactive.internal.planning.SaturatingSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The blocks of whole chunks of a grid, in C order, that a copy reads one by one. Each chunk is in
 * one block. The iterator creates a block when it is asked for.
 */
final class ChunkBlocks implements Iterable<ChunkBlocks.Block> {
  private final ChunkGrid grid;
  private final Shape array;
  private final long[] edges;

  /**
   * Creates the blocks of a grid over an array.
   *
   * @param edges the length of a block in each dimension, in chunks
   */
  ChunkBlocks(ChunkGrid grid, Shape array, long... edges) {
    this.grid = grid;
    this.array = array;
    this.edges = edges.clone();
  }

  /** Creates blocks of one chunk each. */
  static ChunkBlocks single(ChunkGrid grid, Shape array) {
    long[] ones = new long[array.rank()];
    Arrays.fill(ones, 1);
    return new ChunkBlocks(grid, array, ones);
  }

  /** Returns the block at the first chunk {@code index}. */
  Block at(long... index) {
    return new Block(index.clone());
  }

  /** Returns the number of blocks, at most {@link Long#MAX_VALUE}. */
  long count() {
    return grid.gridShape().isEmpty() ? 0 : SaturatingSize.count(Shape.of(countsOfBlocks()));
  }

  private long[] countsOfBlocks() {
    long[] counts = new long[edges.length];
    Arrays.setAll(counts, d -> (grid.dimension(d).count() - 1) / edges[d] + 1);
    return counts;
  }

  /** Returns a block by its number in C order. */
  Block numbered(long number) {
    long[] counts = countsOfBlocks();
    long[] first = new long[edges.length];
    long rest = number;
    for (int d = edges.length - 1; d >= 0; d--) {
      first[d] = rest % counts[d] * edges[d];
      rest /= counts[d];
    }
    return new Block(first);
  }

  /** Emits the numbers of the blocks that have elements of a stored chunk, in C order. */
  Mono<long[]> numbers(Flux<StoredChunks.Stored> stored) {
    return stored
        .collect(
            Numbers::new, (numbers, chunk) -> numbers(chunk.start(), chunk.end(), numbers::add))
        .map(Numbers::sorted);
  }

  /** Tells the numbers of the blocks that have elements of a box. */
  private void numbers(long[] start, long[] end, LongConsumer taker) {
    for (int d = 0; d < start.length; d++) {
      if (start[d] >= end[d]) {
        return;
      }
    }
    long[] counts = countsOfBlocks();
    long[] first = new long[edges.length];
    long[] last = new long[edges.length];
    Arrays.setAll(first, d -> grid.dimension(d).chunkOf(start[d]) / edges[d]);
    Arrays.setAll(last, d -> grid.dimension(d).chunkOf(end[d] - 1) / edges[d]);
    long[] block = first.clone();
    for (boolean more = true; more; more = advance(block, first, last)) {
      long number = 0;
      for (int d = 0; d < block.length; d++) {
        number = number * counts[d] + block[d];
      }
      taker.accept(number);
    }
  }

  private static boolean advance(long[] block, long[] first, long[] last) {
    for (int d = block.length - 1; d >= 0; d--) {
      if (block[d] < last[d]) {
        block[d]++;
        return true;
      }
      block[d] = first[d];
    }
    return false;
  }

  /** A box of chunks: the ones from {@code first} on, {@code counts} in each dimension. */
  final class Block {
    private final long[] first;
    private final long[] counts;

    private Block(long[] first) {
      this.first = first;
      this.counts = new long[first.length];
      Arrays.setAll(counts, d -> Math.min(edges[d], grid.dimension(d).count() - first[d]));
    }

    /** Returns the number of chunks. */
    long chunkCount() {
      return Arrays.stream(counts).reduce(1, (one, other) -> one * other);
    }

    /** Returns the index of the first chunk. */
    long[] first() {
      return first.clone();
    }

    /** Returns the selection of the elements inside the array; empty for chunks behind its end. */
    Selection selection() {
      return Selection.box(start(), shape().toArray());
    }

    /** Returns the selection of these elements in the source of a copy. */
    Selection selectionIn(ArrayPart part) {
      long[] end = new long[first.length];
      Arrays.setAll(end, this::end);
      return part.selection(start(), end);
    }

    /** Returns the first element; not inside the array for chunks behind its end. */
    long[] start() {
      long[] start = new long[first.length];
      Arrays.setAll(start, this::start);
      return start;
    }

    /** Returns the shape of the {@link #selection}. */
    Shape shape() {
      long[] shape = new long[first.length];
      Arrays.setAll(shape, d -> end(d) - start(d));
      return Shape.of(shape);
    }

    private long start(int dimension) {
      return Math.min(grid.dimension(dimension).start(first[dimension]), end(dimension));
    }

    private long end(int dimension) {
      ChunkEdges line = grid.dimension(dimension);
      long last = first[dimension] + counts[dimension] - 1;
      return Math.min(array.extent(dimension), line.start(last) + line.length(last));
    }

    /** Returns the block's chunks, each as a block. */
    List<Block> chunks() {
      ChunkBlocks ones = single(grid, array);
      List<Block> chunks = new ArrayList<>();
      long[] index = first.clone();
      for (long left = chunkCount(); left > 0; left--) {
        chunks.add(ones.new Block(index.clone()));
        for (int d = index.length - 1; d >= 0 && ++index[d] == first[d] + counts[d]; d--) {
          index[d] = first[d];
        }
      }
      return chunks;
    }
  }

  @Override
  public Iterator<Block> iterator() {
    return new Blocks();
  }

  private final class Blocks implements Iterator<Block> {
    private final long[] next = new long[edges.length];
    private boolean hasNext = !grid.gridShape().isEmpty();

    @Override
    public boolean hasNext() {
      return hasNext;
    }

    @Override
    public Block next() {
      if (!hasNext) {
        throw new NoSuchElementException();
      }
      Block block = new Block(next.clone());
      hasNext = advance();
      return block;
    }

    private boolean advance() {
      for (int d = next.length - 1; d >= 0; d--) {
        next[d] += edges[d];
        if (next[d] < grid.dimension(d).count()) {
          return true;
        }
        next[d] = 0;
      }
      return false;
    }
  }

  /** Distinct numbers: 8 bytes each. */
  private static final class Numbers {
    private long[] numbers = new long[1 << 10];
    private int size;

    void add(long number) {
      if (size > 0 && numbers[size - 1] == number) {
        return;
      }
      if (size == numbers.length) {
        compact();
        if (size > numbers.length / 2) {
          numbers = Arrays.copyOf(numbers, Math.multiplyExact(2, numbers.length));
        }
      }
      numbers[size++] = number;
    }

    private void compact() {
      Arrays.sort(numbers, 0, size);
      int kept = 0;
      for (int i = 0; i < size; i++) {
        if (kept == 0 || numbers[i] != numbers[kept - 1]) {
          numbers[kept++] = numbers[i];
        }
      }
      size = kept;
    }

    long[] sorted() {
      compact();
      return Arrays.copyOf(numbers, size);
    }
  }
}
