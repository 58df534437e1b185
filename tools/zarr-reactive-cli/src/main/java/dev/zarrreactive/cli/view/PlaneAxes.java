package dev.zarrreactive.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The coordinates beside a picture, as it is drawn: the rows from the top, the columns from the
 * left.
 *
 * @param rows null for rows without coordinates
 * @param columns null for columns without coordinates
 */
record PlaneAxes(@Nullable PlaneAxis rows, @Nullable PlaneAxis columns) {
  /** The axes of a picture without coordinates. */
  static final PlaneAxes NONE = new PlaneAxes(null, null);

  /** The narrowest picture that leaves room for labels. */
  private static final int LEAST_WIDTH = 24;

  /** Returns true if the last row is above: the north. */
  boolean isTurned() {
    return rows != null && rows.risesNorthward();
  }

  /** Returns the axes of a picture whose last row is above, where it is. */
  PlaneAxes drawn() {
    return rows != null && rows.risesNorthward() ? new PlaneAxes(rows.turned(), columns) : this;
  }

  /** Returns how many characters the labels beside the rows take. */
  int margin() {
    return rows == null
        ? 0
        : 1 + Math.max(rows.ends().get(0).length(), rows.ends().get(1).length());
  }

  /** Returns how many lines the labels below the picture take. */
  int lines() {
    return columns == null ? 0 : 1;
  }

  /** Adds the labels of the ends to the lines of a picture. */
  List<String> beside(List<String> picture, int width) {
    List<String> lines = new ArrayList<>(picture);
    if (rows != null && lines.size() > 1) {
      lines.set(0, lines.get(0) + " " + rows.ends().get(0));
      int last = lines.size() - 1;
      lines.set(last, lines.get(last) + " " + rows.ends().get(1));
    }
    if (columns != null) {
      String left = columns.ends().get(0);
      String right = columns.ends().get(1);
      int gap = Math.max(1, Math.max(width, LEAST_WIDTH) - left.length() - right.length());
      lines.add(left + " ".repeat(gap) + right);
    }
    return lines;
  }

  /** Returns both as text for a legend; empty for none. */
  @Override
  public String toString() {
    return Stream.of(rows, columns)
        .filter(Objects::nonNull)
        .map(PlaneAxis::toString)
        .collect(Collectors.joining(", "));
  }
}
