package dev.zarrreactive.internal.codec.zfp;

import java.util.Arrays;

/**
 * Decodes and encodes single blocks of 4ᵈ numbers. A float block has one exponent, or in the
 * reversible mode the floats' bits as integers; the integers are transformed, ordered by frequency,
 * and written in base −2, plane of bits after plane of bits from the highest, each plane with the
 * length of its part that is not 0.
 */
final class BlockCoder {
  private static final long NEGABINARY_64 = 0xaaaa_aaaa_aaaa_aaaaL;
  private static final int NEGABINARY_32 = 0xaaaa_aaaa;

  private final ZfpScalar scalar;
  private final int rank;
  private final ZfpMode mode;
  private final int size;
  private final int[] order;
  private final Lifting lifting;

  /** The coefficients in their order, in base −2. */
  private final long[] coefficients;

  /** A plane of bits: bit i belongs to coefficient i. */
  private final long[] plane;

  private final long[] scratch;

  BlockCoder(ZfpScalar scalar, int rank, ZfpMode mode) {
    this.scalar = scalar;
    this.rank = rank;
    this.mode = mode;
    size = 1 << (2 * rank);
    order = Coefficients.order(rank);
    lifting = scalar.bits() == 32 ? Lifting.OF_32_BITS : Lifting.OF_64_BITS;
    coefficients = new long[size];
    plane = new long[(size + 63) / 64];
    scratch = new long[size];
  }

  /** The number of numbers in a block. */
  int size() {
    return size;
  }

  /** Decodes a block; floats as their bits. */
  void decode(BitInput in, long[] block) {
    if (!scalar.isFloat()) {
      decodeIntegers(in, block, 0, mode.maxPrecision());
      return;
    }
    int used = 1;
    if (in.bit() == 0) {
      Arrays.fill(block, 0);
      in.skip(Math.max(0, mode.minBits() - used));
      return;
    }
    if (mode.isReversible()) {
      used++;
      if (in.bit() == 1) {
        decodeIntegers(in, block, used, 0);
        signMagnitude(block);
        return;
      }
    }
    used += scalar.exponentBits();
    int exponent = (int) in.bits(scalar.exponentBits()) - scalar.exponentBias();
    decodeIntegers(in, block, used, mode.planes(exponent, rank));
    if (mode.isReversible() && exponent == -scalar.exponentBias()) {
      Arrays.fill(block, 0);
    } else {
      toFloats(block, exponent);
    }
  }

  /** Decodes a block of integers. In the reversible mode the block tells its planes. */
  private void decodeIntegers(BitInput in, long[] block, int before, int planes) {
    int used = 0;
    int stored = planes;
    if (mode.isReversible()) {
      used = scalar.precisionBits();
      stored = (int) in.bits(used) + 1;
    }
    used += decodePlanes(in, mode.left(before + used), stored);
    in.skip(Math.max(0, mode.minBits() - before - used));
    for (int i = 0; i < size; i++) {
      block[order[i]] =
          scalar.bits() == 32
              ? ((int) coefficients[i] ^ NEGABINARY_32) - NEGABINARY_32
              : (coefficients[i] ^ NEGABINARY_64) - NEGABINARY_64;
    }
    Lifting.Transform inverse = mode.isReversible() ? lifting::sums : lifting::inverse;
    for (int step = size / 4; step > 0; step /= 4) {
      Lifting.along(step, block, size, inverse);
    }
  }

  /** Decodes planes of bits, and returns the bits that they took. */
  private int decodePlanes(BitInput in, int most, int planes) {
    Arrays.fill(coefficients, 0);
    int lowest = Math.max(0, scalar.bits() - planes);
    int bits = most;
    int known = 0; // the coefficients that may have bits: the others were 0 in all planes before
    for (int k = scalar.bits() - 1; bits > 0 && k >= lowest; k--) {
      int verbatim = Math.min(known, bits);
      bits -= verbatim;
      for (int i = 0; i < plane.length; i++) {
        int part = Math.max(0, Math.min(64, verbatim - 64 * i));
        plane[i] = part == 0 ? 0 : in.bits(part);
      }
      while (bits > 0 && known < size) {
        bits--;
        if (in.bit() == 0) {
          break;
        }
        int scanned = Math.min(bits, size - 1 - known);
        int zeros = in.zeros(scanned);
        bits -= Math.min(scanned, zeros + 1);
        known += zeros;
        plane[known >> 6] |= 1L << known;
        known++;
      }
      for (int i = 0; i < plane.length; i++) {
        for (long rest = plane[i]; rest != 0; rest &= rest - 1) {
          coefficients[64 * i + Long.numberOfTrailingZeros(rest)] |= 1L << k;
        }
      }
    }
    return most - bits;
  }

  private void toFloats(long[] block, int exponent) {
    if (scalar == ZfpScalar.FLOAT32) {
      float scale = Math.scalb(1f, exponent - 30);
      for (int i = 0; i < size; i++) {
        block[i] = Float.floatToRawIntBits(scale * (int) block[i]);
      }
    } else {
      double scale = Math.scalb(1d, exponent - 62);
      for (int i = 0; i < size; i++) {
        block[i] = Double.doubleToRawLongBits(scale * block[i]);
      }
    }
  }

  /** Turns integers in two's complement into bits of floats, and back. */
  private void signMagnitude(long[] block) {
    for (int i = 0; i < size; i++) {
      if (block[i] < 0) {
        block[i] ^= scalar.bits() == 32 ? Integer.MAX_VALUE : Long.MAX_VALUE;
      }
    }
  }

  /** Encodes a block, whose content is lost. */
  void encode(BitOutput out, long[] block) {
    if (!scalar.isFloat()) {
      encodeIntegers(out, block, 0, mode.maxPrecision());
      return;
    }
    int exponent = exponent(block);
    int planes = mode.planes(exponent, rank);
    int biased = exponent + scalar.exponentBias();
    if (mode.isReversible()) {
      encodeReversibly(out, block, exponent);
    } else if (planes == 0 || biased == 0) {
      out.bit(0);
      out.zeros(Math.max(0, mode.minBits() - 1));
    } else {
      out.bit(1);
      out.bits(biased, scalar.exponentBits());
      toIntegers(block, block, exponent);
      encodeIntegers(out, block, 1 + scalar.exponentBits(), planes);
    }
  }

  private void encodeReversibly(BitOutput out, long[] block, int exponent) {
    int biased = exponent + scalar.exponentBias();
    long[] integers = new long[size];
    if (biased != 0) {
      toIntegers(block, integers, exponent);
    }
    if (!isSame(integers, block, exponent)) {
      out.bits(3, 2);
      signMagnitude(block);
      encodeIntegers(out, block, 2, 0);
    } else if (biased != 0) {
      out.bits(1, 2);
      out.bits(biased, scalar.exponentBits());
      encodeIntegers(out, integers, 2 + scalar.exponentBits(), 0);
    } else {
      out.bit(0);
    }
  }

  private boolean isSame(long[] integers, long[] block, int exponent) {
    System.arraycopy(integers, 0, scratch, 0, size);
    if (exponent != -scalar.exponentBias()) {
      toFloats(scratch, exponent);
    }
    return Arrays.equals(scratch, 0, size, block, 0, size);
  }

  /** Returns the exponent of the greatest magnitude, as C's {@code frexp} gives it. */
  private int exponent(long[] block) {
    double greatest = 0;
    for (int i = 0; i < size; i++) {
      double value =
          scalar == ZfpScalar.FLOAT32
              ? Float.intBitsToFloat((int) block[i])
              : Double.longBitsToDouble(block[i]);
      greatest = Math.abs(value) > greatest ? Math.abs(value) : greatest;
    }
    if (greatest == 0) {
      return -scalar.exponentBias();
    } else if (greatest == Double.POSITIVE_INFINITY) {
      return 0;
    }
    return Math.max(Math.getExponent(greatest) + 1, 1 - scalar.exponentBias());
  }

  /**
   * Rounds floats toward 0 to multiples of the exponent; what does not fit is the least integer.
   */
  private void toIntegers(long[] floats, long[] integers, int exponent) {
    if (scalar == ZfpScalar.FLOAT32) {
      float scale = Math.scalb(1f, 30 - exponent);
      for (int i = 0; i < size; i++) {
        float scaled = scale * Float.intBitsToFloat((int) floats[i]);
        integers[i] = Math.abs(scaled) < 0x1p31f ? (int) scaled : Integer.MIN_VALUE;
      }
    } else {
      double scale = Math.scalb(1d, 62 - exponent);
      for (int i = 0; i < size; i++) {
        double scaled = scale * Double.longBitsToDouble(floats[i]);
        integers[i] = Math.abs(scaled) < 0x1p63 ? (long) scaled : Long.MIN_VALUE;
      }
    }
  }

  private void encodeIntegers(BitOutput out, long[] block, int before, int planes) {
    Lifting.Transform forward = mode.isReversible() ? lifting::differences : lifting::forward;
    for (int step = 1; step < size; step *= 4) {
      Lifting.along(step, block, size, forward);
    }
    long all = 0;
    for (int i = 0; i < size; i++) {
      long value = block[order[i]];
      coefficients[i] =
          scalar.bits() == 32
              ? (((int) value + NEGABINARY_32) ^ NEGABINARY_32) & 0xffff_ffffL
              : (value + NEGABINARY_64) ^ NEGABINARY_64;
      all |= coefficients[i];
    }
    int used = 0;
    int stored = planes;
    if (mode.isReversible()) {
      int needed = all == 0 ? 0 : scalar.bits() - Long.numberOfTrailingZeros(all);
      stored = Math.max(1, Math.min(needed, mode.maxPrecision()));
      used = scalar.precisionBits();
      out.bits(stored - 1, used);
    }
    used += encodePlanes(out, mode.left(before + used), stored);
    out.zeros(Math.max(0, mode.minBits() - before - used));
  }

  private int encodePlanes(BitOutput out, int most, int planes) {
    int lowest = Math.max(0, scalar.bits() - planes);
    int bits = most;
    int known = 0;
    for (int k = scalar.bits() - 1; bits > 0 && k >= lowest; k--) {
      Arrays.fill(plane, 0);
      for (int i = 0; i < size; i++) {
        plane[i >> 6] |= ((coefficients[i] >>> k) & 1) << i;
      }
      int verbatim = Math.min(known, bits);
      bits -= verbatim;
      for (int i = 0; 64 * i < verbatim; i++) {
        int part = Math.min(64, verbatim - 64 * i);
        out.bits(part == 64 ? plane[i] : plane[i] & ((1L << part) - 1), part);
      }
      while (bits > 0 && known < size) {
        bits--;
        int zeros = zerosFrom(known);
        if (known + zeros == size) {
          out.bit(0);
          break;
        }
        out.bit(1);
        int scanned = Math.min(bits, size - 1 - known);
        out.zeros(Math.min(zeros, scanned));
        if (zeros < scanned) {
          out.bit(1);
        }
        bits -= Math.min(scanned, zeros + 1);
        known += Math.min(zeros, scanned) + 1;
      }
    }
    return most - bits;
  }

  /** Returns how many bits of the plane from {@code from} on are 0 before the next 1. */
  private int zerosFrom(int from) {
    int i = from >> 6;
    long rest = plane[i] & (-1L << from);
    while (rest == 0 && ++i < plane.length) {
      rest = plane[i];
    }
    return rest == 0 ? size - from : 64 * i + Long.numberOfTrailingZeros(rest) - from;
  }
}
