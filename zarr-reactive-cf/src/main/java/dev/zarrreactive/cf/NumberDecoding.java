package dev.zarrreactive.cf;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.internal.element.Float16;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Decodes images of numbers: finds the missing ones, scales the others, and writes images of the
 * decoded type. The usual forms have {@link #loop loops} of their own; others go through the
 * elements in blocks that stay in the processor's cache.
 *
 * @param stored the type of the stored elements, with the sign of {@code _Unsigned}
 * @param decoded the type of the results
 * @param missing the missing values of integers, as bits
 * @param missingReals the missing values of floats
 * @param range the valid values, null for all
 * @param packing how numbers are unpacked, null for plain ones
 * @param times how times are counted, null for numbers
 */
record NumberDecoding(
    DataType stored,
    DataType decoded,
    List<Long> missing,
    List<Double> missingReals,
    @Nullable ValidRange range,
    @Nullable Packing packing,
    @Nullable TimeCoding times) {
  /** The elements that are decoded or encoded at a time, so that they stay in the cache. */
  static final int BLOCK = 512;

  private static final List<DataType> SOURCES =
      List.of(
          DataTypes.INT8,
          DataTypes.INT16,
          DataTypes.INT32,
          DataTypes.INT64,
          DataTypes.UINT8,
          DataTypes.UINT16,
          DataTypes.UINT32,
          DataTypes.UINT64,
          DataTypes.FLOAT16,
          DataTypes.FLOAT32,
          DataTypes.FLOAT64);
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);

  /**
   * Valid values.
   *
   * @param ofUnpacked true if the bounds are of unpacked values
   */
  record ValidRange(double min, double max, boolean ofUnpacked) {}

  /**
   * How numbers are unpacked.
   *
   * @param scale null for 1
   * @param offset null for 0
   * @param whole the scale of integers that stay integers, of {@code int64}; null for others
   */
  record Packing(@Nullable Double scale, @Nullable Double offset, @Nullable Long whole) {}

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns true for the types that can be decoded. */
  static boolean isSource(DataType type) {
    return SOURCES.contains(type);
  }

  /** Returns true if elements stay as they are, but for the sign. */
  boolean isPlain() {
    return missing.isEmpty()
        && missingReals.isEmpty()
        && range == null
        && packing == null
        && times == null
        && decoded.equals(stored);
  }

  private boolean isReal() {
    return stored.equals(DataTypes.FLOAT16)
        || stored.equals(DataTypes.FLOAT32)
        || stored.equals(DataTypes.FLOAT64);
  }

  /** Working memory for the elements of one block. */
  private static final class Block {
    final long[] wholes;
    final double[] reals;
    final boolean[] isMissing;

    Block(int size) {
      wholes = new long[size];
      reals = new double[size];
      isMissing = new boolean[size];
    }
  }

  /**
   * Decodes elements.
   *
   * @param at the first byte of the source
   * @param to the first byte of the target
   * @throws ArithmeticException for a time, or a number to scale, beyond the decoded type
   */
  void decode(byte[] source, int at, int count, byte[] target, int to) {
    Block block = new Block(Math.min(count, BLOCK));
    boolean isReal = isReal();
    for (int done = 0; done < count; done += BLOCK) {
      int size = Math.min(BLOCK, count - done);
      int from = at + done * stored.itemSize();
      Arrays.fill(block.isMissing, false);
      if (isReal) {
        loadReals(source, from, size, block.reals);
        for (double value : missingReals) {
          for (int i = 0; i < size; i++) {
            block.isMissing[i] |= block.reals[i] == value;
          }
        }
      } else {
        loadWholes(source, from, size, block.wholes);
        for (long value : missing) {
          for (int i = 0; i < size; i++) {
            block.isMissing[i] |= block.wholes[i] == value;
          }
        }
      }
      finish(block, size, isReal, target, to + done * decoded.itemSize());
    }
  }

  /** Returns the decoding of numbers that stay as they are. */
  static NumberDecoding plain(DataType type) {
    return new NumberDecoding(type, type, List.of(), List.of(), null, null, null);
  }

  /** Returns the loop of a usual form; null for others. */
  DecodingLoops.@Nullable Loop loop() {
    if (range != null || times != null || missing.size() > 1 || missingReals.size() > 1) {
      return null;
    } else if (isReal()) {
      double none = missingReals.isEmpty() ? Double.NaN : missingReals.get(0);
      return DecodingLoops.ofReals(stored, decoded, none, scale(), offset());
    }
    return packing != null && !decoded.equals(DataTypes.FLOAT64)
        ? null
        : DecodingLoops.ofWholes(stored, decoded, theMissing(), scale(), offset());
  }

  /** Returns the decoding of integers of up to 16 bits as one formula; empty for others. */
  Optional<LinearDecoding> linear() {
    boolean isUsual = range == null && times == null && missing.size() <= 1;
    boolean isExact =
        decoded.equals(DataTypes.FLOAT64)
            || (packing == null && (decoded.equals(stored) || decoded.equals(DataTypes.FLOAT32)));
    return isUsual && isExact && DecodingLoops.isSmall(stored)
        ? Optional.of(new LinearDecoding(stored, theMissing(), scale(), offset()))
        : Optional.empty();
  }

  private OptionalLong theMissing() {
    return missing.isEmpty() ? OptionalLong.empty() : OptionalLong.of(missing.get(0));
  }

  private double scale() {
    return packing == null || packing.scale() == null ? 1 : packing.scale();
  }

  private double offset() {
    return packing == null || packing.offset() == null ? -0.0 : packing.offset();
  }

  private void finish(Block block, int size, boolean isReal, byte[] target, int to) {
    if (decoded.equals(DataTypes.BOOL)) {
      for (int i = 0; i < size; i++) {
        target[to + i] = (byte) (block.wholes[i] == 0 ? 0 : 1);
      }
      return;
    }
    if (!isReal && times != null && packing == null && range == null) {
      for (int i = 0; i < size; i++) {
        long time = block.isMissing[i] ? TimeType.NAT : times.decode(signed(block.wholes[i]));
        LONGS.set(target, to + i * Long.BYTES, time);
      }
      return;
    }
    if (packing != null && packing.whole() != null) {
      for (int i = 0; i < size; i++) {
        LONGS.set(target, to + i * Long.BYTES, signed(block.wholes[i]) * packing.whole());
      }
      return;
    }
    if (!isReal) {
      boolean isUnsigned = stored.equals(DataTypes.UINT64);
      for (int i = 0; i < size; i++) {
        long whole = block.wholes[i];
        block.reals[i] =
            isUnsigned && whole < 0 ? ((whole >>> 1) | (whole & 1)) * 2.0 : (double) whole;
      }
    }
    mark(block, size, false);
    if (packing != null) {
      unpack(block.reals, size, packing);
    }
    mark(block, size, true);
    for (int i = 0; i < size; i++) {
      if (block.isMissing[i]) {
        block.reals[i] = Double.NaN;
      }
    }
    store(block.reals, size, target, to);
  }

  /** Checks that a stored integer is one of {@code int64}. */
  private long signed(long whole) {
    if (whole < 0 && stored.equals(DataTypes.UINT64)) {
      throw new ArithmeticException("long overflow");
    }
    return whole;
  }

  /** Marks values that are invalid. */
  private void mark(Block block, int size, boolean isUnpacked) {
    if (range == null || range.ofUnpacked() != isUnpacked) {
      return;
    }
    double min = range.min();
    double max = range.max();
    for (int i = 0; i < size; i++) {
      block.isMissing[i] |= block.reals[i] < min || block.reals[i] > max;
    }
  }

  /** Computes in the decoded type, as NumPy does; each step of a smaller float is rounded. */
  private void unpack(double[] reals, int size, Packing packing) {
    double scale = packing.scale() == null ? 1 : packing.scale();
    double offset = packing.offset() == null ? 0 : packing.offset();
    boolean adds = packing.offset() != null;
    if (decoded.equals(DataTypes.FLOAT32)) {
      for (int i = 0; i < size; i++) {
        float scaled = (float) reals[i] * (float) scale;
        reals[i] = adds ? scaled + (float) offset : scaled;
      }
    } else if (decoded.equals(DataTypes.FLOAT16)) {
      for (int i = 0; i < size; i++) {
        double scaled = half(reals[i] * half(scale));
        reals[i] = adds ? half(scaled + half(offset)) : scaled;
      }
    } else if (adds) {
      for (int i = 0; i < size; i++) {
        reals[i] = reals[i] * scale + offset;
      }
    } else {
      for (int i = 0; i < size; i++) {
        reals[i] *= scale;
      }
    }
  }

  static double half(double value) {
    return Float16.toFloat(Float16.fromFloat((float) value));
  }

  private static void loadReals(DataType stored, byte[] source, int at, int size, double[] reals) {
    if (stored.equals(DataTypes.FLOAT64)) {
      for (int i = 0; i < size; i++) {
        reals[i] = (double) DOUBLES.get(source, at + i * Double.BYTES);
      }
    } else if (stored.equals(DataTypes.FLOAT32)) {
      for (int i = 0; i < size; i++) {
        reals[i] = (float) FLOATS.get(source, at + i * Float.BYTES);
      }
    } else {
      for (int i = 0; i < size; i++) {
        reals[i] = Float16.toFloat((short) SHORTS.get(source, at + i * Short.BYTES));
      }
    }
  }

  private void loadReals(byte[] source, int at, int size, double[] reals) {
    loadReals(stored, source, at, size, reals);
  }

  private void loadWholes(byte[] source, int at, int size, long[] wholes) {
    switch (SOURCES.indexOf(stored)) {
      case 0 -> {
        for (int i = 0; i < size; i++) {
          wholes[i] = source[at + i];
        }
      }
      case 1 -> {
        for (int i = 0; i < size; i++) {
          wholes[i] = (short) SHORTS.get(source, at + i * Short.BYTES);
        }
      }
      case 2 -> {
        for (int i = 0; i < size; i++) {
          wholes[i] = (int) INTS.get(source, at + i * Integer.BYTES);
        }
      }
      case 4 -> {
        for (int i = 0; i < size; i++) {
          wholes[i] = source[at + i] & 0xff;
        }
      }
      case 5 -> {
        for (int i = 0; i < size; i++) {
          wholes[i] = (short) SHORTS.get(source, at + i * Short.BYTES) & 0xffff;
        }
      }
      case 6 -> {
        for (int i = 0; i < size; i++) {
          wholes[i] = (int) INTS.get(source, at + i * Integer.BYTES) & 0xffff_ffffL;
        }
      }
      default -> {
        for (int i = 0; i < size; i++) {
          wholes[i] = (long) LONGS.get(source, at + i * Long.BYTES);
        }
      }
    }
  }

  private void store(double[] reals, int size, byte[] target, int to) {
    if (times != null) {
      for (int i = 0; i < size; i++) {
        LONGS.set(target, to + i * Long.BYTES, times.decode(reals[i]));
      }
    } else if (decoded.equals(DataTypes.FLOAT32)) {
      for (int i = 0; i < size; i++) {
        FLOATS.set(target, to + i * Float.BYTES, (float) reals[i]);
      }
    } else if (decoded.equals(DataTypes.FLOAT16)) {
      for (int i = 0; i < size; i++) {
        SHORTS.set(target, to + i * Short.BYTES, Float16.fromFloat((float) reals[i]));
      }
    } else {
      for (int i = 0; i < size; i++) {
        DOUBLES.set(target, to + i * Double.BYTES, reals[i]);
      }
    }
  }
}
