package dev.zarrreactive.cli.bench;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import java.util.ArrayList;
import java.util.List;

/** The keys of an array's chunks, one after the other, and from the start again at the end. */
final class ChunkKeys {
  private final ZarrArray array;
  private final ChunkKeyEncoding encoding;
  private final Shape grid;
  private long[] next;

  ChunkKeys(ZarrArray array) {
    this.array = array;
    this.encoding = ChunkKeyEncoding.of(array.metadata().chunkKeyEncoding());
    this.grid = array.chunkGrid().gridShape();
    this.next = new long[grid.rank()];
  }

  /** Returns the next keys; an empty array has none. */
  List<StoreKey> next(int count) {
    List<StoreKey> keys = new ArrayList<>();
    while (keys.size() < count && !grid.isEmpty()) {
      keys.add(array.metadata().chunkKey(array.path(), encoding.encode(next)));
      int d = next.length - 1;
      while (d >= 0 && ++next[d] == grid.extent(d)) {
        next[d--] = 0;
      }
    }
    return keys;
  }
}
