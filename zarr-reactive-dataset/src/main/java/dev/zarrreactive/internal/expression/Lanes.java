package dev.zarrreactive.internal.expression;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.internal.element.Float16;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Some results of a formula, one after the other: doubles for floats, longs for integers and
 * booleans. A double holds each float exactly, and the nearest double of a sum, difference, product
 * or quotient of floats, rounded again, is the nearest float.
 */
final class Lanes {
  /** The most results at a time, which stay in the processor's cache. */
  static final int MOST = 1024;

  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);

  final DataType type;
  final double[] reals;
  final long[] wholes;

  Lanes(DataType type) {
    boolean isFloat = NumberTypes.isFloat(type);
    this.type = type;
    this.reals = new double[isFloat ? MOST : 0];
    this.wholes = new long[isFloat ? 0 : MOST];
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns a number as a type of floats has it. */
  static double rounded(double value, DataType type) {
    if (type.equals(DataTypes.FLOAT64)) {
      return value;
    }
    float single = (float) value;
    return type.equals(DataTypes.FLOAT32) ? single : Float16.toFloat(Float16.fromFloat(single));
  }

  /** Rounds the first doubles to the type. */
  void round(int count) {
    if (type.equals(DataTypes.FLOAT32)) {
      for (int i = 0; i < count; i++) {
        reals[i] = (float) reals[i];
      }
    } else if (type.equals(DataTypes.FLOAT16)) {
      for (int i = 0; i < count; i++) {
        reals[i] = Float16.toFloat(Float16.fromFloat((float) reals[i]));
      }
    }
  }

  /** Cuts the first longs to the bits of the type. */
  void wrap(int count) {
    if (!(type instanceof IntegerType integer) || integer.bits() == Long.SIZE) {
      return;
    }
    int unused = Long.SIZE - integer.bits();
    if (NumberTypes.isUnsigned(type)) {
      for (int i = 0; i < count; i++) {
        wholes[i] = (wholes[i] << unused) >>> unused;
      }
    } else {
      for (int i = 0; i < count; i++) {
        wholes[i] = (wholes[i] << unused) >> unused;
      }
    }
  }

  /** Takes results of another type. */
  void convert(Lanes from, int count) {
    if (NumberTypes.isFloat(from.type)) {
      System.arraycopy(from.reals, 0, reals, 0, count);
      if (from.type.itemSize() > type.itemSize()) {
        round(count);
      }
    } else if (!NumberTypes.isFloat(type)) {
      System.arraycopy(from.wholes, 0, wholes, 0, count);
    } else if (from.type.equals(DataTypes.UINT64)) {
      for (int i = 0; i < count; i++) {
        reals[i] = unsigned(from.wholes[i]);
      }
      round(count);
    } else {
      for (int i = 0; i < count; i++) {
        reals[i] = (double) from.wholes[i];
      }
      round(count);
    }
  }

  /** Returns the double that is nearest to a long without a sign. */
  private static double unsigned(long bits) {
    // the lowest bit stays, so that the half is rounded as the whole is
    return bits >= 0 ? (double) bits : (double) ((bits >>> 1) | (bits & 1)) * 2;
  }

  /**
   * Fills the first results with the elements of an array's memory, which has little-endian ones.
   */
  void load(DataType stored, byte[] memory, int at, int count) {
    if (stored.equals(DataTypes.FLOAT64)) {
      for (int i = 0; i < count; i++) {
        reals[i] = (double) DOUBLES.get(memory, at + i * Double.BYTES);
      }
    } else if (stored.equals(DataTypes.FLOAT32)) {
      for (int i = 0; i < count; i++) {
        reals[i] = (float) FLOATS.get(memory, at + i * Float.BYTES);
      }
    } else if (stored.equals(DataTypes.FLOAT16)) {
      for (int i = 0; i < count; i++) {
        reals[i] = Float16.toFloat((short) SHORTS.get(memory, at + i * Short.BYTES));
      }
    } else {
      loadWholes(stored, memory, at, count);
      wrapUnsigned(stored, count);
    }
  }

  private void loadWholes(DataType stored, byte[] memory, int at, int count) {
    switch (stored.itemSize()) {
      case Byte.BYTES -> {
        for (int i = 0; i < count; i++) {
          wholes[i] = memory[at + i];
        }
      }
      case Short.BYTES -> {
        for (int i = 0; i < count; i++) {
          wholes[i] = (short) SHORTS.get(memory, at + i * Short.BYTES);
        }
      }
      case Integer.BYTES -> {
        for (int i = 0; i < count; i++) {
          wholes[i] = (int) INTS.get(memory, at + i * Integer.BYTES);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          wholes[i] = (long) LONGS.get(memory, at + i * Long.BYTES);
        }
      }
    }
  }

  private void wrapUnsigned(DataType stored, int count) {
    if (NumberTypes.isUnsigned(stored)) {
      wrap(count);
    }
  }

  /** Writes the first results as elements of the type. */
  void store(byte[] memory, int at, int count) {
    if (type.equals(DataTypes.FLOAT64)) {
      for (int i = 0; i < count; i++) {
        DOUBLES.set(memory, at + i * Double.BYTES, reals[i]);
      }
    } else if (type.equals(DataTypes.FLOAT32)) {
      for (int i = 0; i < count; i++) {
        FLOATS.set(memory, at + i * Float.BYTES, (float) reals[i]);
      }
    } else if (type.equals(DataTypes.FLOAT16)) {
      for (int i = 0; i < count; i++) {
        SHORTS.set(memory, at + i * Short.BYTES, Float16.fromFloat((float) reals[i]));
      }
    } else {
      storeWholes(memory, at, count);
    }
  }

  private void storeWholes(byte[] memory, int at, int count) {
    switch (type.itemSize()) {
      case Byte.BYTES -> {
        for (int i = 0; i < count; i++) {
          memory[at + i] = (byte) wholes[i];
        }
      }
      case Short.BYTES -> {
        for (int i = 0; i < count; i++) {
          SHORTS.set(memory, at + i * Short.BYTES, (short) wholes[i]);
        }
      }
      case Integer.BYTES -> {
        for (int i = 0; i < count; i++) {
          INTS.set(memory, at + i * Integer.BYTES, (int) wholes[i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          LONGS.set(memory, at + i * Long.BYTES, wholes[i]);
        }
      }
    }
  }
}
