package dev.zarrreactive.partition;

import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * The values of a coordinate of one dimension, on which conditions are decided before anything is
 * read: by halves where they ascend or descend, one by one elsewhere. An engine says how its values
 * compare, so that NULL, NaN and texts are ordered as the engine orders them. Immutable.
 */
public final class CoordinateColumn {
  private final int size;
  private final IndexRanges nulls;
  private final Order order;
  private final IntPredicate isNull;
  private final Values values;

  /** The order of an engine, of the values at two positions. */
  @FunctionalInterface
  public interface Values {
    /** Compares the values at two positions, of which neither is NULL. */
    int compare(int position, int other);
  }

  private enum Order {
    ASCENDING,
    DESCENDING,
    NONE
  }

  private CoordinateColumn(int size, IntPredicate isNull, Values values) {
    this.size = size;
    this.isNull = isNull;
    this.nulls = IndexRanges.where(size, isNull);
    this.values = values;
    this.order = nulls.isEmpty() ? order(size, values) : Order.NONE;
  }

  /**
   * Creates a column.
   *
   * @param size the number of values
   * @param isNull true for positions without a value
   * @param values the order of the values
   */
  public static CoordinateColumn of(int size, IntPredicate isNull, Values values) {
    return new CoordinateColumn(size, isNull, values);
  }

  private static Order order(int size, Values values) {
    boolean ascends = true;
    boolean descends = true;
    for (int i = 1; i < size && (ascends || descends); i++) {
      int compared = values.compare(i - 1, i);
      ascends &= compared <= 0;
      descends &= compared >= 0;
    }
    return ascends ? Order.ASCENDING : descends ? Order.DESCENDING : Order.NONE;
  }

  /** The positions without a value. */
  public IndexRanges nulls() {
    return nulls;
  }

  /** Returns the positions for which {@code IS NULL} is true, and those for which it is false. */
  public Truth isNull() {
    return new Truth(nulls, nulls.complement(size));
  }

  /** Returns true if the values ascend or descend, and none is NULL. */
  public boolean isSorted() {
    return order != Order.NONE;
  }

  /**
   * Decides a comparison with a constant.
   *
   * @param compare compares the value at a position with the constant
   * @param isLess the result where the value is less than the constant
   * @param isEqual the result where both are equal
   * @param isGreater the result where the value is greater
   */
  public Truth decide(
      IntUnaryOperator compare, boolean isLess, boolean isEqual, boolean isGreater) {
    IndexRanges found;
    if (order == Order.NONE) {
      IndexRanges known = nulls.complement(size);
      found =
          IndexRanges.where(
                  size,
                  i -> {
                    int compared = isNull.test(i) ? 0 : compare.applyAsInt(i);
                    return compared < 0 ? isLess : compared > 0 ? isGreater : isEqual;
                  })
              .and(known);
    } else {
      int sign = order == Order.ASCENDING ? 1 : -1;
      int equal = first(i -> sign * Integer.signum(compare.applyAsInt(i)) >= 0);
      int after = first(i -> sign * Integer.signum(compare.applyAsInt(i)) > 0);
      boolean before = sign > 0 ? isLess : isGreater;
      boolean behind = sign > 0 ? isGreater : isLess;
      found =
          (before ? IndexRanges.of(0, equal) : IndexRanges.none())
              .or(isEqual ? IndexRanges.of(equal, after) : IndexRanges.none())
              .or(behind ? IndexRanges.of(after, size) : IndexRanges.none());
    }
    return new Truth(found, found.or(nulls).complement(size));
  }

  private int first(IntPredicate isReached) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isReached.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Returns the position of the least value among {@code indices}; empty if none has a value. */
  public OptionalInt least(IndexRanges indices) {
    return extreme(indices, 1);
  }

  /** Returns the position of the greatest value among {@code indices}; empty without a value. */
  public OptionalInt greatest(IndexRanges indices) {
    return extreme(indices, -1);
  }

  private OptionalInt extreme(IndexRanges indices, int sign) {
    IndexRanges known = indices.and(nulls.complement(size));
    int best = -1;
    for (int run = 0; run < known.runs(); run++) {
      for (int i = (int) known.start(run); i < known.stop(run); i++) {
        best = best < 0 || sign * Integer.signum(values.compare(i, best)) < 0 ? i : best;
      }
    }
    return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
  }
}
