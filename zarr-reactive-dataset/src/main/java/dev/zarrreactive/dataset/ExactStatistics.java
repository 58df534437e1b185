package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.internal.statistics.ElementReader;
import dev.zarrreactive.internal.statistics.ExactSum;
import dev.zarrreactive.internal.statistics.WideSum;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of the elements of arrays in memory: of integers, floats, bool and times. Arrays may
 * be added in any order, such as the chunks of an array as they arrive. NaN and NaT are counted and
 * left out of everything else. Sums and sums of squares are exact, so that the mean and the
 * standard deviation are those of the exact elements, rounded once. An instance takes about a
 * kilobyte. Not thread-safe.
 *
 * <p>{@link Variable#over} has statistics over some dimensions, and of values that are read.
 */
public final class ExactStatistics {
  private static final MathContext DIGITS = new MathContext(40);

  /** A number halfway between two doubles has at most as many digits. */
  private static final MathContext MOST_DIGITS = new MathContext(1_100);

  private final DataType type;
  private final boolean isUnsigned;
  private final @Nullable FillValue fill;
  private final boolean skipsFill;

  private long count;
  private long fillValues;
  private long notNumbers;
  private long positiveInfinities;
  private long negativeInfinities;
  private @Nullable NdArray least;
  private @Nullable NdArray greatest;
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

  private ExactStatistics(DataType type, @Nullable FillValue fill, boolean skipsFill) {
    if (!exist(type)) {
      throw new IllegalArgumentException(
          type instanceof ComplexType
              ? type + " has no order: complex numbers have no least one"
              : type
                  + " has no statistics: its elements are no numbers; integers, floats, bool and"
                  + " times have them");
    }
    this.type = type;
    this.isUnsigned = type.equals(DataTypes.UINT64);
    this.fill = fill;
    this.skipsFill = skipsFill;
  }

  /** Returns true if elements of a type are numbers with an order. */
  public static boolean exist(DataType type) {
    return type instanceof IntegerType
        || type instanceof FloatType
        || type instanceof BoolType
        || type instanceof TimeType;
  }

  /**
   * Returns the statistics of an array's elements.
   *
   * @throws IllegalArgumentException for a data type whose elements are no numbers with an order
   */
  public static ExactStatistics of(NdArray array) {
    return of(array.dataType()).add(array);
  }

  /**
   * Returns the statistics of no elements of a type, to which arrays can be added. Arrays of {@code
   * int64} may be added to those of a time type, as its counts.
   *
   * @throws IllegalArgumentException for a data type whose elements are no numbers with an order
   */
  public static ExactStatistics of(DataType type) {
    return new ExactStatistics(type, null, false);
  }

  /**
   * Returns the statistics of no elements, which also count those with the bits of a fill value.
   */
  public static ExactStatistics counting(FillValue fill) {
    return new ExactStatistics(fill.dataType(), fill, false);
  }

  /**
   * Returns the statistics of no elements, which count those with the bits of a fill value and
   * leave them out of everything else.
   */
  public static ExactStatistics skipping(FillValue fill) {
    return new ExactStatistics(fill.dataType(), fill, true);
  }

  /**
   * Adds the elements of an array.
   *
   * @return this
   * @throws IllegalArgumentException for an array of another data type
   */
  public ExactStatistics add(NdArray array) {
    boolean isOfCounts = type instanceof TimeType && array.dataType().equals(DataTypes.INT64);
    if (!array.dataType().equals(type) && !isOfCounts) {
      throw new IllegalArgumentException(
          "statistics of " + type + ", and an array of " + array.dataType());
    }
    Elements elements = new Elements(array);
    count += elements.count();
    if (type instanceof FloatType) {
      addFloats(elements);
    } else {
      addIntegers(elements);
    }
    return this;
  }

  /**
   * Adds the elements of an array a number of times, as those of chunks that are missing.
   *
   * @return this
   */
  public ExactStatistics add(NdArray array, long times) {
    if (times <= 0) {
      return this;
    }
    add(array);
    ExactStatistics once = new ExactStatistics(type, fill, skipsFill).add(array);
    long more = times - 1;
    count += more * once.count;
    fillValues += more * once.fillValues;
    notNumbers += more * once.notNumbers;
    positiveInfinities += more * once.positiveInfinities;
    negativeInfinities += more * once.negativeInfinities;
    BigDecimal factor = BigDecimal.valueOf(more);
    repeated = repeated.add(once.sum().multiply(factor));
    repeatedSquares = repeatedSquares.add(once.squares().multiply(factor));
    return this;
  }

  /**
   * Adds all elements of other statistics of the same kind.
   *
   * @return this
   */
  public ExactStatistics combine(ExactStatistics other) {
    count += other.count;
    fillValues += other.fillValues;
    notNumbers += other.notNumbers;
    positiveInfinities += other.positiveInfinities;
    negativeInfinities += other.negativeInfinities;
    positive.add(other.positive);
    negative.add(other.negative);
    squares.add(other.squares);
    floats.add(other.floats);
    floatSquares.add(other.floatSquares);
    repeated = repeated.add(other.repeated);
    repeatedSquares = repeatedSquares.add(other.repeatedSquares);
    boolean isFloat = type instanceof FloatType;
    if (other.least != null && (isFloat ? isLeast(other.leastDouble) : isLeast(other.leastLong))) {
      least = other.least;
      leastLong = other.leastLong;
      leastDouble = other.leastDouble;
    }
    if (other.greatest != null
        && (isFloat ? isGreatest(other.greatestDouble) : isGreatest(other.greatestLong))) {
      greatest = other.greatest;
      greatestLong = other.greatestLong;
      greatestDouble = other.greatestDouble;
    }
    return this;
  }

  /** The elements of an array in C order. */
  private final class Elements {
    private final NdArray flat;
    private final Bytes images;
    private final int itemSize;

    Elements(NdArray array) {
      images = array.bytes();
      itemSize = array.dataType().itemSize();
      flat = NdArray.wrap(array.dataType(), Shape.of(images.size() / itemSize), images);
    }

    int count() {
      return images.size() / itemSize;
    }

    /** Counts an element with the bits of the fill value; returns true if it is left out. */
    private boolean skip(int element) {
      FillValue its = fill;
      int at = images.unsafeOffset() + element * itemSize;
      if (its == null || !its.isAll(images.unsafeArray(), at, itemSize)) {
        return false;
      }
      fillValues++;
      return skipsFill;
    }

    /** Returns an element without the memory of the others. */
    private NdArray element(int element) {
      byte[] image = images.slice(element * itemSize, itemSize).toByteArray();
      return NdArray.wrap(flat.dataType(), Shape.SCALAR, Bytes.wrap(image));
    }

    private void keepExtremes(int first, int last) {
      least = first < 0 ? least : element(first);
      greatest = last < 0 ? greatest : element(last);
    }
  }

  private void addIntegers(Elements elements) {
    boolean isBool = type instanceof BoolType;
    boolean isTime = type instanceof TimeType;
    int first = -1;
    int last = -1;
    int size = elements.count();
    for (int i = 0; i < size; i++) {
      if (fill != null && elements.skip(i)) {
        continue;
      }
      long value;
      if (isBool) {
        value = elements.flat.getBoolean(i) ? 1 : 0;
      } else {
        value = isUnsigned ? elements.flat.getUnsignedLong(i) : elements.flat.getLong(i);
      }
      if (isTime && value == TimeType.NAT) {
        notNumbers++;
        continue;
      }
      boolean isNegative = !isUnsigned && value < 0;
      long magnitude = isNegative ? -value : value;
      (isNegative ? negative : positive).add(magnitude);
      squares.addSquare(magnitude);
      if (first < 0 ? isLeast(value) : isLess(value, leastLong)) {
        first = i;
        leastLong = value;
      }
      if (last < 0 ? isGreatest(value) : isLess(greatestLong, value)) {
        last = i;
        greatestLong = value;
      }
    }
    elements.keepExtremes(first, last);
  }

  private boolean isLess(long one, long other) {
    return isUnsigned ? Long.compareUnsigned(one, other) < 0 : one < other;
  }

  private boolean isLeast(long value) {
    return least == null || isLess(value, leastLong);
  }

  private boolean isGreatest(long value) {
    return greatest == null || isLess(greatestLong, value);
  }

  private boolean isLeast(double value) {
    return least == null || Double.compare(value, leastDouble) < 0;
  }

  private boolean isGreatest(double value) {
    return greatest == null || Double.compare(value, greatestDouble) > 0;
  }

  private void addFloats(Elements elements) {
    ElementReader reader = new ElementReader(elements.flat);
    int first = -1;
    int last = -1;
    for (int from = 0; from < reader.count(); ) {
      int size = reader.load(from, reader.count() - from);
      int at = reader.place(from);
      for (int i = 0; i < size; i++) {
        if (fill != null && elements.skip(from + i)) {
          continue;
        }
        double value = ElementReader.value(reader.values(), at + i * Double.BYTES);
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
        if (first < 0 ? isLeast(value) : Double.compare(value, leastDouble) < 0) {
          first = from + i;
          leastDouble = value;
        }
        if (last < 0 ? isGreatest(value) : Double.compare(value, greatestDouble) > 0) {
          last = from + i;
          greatestDouble = value;
        }
      }
      from += size;
    }
    elements.keepExtremes(first, last);
  }

  /** The number of elements that were added. */
  public long count() {
    return count;
  }

  /** The number of elements with the bits of the fill value; 0 without a fill value. */
  public long fillValues() {
    return fillValues;
  }

  /** The number of elements that are NaN, or NaT of times. */
  public long notNumbers() {
    return notNumbers;
  }

  /** The number of elements that the other statistics are of. */
  private long numbers() {
    return count - notNumbers - (skipsFill ? fillValues : 0);
  }

  /** Returns the least element as an array of rank 0, which is exact; empty without numbers. */
  public Optional<NdArray> min() {
    return Optional.ofNullable(least);
  }

  /** Returns the greatest element as an array of rank 0, which is exact; empty without numbers. */
  public Optional<NdArray> max() {
    return Optional.ofNullable(greatest);
  }

  /**
   * Returns the mean, which is that of the counts of times; empty without numbers. With infinities
   * it is infinite or NaN, as NumPy has it.
   */
  public OptionalDouble mean() {
    if (numbers() == 0) {
      return OptionalDouble.empty();
    }
    if (infinities() == 0) {
      return OptionalDouble.of(exactMean().orElseThrow().doubleValue());
    }
    if (positiveInfinities > 0 && negativeInfinities > 0) {
      return OptionalDouble.of(Double.NaN);
    }
    return OptionalDouble.of(
        positiveInfinities > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY);
  }

  /**
   * Returns the mean with so many digits that rounding it to a double is rounding the exact mean;
   * empty without numbers and with infinities.
   */
  public Optional<BigDecimal> exactMean() {
    return numbers() == 0 || infinities() > 0
        ? Optional.empty()
        : Optional.of(sum().divide(BigDecimal.valueOf(numbers()), MOST_DIGITS));
  }

  /**
   * Returns the standard deviation of a whole population; empty without numbers, NaN with
   * infinities.
   */
  public OptionalDouble std() {
    if (numbers() == 0) {
      return OptionalDouble.empty();
    }
    if (infinities() > 0) {
      return OptionalDouble.of(Double.NaN);
    }
    BigDecimal n = BigDecimal.valueOf(numbers());
    BigDecimal sum = sum();
    BigDecimal scaled = n.multiply(squares()).subtract(sum.multiply(sum));
    return OptionalDouble.of(scaled.round(DIGITS).sqrt(DIGITS).divide(n, DIGITS).doubleValue());
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
