package dev.zarrreactive.dataset.cf;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** Decodes elements: {@code count} of them, from a byte of the source to one of the target. */
  @FunctionalInterface
  interface Loop {
    void decode(byte[] source, int at, int count, byte[] target, int to);
  }

  /** Returns true for integers that {@code float32} and packed sums have exactly. */
  static boolean isSmall(DataType stored) {
    return TO_FLOATS.contains(stored);
  }

  /**
   * Returns the loop for integers; null if there is none.
   *
   * @param none the missing value; one beyond the type for none
   */
  static @Nullable Loop ofWholes(
      DataType stored, DataType decoded, long none, double scale, double offset) {
    if (decoded.equals(DataTypes.FLOAT64)) {
      return switch (TO_DOUBLES.indexOf(stored)) {
        case 0 -> (in, at, n, out, to) -> int8(in, at, n, out, to, none, scale, offset);
        case 1 -> (in, at, n, out, to) -> int16(in, at, n, out, to, none, scale, offset);
        case 2 -> (in, at, n, out, to) -> int32(in, at, n, out, to, none, scale, offset);
        case 3 -> (in, at, n, out, to) -> uint8(in, at, n, out, to, none, scale, offset);
        case 4 -> (in, at, n, out, to) -> uint16(in, at, n, out, to, none, scale, offset);
        case 5 -> (in, at, n, out, to) -> uint32(in, at, n, out, to, none, scale, offset);
        default -> null;
      };
    } else if (!decoded.equals(DataTypes.FLOAT32)) {
      return null;
    }
    return switch (TO_FLOATS.indexOf(stored)) {
      case 0 -> (in, at, n, out, to) -> int8(in, at, n, out, to, none);
      case 1 -> (in, at, n, out, to) -> int16(in, at, n, out, to, none);
      case 2 -> (in, at, n, out, to) -> uint8(in, at, n, out, to, none);
      case 3 -> (in, at, n, out, to) -> uint16(in, at, n, out, to, none);
      default -> null;
    };
  }

  /**
   * Returns the loop for floats; null if there is none.
   *
   * @param none the missing value; NaN for none
   */
  static @Nullable Loop ofReals(
      DataType stored, DataType decoded, double none, double scale, double offset) {
    if (!stored.equals(decoded)) {
      return null;
    } else if (decoded.equals(DataTypes.FLOAT64)) {
      return (source, at, count, target, to) ->
          doubles(source, at, count, target, to, none, scale, offset);
    }
    float ofFloat = (float) none;
    return decoded.equals(DataTypes.FLOAT32)
        ? (source, at, count, target, to) ->
            floats(source, at, count, target, to, ofFloat, (float) scale, (float) offset)
        : null;
  }

  private static void int8(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      long none,
      double scale,
      double offset) {
    for (int i = 0; i < count; i++) {
      long value = source[at + i];
      double unpacked = value * scale + offset;
      DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
    }
  }

  private static void int16(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      long none,
      double scale,
      double offset) {
    for (int i = 0; i < count; i++) {
      long value = (short) SHORTS.get(source, at + i * Short.BYTES);
      double unpacked = value * scale + offset;
      DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
    }
  }

  private static void int32(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      long none,
      double scale,
      double offset) {
    for (int i = 0; i < count; i++) {
      long value = (int) INTS.get(source, at + i * Integer.BYTES);
      double unpacked = value * scale + offset;
      DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
    }
  }

  private static void uint8(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      long none,
      double scale,
      double offset) {
    for (int i = 0; i < count; i++) {
      long value = source[at + i] & 0xff;
      double unpacked = value * scale + offset;
      DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
    }
  }

  private static void uint16(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      long none,
      double scale,
      double offset) {
    for (int i = 0; i < count; i++) {
      long value = (short) SHORTS.get(source, at + i * Short.BYTES) & 0xffff;
      double unpacked = value * scale + offset;
      DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
    }
  }

  private static void uint32(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      long none,
      double scale,
      double offset) {
    for (int i = 0; i < count; i++) {
      long value = (int) INTS.get(source, at + i * Integer.BYTES) & 0xffff_ffffL;
      double unpacked = value * scale + offset;
      DOUBLES.set(target, to + i * Double.BYTES, value == none ? Double.NaN : unpacked);
    }
  }

  private static void int8(byte[] source, int at, int count, byte[] target, int to, long none) {
    for (int i = 0; i < count; i++) {
      int value = source[at + i];
      FLOATS.set(target, to + i * Float.BYTES, value == none ? Float.NaN : (float) value);
    }
  }

  private static void int16(byte[] source, int at, int count, byte[] target, int to, long none) {
    for (int i = 0; i < count; i++) {
      int value = (short) SHORTS.get(source, at + i * Short.BYTES);
      FLOATS.set(target, to + i * Float.BYTES, value == none ? Float.NaN : (float) value);
    }
  }

  private static void uint8(byte[] source, int at, int count, byte[] target, int to, long none) {
    for (int i = 0; i < count; i++) {
      int value = source[at + i] & 0xff;
      FLOATS.set(target, to + i * Float.BYTES, value == none ? Float.NaN : (float) value);
    }
  }

  private static void uint16(byte[] source, int at, int count, byte[] target, int to, long none) {
    for (int i = 0; i < count; i++) {
      int value = (short) SHORTS.get(source, at + i * Short.BYTES) & 0xffff;
      FLOATS.set(target, to + i * Float.BYTES, value == none ? Float.NaN : (float) value);
    }
  }

  /** Decodes {@code float32} in itself; each step is rounded, as in NumPy. */
  private static void floats(
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
  private static void doubles(
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
