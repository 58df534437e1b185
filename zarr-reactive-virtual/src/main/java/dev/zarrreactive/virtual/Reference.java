package dev.zarrreactive.virtual;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/** What a format says of the value at a key: its bytes, or where they are. */
@Spi
public sealed interface Reference {
  /**
   * The value itself.
   *
   * @param version null for one that is made of the bytes
   */
  record Inline(Bytes bytes, @Nullable Version version) implements Reference {
    /** A value whose version is made of its bytes. */
    public Inline(Bytes bytes) {
      this(bytes, null);
    }
  }

  /**
   * A part of an object that belongs to the data, and that nobody ever changes.
   *
   * @param store that the format reads itself
   * @param range of the object
   * @param version of the value; null for one that is made of the key and the range
   */
  record Native(Store store, StoreKey key, ByteRange.Slice range, @Nullable Version version)
      implements Reference {}

  /** An object elsewhere, or a part of it, which the reader must allow. */
  record Virtual(VirtualLocation location) implements Reference {}
}
