package dev.zarrreactive.internal.codec.pco;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.stream.IntStream;

/** Bits of a file, the lowest of each byte first. */
final class PcoInput {
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** By their number the masks of the lowest bits. */
  private static final long[] MASKS =
      IntStream.rangeClosed(0, Long.SIZE).mapToLong(PcoNumber::mask).toArray();

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

  /** Adds to each of the first numbers as many bits as {@code counts} has for it. */
  void addTo(long[] numbers, byte[] counts, int count, long mask) {
    int i = 0;
    if (8L * size - position >= (count + 2L) * Long.SIZE) {
      long at = position;
      for (; i < count; i++) {
        int first = offset + (int) (at >>> 3);
        int shift = (int) at & 7;
        long bits = (long) LONGS.get(array, first) >>> shift;
        if (counts[i] > Long.SIZE - shift) {
          bits |= (long) array[first + Long.BYTES] << (Long.SIZE - shift);
        }
        numbers[i] = (numbers[i] + (bits & MASKS[counts[i]])) & mask;
        at += counts[i];
      }
      position = at;
    }
    for (; i < count; i++) {
      numbers[i] = (numbers[i] + bits(counts[i])) & mask;
    }
  }

  /**
   * Goes from state to state, of four in turns: the next one is a base and some bits. Each has at
   * most {@link Bins#MOST_SIZE_LOG} bits.
   *
   * @param path the states before each step
   */
  void follow(int[] states, short[] bases, byte[] counts, int[] path, int count) {
    int i = 0;
    if (8L * size - position >= (long) count * Bins.MOST_SIZE_LOG + 2L * Long.SIZE) {
      int a = states[0];
      int b = states[1];
      int c = states[2];
      int d = states[3];
      long at = position;
      for (; i <= count - 4; i += 4) {
        long bits = (long) LONGS.get(array, offset + (int) (at >>> 3)) >>> ((int) at & 7);
        path[i] = a;
        path[i + 1] = b;
        path[i + 2] = c;
        path[i + 3] = d;
        int ofA = counts[a];
        int ofB = counts[b];
        int ofC = counts[c];
        int ofD = counts[d];
        a = bases[a] + (int) (bits & MASKS[ofA]);
        b = bases[b] + (int) (bits >>> ofA & MASKS[ofB]);
        c = bases[c] + (int) (bits >>> (ofA + ofB) & MASKS[ofC]);
        d = bases[d] + (int) (bits >>> (ofA + ofB + ofC) & MASKS[ofD]);
        at += ofA + ofB + ofC + ofD;
      }
      position = at;
      states[0] = a;
      states[1] = b;
      states[2] = c;
      states[3] = d;
    }
    for (; i < count; i++) {
      int state = states[i & 3];
      path[i] = state;
      states[i & 3] = bases[state] + small(counts[state]);
    }
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
