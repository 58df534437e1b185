package dev.zarrreactive.array;

import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.internal.element.Elements;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.DoubleSummaryStatistics;
import java.util.OptionalDouble;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The least, the greatest and the mean element, of those that are numbers. */
final class NdArrayStatistics {
  /** Enough digits that the quotient of integers is rounded to a double as if exact. */
  private static final MathContext DIGITS = new MathContext(60);

  /** Kinds of elements that have an order. */
  private enum Kind {
    INTEGER,
    UINT64,
    FLOAT,
    TIME
  }

  private final Elements elements;
  private final Layout layout;
  private final @Nullable FillValue skipped;
  private final Kind kind;

  /**
   * Creates the statistics of an array.
   *
   * @param skipped the elements to skip besides NaN and NaT, or null
   */
  NdArrayStatistics(NdArray array, @Nullable FillValue skipped) {
    this.elements = array.elements;
    this.layout = array.layout();
    this.skipped = skipped;
    if (array.dataType() instanceof IntegerType) {
      kind = array.dataType().equals(DataTypes.UINT64) ? Kind.UINT64 : Kind.INTEGER;
    } else if (array.dataType() instanceof FloatType) {
      kind = Kind.FLOAT;
    } else if (array.dataType() instanceof TimeType) {
      kind = Kind.TIME;
    } else {
      throw new UnsupportedOperationException(
          array.dataType() + " has no order; integers, floats and times do");
    }
    if (skipped != null && !skipped.dataType().equals(array.dataType())) {
      throw new IllegalArgumentException(
          "a fill value of " + skipped.dataType() + " for an array of " + array.dataType());
    }
  }

  private void forEachNumber(IntConsumer action) {
    layout.forEachRow(
        (first, stride, count) -> {
          for (int i = 0; i < count; i++) {
            int element = first + i * stride;
            if (isNumber(element) && (skipped == null || !elements.is(skipped, element))) {
              action.accept(element);
            }
          }
        });
  }

  private boolean isNumber(int element) {
    return switch (kind) {
      case FLOAT -> !Double.isNaN(elements.doubleAt(element));
      case TIME -> elements.longAt(element) != TimeType.NAT;
      default -> true;
    };
  }

  private boolean isLess(int one, int other) {
    return switch (kind) {
      case INTEGER, TIME -> elements.longAt(one) < elements.longAt(other);
      case UINT64 ->
          Long.compareUnsigned(elements.unsignedLongAt(one), elements.unsignedLongAt(other)) < 0;
      case FLOAT -> Double.compare(elements.doubleAt(one), elements.doubleAt(other)) < 0;
    };
  }

  /** Returns the number of the first least element in the memory, or -1. */
  int least() {
    int[] least = {-1};
    forEachNumber(i -> least[0] = least[0] < 0 || isLess(i, least[0]) ? i : least[0]);
    return least[0];
  }

  /** Returns the number of the first greatest element in the memory, or -1. */
  int greatest() {
    int[] greatest = {-1};
    forEachNumber(i -> greatest[0] = greatest[0] < 0 || isLess(greatest[0], i) ? i : greatest[0]);
    return greatest[0];
  }

  OptionalDouble mean() {
    if (kind == Kind.TIME) {
      throw new UnsupportedOperationException("times have no mean; take that of their counts");
    }
    if (kind == Kind.FLOAT) {
      DoubleSummaryStatistics sum = new DoubleSummaryStatistics(); // compensates rounding
      forEachNumber(i -> sum.accept(elements.doubleAt(i)));
      return sum.getCount() == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum.getAverage());
    }
    Sum sum = new Sum();
    if (kind == Kind.INTEGER) {
      forEachNumber(i -> sum.add(elements.longAt(i), 1));
    } else {
      forEachNumber(i -> addUnsigned(elements.unsignedLongAt(i), sum));
    }
    return sum.mean();
  }

  /** Adds both halves of a {@code uint64} and its lowest bit, each of which is a long. */
  private static void addUnsigned(long value, Sum sum) {
    sum.add(value >>> 1, 0);
    sum.add(value >>> 1, 0);
    sum.add(value & 1, 1);
  }

  /** An exact sum of integers: a long, and what did not fit into it. */
  private static final class Sum {
    private BigInteger carried = BigInteger.ZERO;
    private long sum;
    private long count;

    void add(long value, int elements) {
      long next = sum + value;
      if (((sum ^ next) & (value ^ next)) < 0) {
        carried = carried.add(BigInteger.valueOf(sum));
        next = value;
      }
      sum = next;
      count += elements;
    }

    OptionalDouble mean() {
      if (count == 0) {
        return OptionalDouble.empty();
      }
      BigDecimal exact = new BigDecimal(carried.add(BigInteger.valueOf(sum)));
      return OptionalDouble.of(exact.divide(BigDecimal.valueOf(count), DIGITS).doubleValue());
    }
  }
}
