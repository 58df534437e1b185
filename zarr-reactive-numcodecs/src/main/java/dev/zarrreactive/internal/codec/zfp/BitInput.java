package dev.zarrreactive.internal.codec.zfp;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;

/** A stream of bits in little-endian words of 64, the lowest bit first. */
final class BitInput {
  private final byte[] array;
  private final int end;
  private int position;
  private long word;
  private int left;

  /**
   * Begins to read.
   *
   * @throws CodecException if the bytes are not whole words
   */
  BitInput(Bytes bytes) {
    if (bytes.size() % Long.BYTES != 0) {
      throw new CodecException(
          "expected whole words of 8 bytes, found " + bytes.size() + " bytes", Location.UNKNOWN);
    }
    array = bytes.unsafeArray();
    position = bytes.unsafeOffset();
    end = position + bytes.size();
  }

  private void next() {
    if (position == end) {
      throw new CodecException("the data is damaged: it ends too early", Location.UNKNOWN);
    }
    word = (long) ZfpElements.LONGS.get(array, position);
    position += Long.BYTES;
    left = Long.SIZE;
  }

  int bit() {
    if (left == 0) {
      next();
    }
    int bit = (int) word & 1;
    word >>>= 1;
    left--;
    return bit;
  }

  /** Reads bits up to the next 1, which is read too, but at most {@code most}; counts the zeros. */
  int zeros(int most) {
    int zeros = 0;
    while (true) {
      if (left == 0) {
        if (zeros == most) {
          return zeros;
        }
        next();
      }
      int run = Math.min(Math.min(Long.numberOfTrailingZeros(word), left), most - zeros);
      zeros += run;
      word = run == Long.SIZE ? 0 : word >>> run;
      left -= run;
      if (zeros == most) {
        return zeros;
      } else if (left > 0) {
        word >>>= 1;
        left--;
        return zeros;
      }
    }
  }

  /** Reads up to 64 bits. */
  long bits(int count) {
    if (count <= left) {
      long bits = word & mask(count);
      drop(count);
      return bits;
    }
    long low = word;
    int have = left;
    next();
    int more = count - have;
    long bits = low | ((word & mask(more)) << have);
    drop(more);
    return bits;
  }

  private void drop(int count) {
    word = count == Long.SIZE ? 0 : word >>> count;
    left -= count;
  }

  private static long mask(int count) {
    return count == Long.SIZE ? -1 : (1L << count) - 1;
  }

  void skip(int count) {
    for (int rest = count; rest > 0; rest -= Long.SIZE) {
      bits(Math.min(rest, Long.SIZE));
    }
  }

  /** Refuses words after the last one that was read. */
  void requireEnd() {
    if (position != end) {
      throw new CodecException(
          (end - position) + " bytes follow the last block of the chunk", Location.UNKNOWN);
    }
  }
}
