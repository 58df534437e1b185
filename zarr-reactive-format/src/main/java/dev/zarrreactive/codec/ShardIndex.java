package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.spi.Spi;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The index of one shard: the ranges of its inner chunks. Immutable. */
@Spi
public final class ShardIndex {
  private static final long MISSING = -1; // 2^64 - 1

  private static final long UNKNOWN = -1;

  private final NdArray entries;

  /** Found when it is asked for: most reads of a few inner chunks do not. */
  private volatile long end = UNKNOWN;

  /**
   * Creates an index from its decoded entries.
   *
   * @param entries an array of {@code uint64} of the inner grid's shape and a last dimension of
   *     offset and length
   */
  public ShardIndex(NdArray entries) {
    this.entries = entries;
  }

  private static long end(Bytes words) {
    long end = 0;
    for (int at = 0; at < words.size(); at += 2 * Long.BYTES) {
      end = Math.max(end, words.getLong(at) + words.getLong(at + Long.BYTES));
    }
    return end;
  }

  /** The end of the last inner chunk in the shard, in bytes. */
  public long end() {
    long known = end;
    if (known == UNKNOWN) {
      known = end(entries.bytes());
      end = known;
    }
    return known;
  }

  /** The size of the entries in bytes. */
  public long byteSize() {
    return entries.bytes().size();
  }

  /**
   * The range of the inner chunk at {@code index} in the shard, or null for a missing one.
   *
   * @throws CodecException if the entry is invalid
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
