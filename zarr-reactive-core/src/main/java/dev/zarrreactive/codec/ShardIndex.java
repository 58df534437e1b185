package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where the inner chunks of one shard are. Immutable. */
public final class ShardIndex {
  private static final long MISSING = -1; // 2^64 - 1

  private final NdArray entries;
  private final long end;

  /**
   * An index.
   *
   * @param entries {@code uint64} of the inner grid's shape and, last, offset and length
   */
  public ShardIndex(NdArray entries) {
    this.entries = entries;
    this.end = end(entries.bytes());
  }

  private static long end(Bytes words) {
    long end = 0;
    for (int at = 0; at < words.size(); at += 2 * Long.BYTES) {
      end = Math.max(end, words.getLong(at) + words.getLong(at + Long.BYTES));
    }
    return end;
  }

  /** Where the last inner chunk ends in the shard. */
  public long end() {
    return end;
  }

  /** How much memory the entries take. */
  public long byteSize() {
    return entries.bytes().size();
  }

  /**
   * The bytes of the shard that hold the inner chunk at {@code index}; null where it is missing.
   *
   * @throws CodecException where the entry cannot be one
   */
  public ByteRange.@Nullable Slice find(long... index) {
    long element = 0;
    for (int d = 0; d < index.length; d++) {
      element = element * entries.shape().extent(d) + index[d];
    }
    Bytes words = entries.bytes();
    int at = Math.toIntExact(2 * Long.BYTES * element);
    long offset = words.getLong(at);
    long length = words.getLong(at + Long.BYTES);
    if (offset == MISSING && length == MISSING) {
      return null;
    }
    if (offset < 0 || length < 0 || offset + length < 0) {
      throw new CodecException(
          "the shard's index gives the inner chunk "
              + Arrays.toString(index)
              + " the offset "
              + Long.toUnsignedString(offset)
              + " and the length "
              + Long.toUnsignedString(length),
          Location.UNKNOWN);
    }
    return new ByteRange.Slice(offset, length);
  }
}
