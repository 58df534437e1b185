package dev.zarrreactive.cf;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The usual decodings, in one loop for each pair of types: {@code stored * scale + offset}, or NaN
 * for the one missing value. A scale of 1 and an offset of -0.0 leave every number as it is, its
 * sign too. The body of a loop is plain arithmetic, so that it is as fast as a copy to memory.
 * Missing integers are compared as {@code int}: Java 17 compiles a comparison of {@code long} in
 * such a loop to code that may take four times as long.
 */
final class DecodingLoops {
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);
  private static final List<DataType> SMALL =
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
    return SMALL.contains(stored);
  }

  /** Returns the loop for integers of 16 and 32 bits; null for others. */
  static @Nullable Loop ofWholes(
      DataType stored, DataType decoded, OptionalLong missing, double scale, double offset) {
    boolean isUnsigned = stored.name().startsWith("u");
    int none = (int) missing.orElse(0);
    double ofNone = missing.isPresent() ? Double.NaN : 0 * scale + offset; // the value of 0
    if (stored.itemSize() == Short.BYTES && isSmall(stored)) {
      int mask = isUnsigned ? 0xffff : -1;
      return decoded.equals(DataTypes.FLOAT64)
          ? (in, at, n, out, to) -> shorts(in, at, n, out, to, mask, none, ofNone, scale, offset)
          : decoded.equals(DataTypes.FLOAT32)
              ? (in, at, n, out, to) -> shorts(in, at, n, out, to, mask, none, (float) ofNone)
              : null;
    } else if (decoded.equals(DataTypes.FLOAT64)
        && (stored.equals(DataTypes.INT32) || stored.equals(DataTypes.UINT32))) {
      long mask = isUnsigned ? 0xffff_ffffL : -1;
      return (in, at, n, out, to) -> ints(in, at, n, out, to, mask, none, ofNone, scale, offset);
    }
    return null;
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

  private static void shorts(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      int mask,
      int none,
      double ofNone,
      double scale,
      double offset) {
    for (int i = 0; i < count; i++) {
      int value = (short) SHORTS.get(source, at + i * Short.BYTES) & mask;
      double unpacked = value * scale + offset;
      DOUBLES.set(target, to + i * Double.BYTES, value == none ? ofNone : unpacked);
    }
  }

  private static void shorts(
      byte[] source, int at, int count, byte[] target, int to, int mask, int none, float ofNone) {
    for (int i = 0; i < count; i++) {
      int value = (short) SHORTS.get(source, at + i * Short.BYTES) & mask;
      FLOATS.set(target, to + i * Float.BYTES, value == none ? ofNone : (float) value);
    }
  }

  private static void ints(
      byte[] source,
      int at,
      int count,
      byte[] target,
      int to,
      long mask,
      int none,
      double ofNone,
      double scale,
      double offset) {
    for (int i = 0; i < count; i++) {
      int value = (int) INTS.get(source, at + i * Integer.BYTES);
      double unpacked = (value & mask) * scale + offset;
      DOUBLES.set(target, to + i * Double.BYTES, value == none ? ofNone : unpacked);
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
