package dev.zarrreactive.cf;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.guard.MemoryGuard;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes values as the numbers that {@link NumberDecoding} turns back into them. Integers are
 * rounded to the nearest, ties to even, as xarray does. A value that would be read as another one
 * is refused: one beyond the stored type, or one whose stored number stands for missing values. For
 * one array of values.
 */
final class NumberEncoding {
  private final NumberDecoding by;
  private final DataType storedType;
  private final Place place;
  private int first;

  /** The place of the values that are encoded, for errors. */
  static final class Place {
    private final Shape shape;
    private final long @Nullable [] start;

    /**
     * Creates the place of a block.
     *
     * @param shape of the values
     * @param start the index of the first value; null where the block is all that is known
     */
    Place(Shape shape, long @Nullable [] start) {
      this.shape = shape;
      this.start = start;
    }

    /** Returns the place of an element of a number in C order. */
    String of(long element) {
      long[] index = new long[shape.rank()];
      long rest = element;
      for (int d = shape.rank() - 1; d >= 0; d--) {
        index[d] = rest % shape.extent(d) + (start == null ? 0 : start[d]);
        rest /= shape.extent(d);
      }
      return " at " + Arrays.toString(index) + (start == null ? " of the block" : "");
    }
  }

  /**
   * Creates the inverse of a decoding.
   *
   * @param storedType the type of the array's elements
   * @param place of the values
   */
  NumberEncoding(NumberDecoding by, DataType storedType, Place place) {
    this.by = by;
    this.place = place;
    this.storedType = storedType;
  }

  /** Encodes values a block after the other, each of which stays in the processor's cache. */
  NdArray encode(NdArray values) {
    checkType(values.dataType());
    Shape shape = values.shape();
    ElementMemory from = ElementMemory.of(values);
    ElementMemory result =
        MemoryGuard.allocating(
            "of encoded values",
            shape.byteSize(storedType.itemSize()),
            Location.UNKNOWN,
            () -> ElementMemory.allocate(storedType, shape));
    int size = values.dataType().itemSize();
    for (first = 0; first < from.count(); first += NumberDecoding.BLOCK) {
      int count = Math.min(NumberDecoding.BLOCK, from.count() - first);
      Bytes images = Bytes.wrap((byte[]) from.array(), from.slot(first), count * size);
      NdArray block = NdArray.wrap(values.dataType(), Shape.of(count), images);
      result.copyFrom(ElementMemory.of(located(block, values)), first);
    }
    return result.toNdArray(shape);
  }

  /** Encodes a block; an error of a cast names the element's place among all values. */
  private NdArray located(NdArray block, NdArray values) {
    try {
      return encodedBlock(block);
    } catch (ArithmeticException e) {
      first = 0;
      return encodedBlock(values);
    }
  }

  private NdArray encodedBlock(NdArray values) {
    NdArray numbers;
    if (!(by.stored() instanceof IntegerType)) {
      numbers = reals(values);
    } else if (by.packing() != null || values.dataType() instanceof FloatType) {
      numbers = packed(values);
    } else {
      numbers = wholes(values);
    }
    boolean hasOtherSign =
        storedType instanceof IntegerType type
            && by.stored() instanceof IntegerType used
            && type.bits() == used.bits();
    return hasOtherSign
        ? NdArray.wrap(storedType, numbers.shape(), numbers.bytes())
        : numbers.cast(storedType);
  }

  private void checkType(DataType type) {
    TimeCoding times = by.times();
    boolean isNumber =
        type instanceof IntegerType || type instanceof FloatType || type instanceof BoolType;
    boolean fits =
        times == null
            ? isNumber
            : times.dataType() instanceof TimeType
                ? type instanceof TimeType
                    && type instanceof Datetime64Type == times.calendar().isPresent()
                : type.equals(DataTypes.INT64);
    if (!fits) {
      throw new InvalidInputException(
          times == null
              ? "values of " + type + " cannot be stored as " + storedType
              : "values of "
                  + type
                  + " are no times in \""
                  + times
                  + "\": they are "
                  + times.dataType()
                  + "; raw() stores numbers as they are");
    }
  }

  /** Encodes integers and times without a float in between. */
  private NdArray wholes(NdArray values) {
    TimeCoding times = by.times();
    IntegerType type = (IntegerType) by.stored();
    boolean isUnsigned = type.equals(DataTypes.UINT64);
    boolean fromUnsigned = values.dataType().equals(DataTypes.UINT64);
    long[] wholes =
        (fromUnsigned
                ? NdArray.wrap(DataTypes.INT64, values.shape(), values.bytes())
                : values.dataType() instanceof TimeType ? values : values.cast(DataTypes.INT64))
            .toLongArray();
    for (int i = 0; i < wholes.length; i++) {
      long value = wholes[i];
      if (times != null && value == TimeType.NAT) {
        wholes[i] = missing("NaT", i);
        continue;
      }
      long stored = times == null ? value : time(times, values, value, i);
      boolean fits =
          (fromUnsigned && value < 0)
              ? isUnsigned
              : isUnsigned ? stored >= 0 : (stored >= min(type) && stored <= max(type));
      if (!fits) {
        throw beyond(
            fromUnsigned ? Long.toUnsignedString(value) : text(value), i, Long.toString(stored));
      }
      check(stored, Long.toString(stored), text(value), i);
      wholes[i] = stored;
    }
    return numbers(wholes, values.shape());
  }

  private long time(TimeCoding times, NdArray values, long value, int i) {
    try {
      return times.encode(times.converted(value, values.dataType(), true));
    } catch (ArithmeticException e) {
      throw new InvalidInputException(
          "the time "
              + text(times, values, value)
              + at(i)
              + " is no whole number in \""
              + times.units()
              + "\"; store float64, or smaller units",
          e);
    }
  }

  private static String text(TimeCoding times, NdArray values, long value) {
    return values.dataType() instanceof TimeType type ? type.toText(value) : times.text(value);
  }

  private String text(long value) {
    return by.times() == null ? Long.toString(value) : "of the count " + value;
  }

  private static long min(IntegerType type) {
    return type.min().longValue();
  }

  private static long max(IntegerType type) {
    return type.max().min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
  }

  /** Packs and rounds values. */
  private NdArray packed(NdArray values) {
    double[] reals = doubles(values);
    long[] wholes = new long[reals.length];
    IntegerType type = (IntegerType) by.stored();
    double least = type.min().doubleValue();
    double above = Math.scalb(1.0, type.max().bitLength());
    for (int i = 0; i < reals.length; i++) {
      double value = reals[i];
      if (Double.isNaN(value)) {
        wholes[i] = missing("NaN", i);
        continue;
      }
      double whole = Math.rint(pack(value));
      if (!(whole >= least && whole < above)) {
        throw beyond(Double.toString(value), i, number(pack(value)));
      }
      wholes[i] = whole >= 0x1p63 ? (long) (whole - 0x1p63) + Long.MIN_VALUE : (long) whole;
      check(wholes[i], number(whole), Double.toString(value), i);
    }
    return numbers(wholes, values.shape());
  }

  private double pack(double value) {
    NumberDecoding.Packing packing = by.packing();
    if (packing == null) {
      return value;
    }
    double shifted = packing.offset() == null ? value : value - packing.offset();
    return packing.scale() == null ? shifted : shifted / packing.scale();
  }

  private double[] doubles(NdArray values) {
    TimeCoding times = by.times();
    if (times == null) {
      return values.cast(DataTypes.FLOAT64).toDoubleArray();
    }
    return Arrays.stream(values.toLongArray())
        .mapToDouble(
            value ->
                value == TimeType.NAT
                    ? Double.NaN
                    : times.encodeReal(times.converted(value, values.dataType(), false)))
        .toArray();
  }

  private NdArray reals(NdArray values) {
    double[] reals = doubles(values);
    boolean isDouble = by.stored().equals(DataTypes.FLOAT64);
    for (int i = 0; i < reals.length; i++) {
      double value = reals[i];
      if (Double.isNaN(value)) {
        reals[i] = by.missingReals().isEmpty() ? value : by.missingReals().get(0);
        continue;
      }
      double packed = pack(value);
      double stored =
          isDouble
              ? packed
              : by.stored().equals(DataTypes.FLOAT32)
                  ? (float) packed
                  : NumberDecoding.half(packed);
      if (Double.isInfinite(stored) && !Double.isInfinite(value)) {
        throw beyond(Double.toString(value), i, number(packed));
      }
      if (by.missingReals().contains(stored)) {
        throw isMissing(Double.toString(value), number(stored), i);
      }
      reals[i] = packed;
    }
    return NdArray.ofDoubles(values.shape(), reals).cast(by.stored());
  }

  private NdArray numbers(long[] wholes, Shape shape) {
    return by.stored().equals(DataTypes.UINT64)
        ? NdArray.ofLongs(DataTypes.UINT64, shape, wholes)
        : NdArray.ofLongs(DataTypes.INT64, shape, wholes).cast(by.stored());
  }

  private long missing(String value, int i) {
    if (by.missing().isEmpty()) {
      throw new InvalidInputException(
          "the value "
              + value
              + at(i)
              + " has no "
              + storedType
              + "; choose one for missing values, as _FillValue");
    }
    return by.missing().get(0);
  }

  private void check(long bits, String stored, String value, int i) {
    if (by.missing().contains(bits)) {
      throw isMissing(value, stored, i);
    }
  }

  private IllegalArgumentException isMissing(String value, String stored, int i) {
    return new InvalidInputException(
        "the value "
            + value
            + at(i)
            + " would be stored as "
            + stored
            + ", which stands for missing values");
  }

  private IllegalArgumentException beyond(String value, int i, String packed) {
    return new InvalidInputException(
        "the value "
            + value
            + at(i)
            + " does not fit "
            + by.stored()
            + (by.packing() == null && by.times() == null ? "" : "; packed it is " + packed)
            + (by.stored() instanceof IntegerType type
                ? ", and the numbers are " + type.min() + " to " + type.max()
                : ""));
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private String at(int element) {
    return place.of((long) first + element);
  }
}
