package dev.zarrreactive.cli.stored;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.Draft2022Hierarchy;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StorePrefix;
import org.jspecify.annotations.Nullable;

/** The keys of an array's chunks, shards where it has them. */
public final class ArrayKeys {
  private final ZarrArray array;
  private final ChunkKeyEncoding encoding;
  private final StorePrefix prefix;
  private final String letter;

  private ArrayKeys(ZarrArray array) {
    ArrayMetadata metadata = array.metadata();
    Draft2022Hierarchy draft = metadata.draft2022();
    boolean isV2 = metadata.chunkKeyEncoding().name().equals("v2");
    this.array = array;
    this.encoding = ChunkKeyEncoding.of(metadata.chunkKeyEncoding());
    this.prefix = draft == null ? array.path().prefix() : draft.layout().chunks(array.path());
    this.letter = draft != null && isV2 ? "c" : "";
  }

  /** Returns the keys of {@code array}. */
  public static ArrayKeys of(ZarrArray array) {
    return new ArrayKeys(array);
  }

  /** Returns the prefix that all of them begin with. */
  public StorePrefix prefix() {
    return prefix;
  }

  /** Returns the index of the chunk at {@code key}; null for a key of no chunk in the grid. */
  public long @Nullable [] index(StoreKey key) {
    String below = key.value().substring(prefix.value().length());
    if (!below.startsWith(letter)) {
      return null;
    }
    long[] index = encoding.decode(below.substring(letter.length()), array.shape().rank());
    return index != null && isInside(index) ? index : null;
  }

  private boolean isInside(long[] index) {
    for (int d = 0; d < index.length; d++) {
      if (index[d] >= array.chunkGrid().dimension(d).count()) {
        return false;
      }
    }
    return true;
  }
}
