package dev.zarrreactive.internal.expression;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import java.util.List;

/** The types of results, by the rules of NumPy 2 (NEP 50). */
public final class NumberTypes {
  private static final List<DataType> SIGNED =
      List.of(DataTypes.INT8, DataTypes.INT16, DataTypes.INT32, DataTypes.INT64);
  private static final int BITS_OF_FLOAT16 = 8;
  private static final int BITS_OF_FLOAT32 = 16;

  private NumberTypes() {}

  static boolean isFloat(DataType type) {
    return type.equals(DataTypes.FLOAT16)
        || type.equals(DataTypes.FLOAT32)
        || type.equals(DataTypes.FLOAT64);
  }

  static boolean isBool(DataType type) {
    return type.equals(DataTypes.BOOL);
  }

  /** Returns true if a type is an integer of NumPy's. */
  static boolean isWhole(DataType type) {
    return type instanceof IntegerType integer && integer.bits() >= Byte.SIZE;
  }

  /** Returns true for a type that formulas take: {@code bool}, integers and floats of NumPy's. */
  public static boolean areNumbers(DataType type) {
    return isFloat(type) || isWhole(type) || isBool(type);
  }

  /** Returns the type in which other floats and integers of fewer bits than a byte are taken. */
  static DataType usual(DataType type) {
    if (areNumbers(type)) {
      return type;
    } else if (type instanceof FloatType) {
      return DataTypes.FLOAT64;
    } else if (type instanceof IntegerType integer) {
      return integer.min().signum() < 0 ? DataTypes.INT8 : DataTypes.UINT8;
    }
    throw new IllegalArgumentException("formulas are of numbers, not of " + type);
  }

  static boolean isUnsigned(DataType type) {
    return type instanceof IntegerType integer && integer.min().signum() >= 0;
  }

  /** Returns the type in which two numbers are calculated. */
  public static DataType common(DataType some, DataType other) {
    if (some.equals(other) || isBool(other)) {
      return some;
    } else if (isBool(some)) {
      return other;
    } else if (isFloat(some) && isFloat(other)) {
      return some.itemSize() > other.itemSize() ? some : other;
    } else if (isFloat(some) || isFloat(other)) {
      return isFloat(some) ? withWhole(some, (IntegerType) other) : common(other, some);
    }
    return whole((IntegerType) some, (IntegerType) other);
  }

  private static DataType withWhole(DataType real, IntegerType whole) {
    DataType exact =
        whole.bits() <= BITS_OF_FLOAT16
            ? DataTypes.FLOAT16
            : whole.bits() <= BITS_OF_FLOAT32 ? DataTypes.FLOAT32 : DataTypes.FLOAT64;
    return common(real, exact);
  }

  private static DataType whole(IntegerType some, IntegerType other) {
    if (isUnsigned(some) == isUnsigned(other)) {
      return some.bits() > other.bits() ? some : other;
    }
    IntegerType signed = isUnsigned(some) ? other : some;
    IntegerType unsigned = isUnsigned(some) ? some : other;
    if (signed.bits() > unsigned.bits()) {
      return signed;
    }
    return SIGNED.stream()
        .filter(type -> ((IntegerType) type).bits() > unsigned.bits())
        .findFirst()
        .orElse(DataTypes.FLOAT64);
  }

  /** Returns the type of quotients of two numbers that are calculated in a type. */
  static DataType ofQuotients(DataType common) {
    return isFloat(common) ? common : DataTypes.FLOAT64;
  }

  /** Returns the type of a function's results. */
  static DataType ofFunction(DataType type) {
    return isFloat(type) ? type : DataTypes.FLOAT64;
  }

  /** Returns the type that has the values of another one and NaN, as xarray chooses it. */
  static DataType withMissing(DataType type) {
    if (isFloat(type)) {
      return type;
    }
    boolean isShort = type instanceof IntegerType integer && integer.bits() <= BITS_OF_FLOAT32;
    return isShort ? DataTypes.FLOAT32 : DataTypes.FLOAT64;
  }
}
