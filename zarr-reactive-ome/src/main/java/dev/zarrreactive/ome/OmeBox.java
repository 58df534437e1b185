package dev.zarrreactive.ome;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A box whose sides are along the axes of a system of coordinates. Both ends belong to it.
 *
 * @param from the least coordinate along each axis; negative infinity without an end
 * @param to the greatest coordinate along each axis; infinity without an end
 */
public record OmeBox(List<Double> from, List<Double> to) {
  /**
   * Checks the ends.
   *
   * @throws IllegalArgumentException if the lists differ in length, or if an end is NaN or is below
   *     the other one
   */
  public OmeBox {
    from = List.copyOf(from);
    to = List.copyOf(to);
    boolean isBox = from.size() == to.size();
    for (int d = 0; isBox && d < from.size(); d++) {
      isBox = from.get(d) <= to.get(d);
    }
    if (!isBox) {
      throw new IllegalArgumentException(
          "a box has two rising ends along each axis: from " + from + " to " + to);
    }
  }

  /** Returns the box of all points of a system with {@code rank} axes. */
  public static OmeBox all(int rank) {
    return new OmeBox(
        Collections.nCopies(rank, Double.NEGATIVE_INFINITY),
        Collections.nCopies(rank, Double.POSITIVE_INFINITY));
  }

  /**
   * Returns this box with other ends along an axis.
   *
   * @throws IndexOutOfBoundsException for an axis that the box lacks
   * @throws IllegalArgumentException as the constructor
   */
  public OmeBox range(int axis, double least, double greatest) {
    List<Double> lower = new ArrayList<>(from);
    List<Double> upper = new ArrayList<>(to);
    lower.set(axis, least);
    upper.set(axis, greatest);
    return new OmeBox(lower, upper);
  }

  static OmeBox of(double[] from, double[] to) {
    return new OmeBox(list(from), list(to));
  }

  static List<Double> list(double[] numbers) {
    List<Double> list = new ArrayList<>(numbers.length);
    for (double number : numbers) {
      list.add(number);
    }
    return list;
  }
}
