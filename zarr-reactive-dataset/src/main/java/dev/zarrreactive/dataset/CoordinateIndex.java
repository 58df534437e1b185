package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.InvalidInputException;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The values of a coordinate of one dimension, in which labels are looked up: by halves where they
 * ascend or descend, one by one elsewhere.
 *
 * @param <K> the labels, in the form of the values
 */
abstract class CoordinateIndex<K> {
  private final String name;
  private @Nullable Order order;

  CoordinateIndex(String name) {
    this.name = name;
  }

  private enum Order {
    ASCENDING,
    DESCENDING,
    NONE
  }

  /**
   * A label, which may be a period of time.
   *
   * @param low the first moment
   * @param high the last one
   * @param isOpen true if the last one is outside
   * @param isPeriod true if all values inside have the label
   */
  record Interval<K>(K low, K high, boolean isOpen, boolean isPeriod) {
    static <K> Interval<K> of(K key) {
      return new Interval<>(key, key, false, false);
    }
  }

  abstract int size();

  /** Compares the value at a position with a label. */
  abstract int compare(int position, K key);

  /** Compares two values; 0 for those that have no order, too. */
  abstract int compareValues(int position, int other);

  /** Returns true for a value such as NaN that has no order. */
  abstract boolean isMissing(int position);

  /** Returns false for values such as texts and truth values, of which none is near to another. */
  boolean hasDistances() {
    return true;
  }

  /** Returns the distance of a value from a label, without a sign. */
  abstract double distance(int position, K key);

  /** Returns the distance of two values, without a sign. */
  abstract double between(int position, int other);

  /** Returns the distance that a tolerance stands for. */
  abstract double tolerance(Object tolerance);

  /** Returns a label in the form of the values. */
  abstract Interval<K> interval(Object label);

  /** Returns a label that may be between the values. */
  K exactly(Object label) {
    return interval(label).low();
  }

  /**
   * Returns labels as the values of a coordinate.
   *
   * @throws InvalidInputException for a label of another kind
   */
  Variable labels(Variable coordinate, List<?> labels) {
    double[] values = new double[labels.size()];
    for (int i = 0; i < values.length; i++) {
      if (!(labels.get(i) instanceof Number number)) {
        throw refused(labels.get(i), "values between numbers have numbers as labels");
      }
      values[i] = number.doubleValue();
    }
    return new Variable(
        coordinate.name(),
        coordinate.plainAttributes(),
        new MemoryValues(
            coordinate.dimensions(), NdArray.ofDoubles(Shape.of(values.length), values), null));
  }

  /** Returns a value as text. */
  abstract String text(int position);

  final InvalidInputException refused(Object label, String why) {
    return new InvalidInputException(
        "the coordinate " + name + " has no label " + label + ": " + why);
  }

  private Order order() {
    Order known = order;
    if (known == null) {
      known = findOrder();
      order = known;
    }
    return known;
  }

  private Order findOrder() {
    boolean ascends = true;
    boolean descends = true;
    for (int i = 0; i < size(); i++) {
      if (isMissing(i)) {
        return Order.NONE;
      }
      if (i > 0) {
        int compared = compareValues(i - 1, i);
        ascends &= compared <= 0;
        descends &= compared >= 0;
      }
    }
    return ascends ? Order.ASCENDING : descends ? Order.DESCENDING : Order.NONE;
  }

  /** Returns the positions of a label: one index, or several where the label has several values. */
  final Axis exact(Object label) {
    Interval<K> interval = interval(label);
    Axis found =
        order() == Order.NONE
            ? new Axis.Indices(
                LongStream.range(0, size()).filter(i -> isIn((int) i, interval)).toArray())
            : within(interval, interval);
    if (found.count() == 1 && !interval.isPeriod()) {
      long only =
          found instanceof Axis.Range range ? range.start() : ((Axis.Indices) found).index(0);
      return new Axis.Range(only, 1, 1, true);
    }
    boolean isOutside = interval.isPeriod() && (size() == 0 || !isBetweenFirstAndLast(interval));
    if (found.count() == 0 && (!interval.isPeriod() || isOutside)) {
      throw refused(label, around(interval.low()));
    }
    return found;
  }

  private boolean isBetweenFirstAndLast(Interval<K> period) {
    int first = order() == Order.DESCENDING ? size() - 1 : 0;
    int last = size() - 1 - first;
    return compare(first, period.high()) < 0 && compare(last, period.low()) >= 0;
  }

  private boolean isIn(int position, Interval<K> interval) {
    if (isMissing(position)) {
      return false;
    }
    int high = compare(position, interval.high());
    return compare(position, interval.low()) >= 0 && (interval.isOpen() ? high < 0 : high <= 0);
  }

  private String around(K key) {
    if (size() == 0) {
      return "the dimension is empty";
    } else if (order() == Order.NONE) {
      return "it has " + size() + " values without an order, the first is " + text(0);
    }
    String ends = "its values go from " + text(0) + " to " + text(size() - 1);
    return hasDistances()
        ? "the nearest is " + text(nearest(key)) + ", which LabelMethod.NEAREST finds; " + ends
        : ends;
  }

  /** Returns the positions of several labels that a method finds, in their order. */
  final Axis find(List<?> labels, LabelMethod method, @Nullable Object tolerance) {
    return new Axis.Indices(
        labels.stream().mapToLong(label -> position(label, method, tolerance)).toArray());
  }

  /** Returns the only position of a label that a method finds. */
  final long position(Object label, LabelMethod method, @Nullable Object tolerance) {
    if (find(label, method, tolerance) instanceof Axis.Range range && range.dropped()) {
      return range.start();
    }
    throw refused(label, "several values have it; in a list each label has one");
  }

  /**
   * Returns the two positions around a label.
   *
   * @throws InvalidInputException for values without an order or without distances
   */
  final InterpolatedValues.Place place(Object label) {
    if (order() == Order.NONE || !hasDistances()) {
      throw refused(label, "interpolation needs numbers or times that ascend or descend");
    }
    int equal = pad(interval(label).low());
    if (equal >= 0 && compare(equal, interval(label).low()) == 0) {
      return new InterpolatedValues.Place(equal, equal, 0, 0);
    }
    K key = exactly(label);
    int before = pad(key);
    int after = backfill(key);
    if (before < 0 || after < 0) {
      return InterpolatedValues.Place.OUTSIDE;
    }
    int lower = order() == Order.ASCENDING ? before : after;
    int upper = order() == Order.ASCENDING ? after : before;
    return new InterpolatedValues.Place(lower, upper, distance(lower, key), between(lower, upper));
  }

  /** Returns the position of the value that a method finds. */
  final Axis find(Object label, LabelMethod method, @Nullable Object tolerance) {
    if (method == LabelMethod.EXACT) {
      return exact(label);
    }
    if (order() == Order.NONE) {
      throw refused(label, "LabelMethod." + method + " needs values that ascend or descend");
    }
    if (!hasDistances() && (method == LabelMethod.NEAREST || tolerance != null)) {
      throw refused(label, "its values have no distances");
    }
    K key = interval(label).low();
    int found =
        switch (method) {
          case PAD -> pad(key);
          case BACKFILL -> backfill(key);
          default -> size() == 0 ? -1 : nearest(key);
        };
    if (found < 0 || (tolerance != null && distance(found, key) > tolerance(tolerance))) {
      throw refused(
          label, found < 0 ? "none is " + method.side() : "the nearest is " + text(found));
    }
    return new Axis.Range(found, 1, 1, true);
  }

  /** Returns the last position up to a label, in the order of the values; -1 for none. */
  private int pad(K key) {
    return first(key, true) - 1;
  }

  /** Returns the first position from a label on, in the order of the values; -1 for none. */
  private int backfill(K key) {
    int found = first(key, false);
    return found == size() ? -1 : found;
  }

  /** Returns the nearest value; of two the greater one. */
  private int nearest(K key) {
    int before = pad(key);
    int after = backfill(key);
    if (before < 0 || after < 0) {
      return Math.max(before, after);
    }
    int compared = Double.compare(distance(before, key), distance(after, key));
    return compared < 0 || (compared == 0 && order() == Order.DESCENDING) ? before : after;
  }

  /**
   * Returns the first position whose value has reached a label in the order of the values.
   *
   * @param isPast true for the first one that is past it
   */
  private int first(K key, boolean isPast) {
    int sign = order() == Order.DESCENDING ? -1 : 1;
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      int compared = sign * Integer.signum(compare(middle, key));
      if (compared < 0 || (compared == 0 && isPast)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the positions from one label to another, both included; null for no end. */
  final Axis range(@Nullable Object from, @Nullable Object to) {
    Interval<K> first = from == null ? null : interval(from);
    Interval<K> last = to == null ? null : interval(to);
    if (order() == Order.NONE) {
      long start = from == null ? 0 : only(from);
      long stop = to == null ? size() : only(to) + 1;
      return new Axis.Range(start, Math.max(0, stop - start), 1, false);
    }
    return within(first, last);
  }

  private Axis within(@Nullable Interval<K> from, @Nullable Interval<K> to) {
    int start = 0;
    int stop = size();
    if (order() == Order.ASCENDING) {
      start = from == null ? 0 : first(from.low(), false);
      stop = to == null ? stop : first(to.high(), !to.isOpen());
    } else {
      start = from == null ? 0 : first(from.high(), from.isOpen());
      stop = to == null ? stop : first(to.low(), true);
    }
    return new Axis.Range(start, Math.max(0, stop - start), 1, false);
  }

  private long only(Object label) {
    if (exact(label) instanceof Axis.Range range && range.dropped()) {
      return range.start();
    }
    throw refused(label, "several values have it, without an order");
  }
}
