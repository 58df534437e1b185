package dev.zarrreactive.cli.diff;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.VariableLengthType;
import java.math.BigInteger;

/**
 * Compares elements of one data type, of arrays of rank 1. NaN equals NaN, and 0.0 equals -0.0,
 * unless bits are compared.
 */
final class ElementComparison {
  private final DataType type;
  private final double tolerance;
  private final boolean ofBits;

  ElementComparison(DataType type, double tolerance, boolean ofBits) {
    this.type = type;
    this.ofBits = ofBits;
    this.tolerance = tolerance;
  }

  /** Returns true if both have the same bits, which is the quick way to see that none differs. */
  boolean areSame(NdArray one, NdArray other) {
    return type instanceof VariableLengthType
        ? one.equals(other)
        : one.bytes().equals(other.bytes());
  }

  /** Returns true if the elements of this number are equal. */
  boolean areEqual(NdArray one, NdArray other, int element) {
    if (ofBits && !(type instanceof VariableLengthType)) {
      return image(one, element).equals(image(other, element));
    } else if (type instanceof FloatType) {
      double a = one.getDouble(element);
      double b = other.getDouble(element);
      return a == b || (Double.isNaN(a) && Double.isNaN(b)) || Math.abs(a - b) <= tolerance;
    } else if (type instanceof BoolType) {
      return one.getBoolean(element) == other.getBoolean(element);
    } else if (type instanceof IntegerType) {
      return isClose(one, other, element);
    }
    return one.toJson(element).equals(other.toJson(element));
  }

  private Bytes image(NdArray elements, int element) {
    return elements.bytes().slice(element * type.itemSize(), type.itemSize());
  }

  private boolean isClose(NdArray one, NdArray other, int element) {
    boolean isUnsigned = type.equals(DataTypes.UINT64);
    long a = isUnsigned ? one.getUnsignedLong(element) : one.getLong(element);
    long b = isUnsigned ? other.getUnsignedLong(element) : other.getLong(element);
    return a == b || (tolerance > 0 && distance(one, other, element) <= tolerance);
  }

  /** Returns the distance of two numbers; NaN for elements that are none. */
  double distance(NdArray one, NdArray other, int element) {
    if (type instanceof FloatType) {
      return Math.abs(one.getDouble(element) - other.getDouble(element));
    } else if (type instanceof IntegerType) {
      BigInteger difference = one.getBigInteger(element).subtract(other.getBigInteger(element));
      return difference.abs().doubleValue();
    }
    return Double.NaN;
  }
}
