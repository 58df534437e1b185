package dev.zarrreactive.cli.statistics;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/**
 * Statistics over the elements of chunks, which may come in any order. Sums and sums of squares are
 * exact, so that the mean and the standard deviation are those of the exact elements, rounded once.
 * Not thread-safe.
 */
public final class Statistics {
  private static final MathContext DIGITS = new MathContext(40);

  /** A number halfway between two doubles has at most as many digits. */
  private static final MathContext MOST_DIGITS = new MathContext(1_100);

  private final DataType type;
  private final boolean isUnsigned;
  private final byte[] fill;

  private long count;
  private long fillValues;
  private long notNumbers;
  private long positiveInfinities;
  private long negativeInfinities;
  private @Nullable JsonValue least;
  private @Nullable JsonValue greatest;
  private long leastLong;
  private long greatestLong;
  private double leastDouble;
  private double greatestDouble;

  private final WideSum positive = new WideSum();
  private final WideSum negative = new WideSum();
  private final WideSum squares = new WideSum();
  private final ExactSum floats = new ExactSum();
  private final ExactSum floatSquares = new ExactSum();
  private BigDecimal repeated = BigDecimal.ZERO;
  private BigDecimal repeatedSquares = BigDecimal.ZERO;

  private Statistics(DataType type, byte[] fill) {
    this.type = type;
    this.isUnsigned = type.equals(DataTypes.UINT64);
    this.fill = fill;
  }

  /**
   * Creates statistics of no elements.
   *
   * @param fillValue null for values that have none
   * @throws IllegalArgumentException for a data type whose elements are no numbers with an order
   */
  public static Statistics of(DataType type, @Nullable FillValue fillValue) {
    if (exist(type)) {
      return new Statistics(type, fillValue == null ? new byte[0] : fillValue.image());
    }
    throw new IllegalArgumentException(
        type instanceof ComplexType
            ? type + " has no order: complex numbers have no least one"
            : type
                + " has no statistics: its elements are no numbers; integers, floats, bool and"
                + " times have them");
  }

  /** Returns whether elements of a type are numbers with an order. */
  static boolean exist(DataType type) {
    return type instanceof IntegerType
        || type instanceof FloatType
        || type instanceof BoolType
        || type instanceof TimeType;
  }

  /** Adds the elements of a chunk. */
  public void add(NdArray data) {
    long added = data.shape().elementCountUpTo(Integer.MAX_VALUE);
    NdArray elements = data.reshape(Shape.of(added));
    count += added;
    addFillValues(data);
    if (type instanceof FloatType) {
      addFloats(elements);
    } else {
      addIntegers(elements);
    }
  }

  /** Adds the elements of an array a number of times, as those of chunks that are missing. */
  void add(NdArray data, long times) {
    if (times <= 0) {
      return;
    }
    add(data);
    Statistics once = new Statistics(type, fill);
    once.add(data);
    long more = times - 1;
    count += more * once.count;
    fillValues += more * once.fillValues;
    notNumbers += more * once.notNumbers;
    positiveInfinities += more * once.positiveInfinities;
    negativeInfinities += more * once.negativeInfinities;
    BigDecimal factor = BigDecimal.valueOf(more);
    repeated = repeated.add(once.sum().multiply(factor));
    repeatedSquares = repeatedSquares.add(once.squares().multiply(factor));
  }

  private void addFillValues(NdArray data) {
    if (fill.length == 0) {
      return;
    }
    byte[] bytes = data.bytes().unsafeArray();
    int start = data.bytes().unsafeOffset();
    int end = start + data.bytes().size();
    for (int at = start; at < end; at += fill.length) {
      int same = 0;
      while (same < fill.length && bytes[at + same] == fill[same]) {
        same++;
      }
      fillValues += same == fill.length ? 1 : 0;
    }
  }

  private void addIntegers(NdArray elements) {
    boolean isBool = type instanceof BoolType;
    boolean isTime = type instanceof TimeType;
    int first = -1;
    int last = -1;
    for (int i = 0; i < elements.shape().extent(0); i++) {
      long value;
      if (isBool) {
        value = elements.getBoolean(i) ? 1 : 0;
      } else {
        value = isUnsigned ? elements.getUnsignedLong(i) : elements.getLong(i);
      }
      if (isTime && value == TimeType.NAT) {
        notNumbers++;
        continue;
      }
      boolean isNegative = !isUnsigned && value < 0;
      long size = isNegative ? -value : value;
      (isNegative ? negative : positive).add(size);
      squares.addSquare(size);
      if ((least == null && first < 0) || isLess(value, leastLong)) {
        first = i;
        leastLong = value;
      }
      if ((greatest == null && last < 0) || isLess(greatestLong, value)) {
        last = i;
        greatestLong = value;
      }
    }
    keepRange(elements, first, last);
  }

  private boolean isLess(long one, long other) {
    return isUnsigned ? Long.compareUnsigned(one, other) < 0 : one < other;
  }

  private void addFloats(NdArray elements) {
    int first = -1;
    int last = -1;
    for (int i = 0; i < elements.shape().extent(0); i++) {
      double value = elements.getDouble(i);
      if (Double.isNaN(value)) {
        notNumbers++;
        continue;
      }
      if (Double.isInfinite(value)) {
        positiveInfinities += value > 0 ? 1 : 0;
        negativeInfinities += value < 0 ? 1 : 0;
      } else {
        floats.add(value);
        floatSquares.addSquare(value);
      }
      if ((least == null && first < 0) || value < leastDouble) {
        first = i;
        leastDouble = value;
      }
      if ((greatest == null && last < 0) || value > greatestDouble) {
        last = i;
        greatestDouble = value;
      }
    }
    keepRange(elements, first, last);
  }

  private void keepRange(NdArray elements, int first, int last) {
    least = first < 0 ? least : elements.toJson(first);
    greatest = last < 0 ? greatest : elements.toJson(last);
  }

  /** Returns the number of elements. */
  public long count() {
    return count;
  }

  /** Returns true if elements can have the bits of a fill value. */
  boolean hasFillValue() {
    return fill.length > 0;
  }

  /** Returns how many elements have the bits of the fill value. */
  public long fillValues() {
    return fillValues;
  }

  /** Returns how many elements are NaN, or NaT of times; no other number counts them. */
  public long notNumbers() {
    return notNumbers;
  }

  /** Returns the least element; null without numbers. */
  public @Nullable JsonValue least() {
    return least;
  }

  /** Returns the greatest element; null without numbers. */
  public @Nullable JsonValue greatest() {
    return greatest;
  }

  /**
   * Returns the exact mean, with more digits than a double has; null without numbers or with
   * infinities.
   */
  public @Nullable BigDecimal exactMean() {
    return numbers() == 0 || infinities() > 0
        ? null
        : sum().divide(BigDecimal.valueOf(numbers()), MOST_DIGITS);
  }

  /** Returns the mean, as NumPy defines it where infinities are among the numbers. */
  public double mean() {
    BigDecimal exact = exactMean();
    if (exact != null) {
      return exact.doubleValue();
    }
    boolean isNaN = numbers() == 0 || (positiveInfinities > 0 && negativeInfinities > 0);
    return isNaN
        ? Double.NaN
        : positiveInfinities > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }

  /** Returns the standard deviation of the population; NaN without numbers or with infinities. */
  public double deviation() {
    if (numbers() == 0 || infinities() > 0) {
      return Double.NaN;
    }
    BigDecimal n = BigDecimal.valueOf(numbers());
    BigDecimal sum = sum();
    BigDecimal scaled = n.multiply(squares()).subtract(sum.multiply(sum));
    return scaled.round(DIGITS).sqrt(DIGITS).divide(n, DIGITS).doubleValue();
  }

  private long numbers() {
    return count - notNumbers;
  }

  private long infinities() {
    return positiveInfinities + negativeInfinities;
  }

  private BigDecimal sum() {
    BigInteger integers = positive.value().subtract(negative.value());
    return repeated.add(type instanceof FloatType ? floats.value() : new BigDecimal(integers));
  }

  private BigDecimal squares() {
    return repeatedSquares.add(
        type instanceof FloatType ? floatSquares.value() : new BigDecimal(squares.value()));
  }
}
