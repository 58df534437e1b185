package dev.zarrreactive.internal.codec.pco;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Bits of a file, the lowest of each byte first. */
final class PcoInput {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] array;
  private final int offset;
  private final int size;
  private long position;

  PcoInput(Bytes bytes) {
    array = bytes.unsafeArray();
    offset = bytes.unsafeOffset();
    size = bytes.size();
  }

  static CodecException damaged(String what) {
    return new CodecException("the data is damaged: " + what, Location.UNKNOWN);
  }

  /**
   * Checks that as many bits follow.
   *
   * @throws CodecException if they do not
   */
  void require(long bits) {
    if (bits > 8L * size - position) {
      throw damaged("it ends too early");
    }
  }

  /** Reads up to 64 bits. */
  long bits(int count) {
    require(count);
    if (count == 0) {
      return 0;
    }
    int at = offset + (int) (position >>> 3);
    int shift = (int) position & 7;
    position += count;
    long low;
    if (at - offset <= size - Long.BYTES) {
      low = (long) LONGS.get(array, at) >>> shift;
      if (count > Long.SIZE - shift) {
        low |= (long) array[at + Long.BYTES] << (Long.SIZE - shift);
      }
    } else {
      low = 0;
      for (int i = 0; 8 * i < count + shift; i++) {
        long next = array[at + i] & 0xffL;
        low |= i == 0 ? next >>> shift : next << (8 * i - shift);
      }
    }
    return low & PcoNumber.mask(count);
  }

  int small(int count) {
    return (int) bits(count);
  }

  /** Goes to the next byte; the bits before are 0. */
  void align() {
    int rest = (int) -position & 7;
    if (bits(rest) != 0) {
      throw damaged("bits up to the end of a byte are not 0");
    }
  }

  void requireEnd() {
    if (position != 8L * size) {
      throw damaged((size - (position >>> 3)) + " bytes follow its end");
    }
  }
}
