package dev.zarrreactive.internal.element;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatFormat;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.TimeType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The type of one number, for casts and for codecs that compute. An element is passed as a long:
 * the value of an integer (of a {@code uint64} its bits), 0 or 1 of a {@code bool}, the bits of a
 * float. In types smaller than a byte the higher bits of the byte are ignored.
 */
public enum Scalar {
  BOOL(DataTypes.BOOL, Kind.UNSIGNED),
  INT2(DataTypes.INT2, Kind.SIGNED),
  INT4(DataTypes.INT4, Kind.SIGNED),
  INT8(DataTypes.INT8, Kind.SIGNED),
  INT16(DataTypes.INT16, Kind.SIGNED),
  INT32(DataTypes.INT32, Kind.SIGNED),
  INT64(DataTypes.INT64, Kind.SIGNED),
  UINT2(DataTypes.UINT2, Kind.UNSIGNED),
  UINT4(DataTypes.UINT4, Kind.UNSIGNED),
  UINT8(DataTypes.UINT8, Kind.UNSIGNED),
  UINT16(DataTypes.UINT16, Kind.UNSIGNED),
  UINT32(DataTypes.UINT32, Kind.UNSIGNED),
  UINT64(DataTypes.UINT64, Kind.UNSIGNED),
  FLOAT16(DataTypes.FLOAT16, Kind.FLOAT),
  FLOAT32(DataTypes.FLOAT32, Kind.FLOAT),
  FLOAT64(DataTypes.FLOAT64, Kind.FLOAT),
  BFLOAT16(DataTypes.BFLOAT16, Kind.FLOAT),
  FLOAT8_E3M4(DataTypes.FLOAT8_E3M4, Kind.FLOAT),
  FLOAT8_E4M3(DataTypes.FLOAT8_E4M3, Kind.FLOAT),
  FLOAT8_E4M3FN(DataTypes.FLOAT8_E4M3FN, Kind.FLOAT),
  FLOAT8_E5M2(DataTypes.FLOAT8_E5M2, Kind.FLOAT),
  FLOAT8_E4M3FNUZ(DataTypes.FLOAT8_E4M3FNUZ, Kind.FLOAT),
  FLOAT8_E4M3B11FNUZ(DataTypes.FLOAT8_E4M3B11FNUZ, Kind.FLOAT),
  FLOAT8_E5M2FNUZ(DataTypes.FLOAT8_E5M2FNUZ, Kind.FLOAT),
  FLOAT8_E8M0FNU(DataTypes.FLOAT8_E8M0FNU, Kind.FLOAT),
  FLOAT6_E2M3FN(DataTypes.FLOAT6_E2M3FN, Kind.FLOAT),
  FLOAT6_E3M2FN(DataTypes.FLOAT6_E3M2FN, Kind.FLOAT),
  FLOAT4_E2M1FN(DataTypes.FLOAT4_E2M1FN, Kind.FLOAT);

  private enum Kind {
    SIGNED,
    UNSIGNED,
    FLOAT
  }

  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);

  @SuppressWarnings("ImmutableEnumChecker") // every data type is a record of numbers
  private final DataType type;

  private final Kind kind;
  private final int size;
  private final int bits;

  Scalar(DataType type, Kind kind) {
    this.type = type;
    this.kind = kind;
    this.size = type.itemSize();
    this.bits =
        type instanceof IntegerType integer
            ? integer.bits()
            : type instanceof FloatType floats ? floats.bits() : Byte.SIZE;
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the scalar of a data type, null for elements that are not one number. */
  public static @Nullable Scalar of(DataType type) {
    for (Scalar scalar : values()) {
      if (scalar.type.equals(type)) {
        return scalar;
      }
    }
    return null;
  }

  /** Returns the data type. */
  public DataType type() {
    return type;
  }

  /** Returns the size of an element in bytes. */
  public int size() {
    return size;
  }

  /** Returns the number of meaningful bits of the image. */
  public int bits() {
    return bits;
  }

  /** Returns whether this is a float type. */
  public boolean isFloat() {
    return kind == Kind.FLOAT;
  }

  /** Returns whether this is an integer type; {@code bool} is not. */
  public boolean isInteger() {
    return kind != Kind.FLOAT && this != BOOL;
  }

  /** Returns whether this is a signed integer type. */
  public boolean isSigned() {
    return kind == Kind.SIGNED;
  }

  /**
   * Returns whether elements of {@code other} have the bits of this type: it is the same, or both
   * are integers of one size, one of which may count times. NumPy sees them as one another.
   */
  public boolean hasBitsOf(DataType other) {
    return other.equals(type)
        || (type instanceof IntegerType
            && bits == Byte.SIZE * size
            && other.itemSize() == size
            && (other instanceof TimeType
                || (other instanceof IntegerType integer && integer.bits() == bits)));
  }

  /** Returns the format of a float type. */
  public FloatFormat format() {
    if (type instanceof FloatType floats) {
      return floats.format();
    }
    throw new IllegalStateException(this + " is no float");
  }

  /** Reads the element whose image begins at {@code at}. */
  public long get(byte[] array, int at) {
    long raw =
        switch (size) {
          case 1 -> array[at];
          case 2 -> (short) SHORTS.get(array, at);
          case 4 -> (int) INTS.get(array, at);
          default -> (long) LONGS.get(array, at);
        };
    return this == BOOL ? raw == 0 ? 0 : 1 : narrow(raw);
  }

  /** Writes the image of an element. */
  public void put(byte[] array, int at, long element) {
    switch (size) {
      case 1 -> array[at] = (byte) element;
      case 2 -> SHORTS.set(array, at, (short) element);
      case 4 -> INTS.set(array, at, (int) element);
      default -> LONGS.set(array, at, element);
    }
  }

  /**
   * Returns the lowest bits of an integer as an element of this type: modulo two to the number of
   * bits.
   */
  public long narrow(long value) {
    int unused = Long.SIZE - bits;
    return kind == Kind.SIGNED ? value << unused >> unused : value << unused >>> unused;
  }

  /** Returns the value; of a 64-bit integer the nearest double. */
  public double toDouble(long element) {
    return switch (this) {
      case FLOAT16 -> Float16.toFloat((short) element);
      case FLOAT32 -> Float.intBitsToFloat((int) element);
      case FLOAT64 -> Double.longBitsToDouble(element);
      // halved with a sticky lowest bit, so that it is rounded once
      case UINT64 -> element >= 0 ? element : ((element >>> 1) | (element & 1)) * 2.0;
      default -> isFloat() ? format().toDouble(element) : element;
    };
  }

  /**
   * Returns the element of a float type that is nearest to {@code value}, ties to even.
   *
   * @throws ArithmeticException for a value beyond a type without infinities
   */
  public long fromDouble(double value) {
    return switch (this) {
      case FLOAT16 -> Float16.fromFloat(toOdd(value)) & 0xffffL;
      case FLOAT32 -> Float.floatToRawIntBits((float) value) & 0xffff_ffffL;
      case FLOAT64 -> Double.doubleToRawLongBits(value);
      default -> format().nearest(value);
    };
  }

  /** Returns whether a finite value is a number of a float type, or lies between two. */
  boolean covers(double value) {
    double magnitude = Math.abs(value);
    return magnitude <= toDouble(format().largest())
        && (format().hasZero() || (value > 0 && magnitude >= toDouble(0)));
  }

  /** Rounds to odd: halving the result rounds as if from {@code value} itself. */
  private static float toOdd(double value) {
    float nearest = (float) value;
    if (nearest == value || (Float.floatToRawIntBits(nearest) & 1) != 0) {
      return nearest;
    }
    return value > nearest
        ? Math.nextUp(nearest)
        : value < nearest ? Math.nextDown(nearest) : nearest;
  }

  /** Returns the exact value of an integer or a finite float. */
  BigDecimal exact(long element) {
    if (isFloat()) {
      return new BigDecimal(toDouble(element));
    }
    return new BigDecimal(this == UINT64 ? Long.toUnsignedString(element) : "" + element);
  }

  /** Returns the smallest value of an integer type. */
  BigInteger min() {
    return ((IntegerType) type).min();
  }

  /** Returns the largest value of an integer type. */
  BigInteger max() {
    return ((IntegerType) type).max();
  }

  /** Returns an element as text for messages. */
  public String text(long element) {
    byte[] image = new byte[size];
    put(image, 0, element);
    return type.toJson(image, 0).toString();
  }

  /**
   * Casts an element as NumPy's {@code astype} does: integers wrap around, floats lose their
   * fraction on the way to an integer, and NaN and infinities become 0.
   */
  public long cast(long element, Scalar to) {
    if (to == this) {
      return element;
    }
    if (to == BOOL) {
      return isFloat() ? toDouble(element) == 0 ? 0 : 1 : element == 0 ? 0 : 1;
    }
    if (!isFloat()) {
      return to.isFloat() ? toFloat(element, to) : to.narrow(element);
    }
    double value = toDouble(element);
    if (to.isFloat()) {
      return to.fromDouble(value);
    }
    boolean high = value >= 0x1p63 && value < 0x1p64;
    return to.narrow(high ? (long) (value - 0x1p63) ^ Long.MIN_VALUE : (long) value);
  }

  /** Rounds an integer to a float, once. */
  private long toFloat(long element, Scalar to) {
    if (to == FLOAT64) {
      return to.fromDouble(toDouble(element));
    }
    boolean high = this == UINT64 && element < 0;
    float value = high ? ((element >>> 1) | (element & 1)) * 2f : element;
    return to == FLOAT32
        ? Float.floatToRawIntBits(value) & 0xffff_ffffL
        : Float16.fromFloat(value) & 0xffffL;
  }
}
