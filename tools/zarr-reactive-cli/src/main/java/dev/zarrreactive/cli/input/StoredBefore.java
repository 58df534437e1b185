package dev.zarrreactive.cli.input;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.stored.ArrayKeys;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.StoreCapability;
import reactor.core.publisher.Mono;

/**
 * The place up to which an interrupted import has stored its array. An import writes chunks in the
 * order of the file, those of a bounded number of bytes at a time. So all chunks before the last
 * stored one are complete, but for as many as have these bytes. A chunk that is missing before them
 * is fill value.
 */
final class StoredBefore {
  private StoredBefore() {}

  /**
   * Emits the first element of the first chunk that may be incomplete. Completes empty before the
   * first chunk is stored, and for a store that only knows keys by name.
   *
   * @param isFortran whether the first dimension varies fastest in the file
   * @param atOnce the most bytes that are written at a time, if it is not a single chunk
   */
  static Mono<long[]> of(ZarrArray array, boolean isFortran, long atOnce) {
    Shape grid = array.chunkGrid().gridShape();
    if (!array.store().capabilities().contains(StoreCapability.LIST)
        || SaturatingSize.count(grid) == Long.MAX_VALUE) {
      return Mono.empty();
    }
    ArrayKeys keys = ArrayKeys.of(array);
    long bytes =
        Math.max(1, SaturatingSize.bytes(array.chunkGrid().largestChunkShape(), array.dataType()));
    return array
        .store()
        .listValues(keys.prefix())
        .map(ListEntry.Key::key)
        .mapNotNull(keys::index)
        .map(index -> number(index, grid, isFortran))
        .reduce(Math::max)
        .map(last -> start(array, Math.max(0, last - (atOnce / bytes + 1)), grid, isFortran));
  }

  private static long number(long[] index, Shape grid, boolean isFortran) {
    long number = 0;
    for (int i = 0; i < index.length; i++) {
      int d = isFortran ? index.length - 1 - i : i;
      number = number * grid.extent(d) + index[d];
    }
    return number;
  }

  /** Returns the first element of the chunk with a number. */
  private static long[] start(ZarrArray array, long number, Shape grid, boolean isFortran) {
    long[] start = new long[grid.rank()];
    long rest = number;
    for (int i = 0; i < start.length; i++) {
      int d = isFortran ? i : start.length - 1 - i;
      start[d] = array.chunkGrid().dimension(d).start(rest % grid.extent(d));
      rest /= grid.extent(d);
    }
    return start;
  }
}
