package dev.zarrreactive.copy;

import dev.zarrreactive.array.Selection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Blocks of whole chunks of a grid, in C order, each chunk in one of them: what a copy reads at a
 * time. Made one by one as an iterator asks.
 */
final class ChunkBlocks implements Iterable<ChunkBlocks.Block> {
  private final ChunkGrid grid;
  private final Shape array;
  private final long[] edges;

  /**
   * Blocks of a grid over an array.
   *
   * @param edges how many chunks long a block is in each dimension
   */
  ChunkBlocks(ChunkGrid grid, Shape array, long... edges) {
    this.grid = grid;
    this.array = array;
    this.edges = edges.clone();
  }

  /** Blocks of one chunk each. */
  static ChunkBlocks single(ChunkGrid grid, Shape array) {
    long[] ones = new long[array.rank()];
    Arrays.fill(ones, 1);
    return new ChunkBlocks(grid, array, ones);
  }

  /** Chunks next to each other: those from {@code first} on, {@code counts} in each dimension. */
  final class Block {
    private final long[] first;
    private final long[] counts;

    private Block(long[] first) {
      this.first = first;
      this.counts = new long[first.length];
      Arrays.setAll(counts, d -> Math.min(edges[d], grid.dimension(d).count() - first[d]));
    }

    /** The number of chunks. */
    long chunkCount() {
      return Arrays.stream(counts).reduce(1, (one, other) -> one * other);
    }

    /** The index of the first chunk. */
    long[] first() {
      return first.clone();
    }

    /** The elements inside the array; of chunks behind its end there are none. */
    Selection selection() {
      long[] start = new long[first.length];
      Arrays.setAll(start, this::start);
      return Selection.box(start, shape().toArray());
    }

    /** The shape of the {@link #selection}. */
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

    /** The block's chunks, each as a block. */
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
}
