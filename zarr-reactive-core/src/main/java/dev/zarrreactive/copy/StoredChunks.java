package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The chunks of an array that are stored, as a listing names them. A listing costs one request for
 * many keys; asking for each chunk of a sparse array costs one for each that is missing.
 */
final class StoredChunks {
  /** The most chunks of a grid that are asked for without a listing. */
  private static final int FEW = 16;

  private final ZarrArray array;
  private final ArrayPart part;
  private final Store requests;

  /**
   * Creates the stored chunks of a part of an array.
   *
   * @param requests the store of the array, within the limits of its hierarchy
   */
  StoredChunks(ZarrArray array, ArrayPart part, Store requests) {
    this.array = array;
    this.part = part;
    this.requests = requests;
  }

  /** A stored chunk: the box of elements that it has in the copy. */
  static final class Stored {
    final long[] index;
    final long[] start;
    final long[] end;
    final long size;

    private Stored(long[] index, long[][] box, long size) {
      this.index = index;
      this.start = box[0];
      this.end = box[1];
      this.size = size;
    }
  }

  /** Returns whether the keys of the chunks can be listed. */
  boolean areListed() {
    return requests.capabilities().contains(StoreCapability.LIST)
        && array.metadata().draft() == null
        && part.isSpaced();
  }

  /** Returns whether a listing may cost less than asking for each chunk. */
  boolean areManyPossible() {
    Shape grid = array.chunkGrid().gridShape();
    return SaturatingSize.count(grid) > FEW;
  }

  /** Lists the chunks with elements of the part. */
  Flux<Stored> list() {
    String prefix = array.path().prefix().value();
    ChunkKeyEncoding keys = ChunkKeyEncoding.of(array.metadata().chunkKeyEncoding());
    int rank = array.shape().rank();
    return requests
        .listValues(array.path().prefix())
        .handle(
            (entry, sink) -> {
              long[] index = keys.decode(entry.key().value().substring(prefix.length()), rank);
              Stored stored = index == null ? null : stored(entry, index);
              if (stored != null) {
                sink.next(stored);
              }
            });
  }

  /**
   * Returns the chunk; null for one outside of the grid, or without elements of the part. A chunk
   * of the grid behind the end of the array has none, and is copied with the whole array.
   */
  private @Nullable Stored stored(ListEntry.Key entry, long[] index) {
    long[] start = new long[index.length];
    long[] end = new long[index.length];
    for (int d = 0; d < index.length; d++) {
      ChunkEdges edges = array.chunkGrid().dimension(d);
      if (index[d] >= edges.count()) {
        return null;
      }
      start[d] = edges.start(index[d]);
      end[d] = Math.min(array.shape().extent(d), start[d] + edges.length(index[d]));
    }
    long[][] box = part.box(start, end);
    if (box == null) {
      return part.isWhole() ? new Stored(index, new long[][] {start, start}, entry.size()) : null;
    }
    return new Stored(index, box, entry.size());
  }

  /** Emits the blocks that have elements of a stored chunk, in C order. */
  static Mono<long[]> blocks(Flux<Stored> stored, ChunkBlocks blocks) {
    return stored
        .collect(
            Numbers::new, (numbers, chunk) -> blocks.numbers(chunk.start, chunk.end, numbers::add))
        .map(Numbers::sorted);
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
