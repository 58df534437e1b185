package dev.zarrreactive.dataset.cf;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The usual decodings, in one loop for each pair of types: {@code stored * scale + offset}, or NaN
 * for the one missing value. A scale of 1 and an offset of -0.0 leave every number as it is, its
 * sign too. The body of a loop is plain arithmetic, so that it is as fast as a copy to memory.
 */
final class DecodingLoops {
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);
  private static final List<DataType> TO_DOUBLES =
      List.of(
          DataTypes.INT8,
          DataTypes.INT16,
          DataTypes.INT32,
          DataTypes.UINT8,
          DataTypes.UINT16,
          DataTypes.UINT32);
  private static final List<DataType> TO_FLOATS =
      List.of(DataTypes.INT8, DataTypes.INT16, DataTypes.UINT8, DataTypes.UINT16);

  private DecodingLoops() {}

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns true if there is a loop for integers with one missing value at most. */
  static boolean hasWholes(DataType stored, DataType decoded, boolean isPacked) {
    return decoded.equals(DataTypes.FLOAT64)
        ? TO_DOUBLES.contains(stored)
        : decoded.equals(DataTypes.FLOAT32) && !isPacked && TO_FLOATS.contains(stored);
  }

  /** Returns true if there is a loop for floats with one missing value at most. */
  static boolean hasReals(DataType stored, DataType decoded) {
    return stored.equals(decoded)
        && (stored.equals(DataTypes.FLOAT32) || stored.equals(DataTypes.FLOAT64));
  }

  /**
   * Decodes integers to {@code float64}.
   *
   * @param none the missing value; one beyond the type for none
   */
  static void toDoubles(
      DataType stored,
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      long none,
      double scale,
      double offset) {
    switch (TO_DOUBLES.indexOf(stored)) {
      case 0 -> {
        for (int i = 0; i < count; i++) {
          long value = source[at + i];
          double unpacked = value * scale + offset;
          DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
        }
      }
      case 1 -> {
        for (int i = 0; i < count; i++) {
          long value = (short) SHORTS.get(source, at + i * Short.BYTES);
          double unpacked = value * scale + offset;
          DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          long value = (int) INTS.get(source, at + i * Integer.BYTES);
          double unpacked = value * scale + offset;
          DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
        }
      }
      case 3 -> {
        for (int i = 0; i < count; i++) {
          long value = source[at + i] & 0xff;
          double unpacked = value * scale + offset;
          DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++) {
          long value = (short) SHORTS.get(source, at + i * Short.BYTES) & 0xffff;
          double unpacked = value * scale + offset;
          DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          long value = (int) INTS.get(source, at + i * Integer.BYTES) & 0xffff_ffffL;
          double unpacked = value * scale + offset;
          DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
        }
      }
    }
  }

  /** Decodes integers of up to 16 bits to {@code float32}, which has them all. */
  static void toFloats(
      DataType stored, byte[] source, int at, int count, byte[] target, int to, long none) {
    switch (TO_FLOATS.indexOf(stored)) {
      case 0 -> {
        for (int i = 0; i < count; i++) {
          int value = source[at + i];
          FLOATS.set(target, to + i * Float.BYTES, value == none ? Float.NaN : (float) value);
        }
      }
      case 1 -> {
        for (int i = 0; i < count; i++) {
          int value = (short) SHORTS.get(source, at + i * Short.BYTES);
          FLOATS.set(target, to + i * Float.BYTES, value == none ? Float.NaN : (float) value);
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          int value = source[at + i] & 0xff;
          FLOATS.set(target, to + i * Float.BYTES, value == none ? Float.NaN : (float) value);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          int value = (short) SHORTS.get(source, at + i * Short.BYTES) & 0xffff;
          FLOATS.set(target, to + i * Float.BYTES, value == none ? Float.NaN : (float) value);
        }
      }
    }
  }

  /**
   * Decodes {@code float32} in itself; each step is rounded, as in NumPy.
   *
   * @param none the missing value; NaN for none
   */
  static void floats(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      float none,
      float scale,
      float offset) {
    for (int i = 0; i < count; i++) {
      float value = (float) FLOATS.get(source, at + i * Float.BYTES);
      float unpacked = value * scale + offset;
      FLOATS.set(target, to + i * Float.BYTES, value == none ? Float.NaN : unpacked);
    }
  }

  /** Decodes {@code float64} in itself; as {@link #floats}. */
  static void doubles(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      double none,
      double scale,
      double offset) {
    for (int i = 0; i < count; i++) {
      double value = (double) DOUBLES.get(source, at + i * Double.BYTES);
      double unpacked = value * scale + offset;
      DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
    }
  }
}
