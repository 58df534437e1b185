package dev.zarrreactive.array;

import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.internal.element.Elements;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Prints an array as NumPy does: nested brackets, aligned columns, long rows wrapped. Of more than
 * 1000 elements it shows the first and the last few of each dimension.
 */
final class NdArrayPrinter {
  private static final int MOST_ELEMENTS = 1000;

  /**
   * The maximum number of nested brackets. An array of a higher rank is printed with one dimension.
   */
  static final int MOST_DIMENSIONS = 32;

  private static final int LINE = 80;
  private static final int GAP = -1;
  private static final String DOTS = "...";

  private final Elements elements;
  private final Layout layout;
  private final Shape shape;

  /** The number of elements before and after the gap. */
  private int lead = Integer.MAX_VALUE;

  private int trail;

  private final StringBuilder out = new StringBuilder();

  private NdArrayPrinter(Elements elements, Layout layout) {
    this.elements = elements;
    this.layout = layout;
    this.shape = layout.shape();
    if (shape.elementCountUpTo(MOST_ELEMENTS + 1) > MOST_ELEMENTS) {
      lead = 3;
      trail = 3;
      while (lead + trail > 1 && shownElements() > MOST_ELEMENTS) {
        trail--;
        lead = Math.max(trail, 1);
      }
    }
  }

  /** Returns the lines of the array without a header. */
  static String print(Elements elements, Layout layout) {
    if (layout.shape().isEmpty()) {
      return "[]";
    }
    NdArrayPrinter printer = new NdArrayPrinter(elements, layout);
    List<String> texts = new ArrayList<>();
    printer.collect(0, layout.first(), texts);
    List<String> cells =
        elements.inColumns() ? align(texts, elements.dataType() instanceof FloatType) : texts;
    printer.print(0, cells.iterator());
    return printer.out.toString();
  }

  private double shownElements() {
    double count = 1;
    for (int dimension = 0; dimension < shape.rank(); dimension++) {
      count *= Math.min(shape.extent(dimension), lead + trail);
    }
    return count;
  }

  /** Returns the indices of a dimension to show, with {@link #GAP} in place of the others. */
  private long[] indices(int dimension) {
    long extent = shape.extent(dimension);
    return extent <= (long) lead + trail
        ? LongStream.range(0, extent).toArray()
        : LongStream.concat(
                LongStream.concat(LongStream.range(0, lead), LongStream.of(GAP)),
                LongStream.range(extent - trail, extent))
            .toArray();
  }

  /**
   * Adds the texts of the elements to show, in C order.
   *
   * @param number the number of the first element at the indices of the outer dimensions
   */
  private void collect(int dimension, long number, List<String> texts) {
    if (dimension == shape.rank()) {
      texts.add(elements.text((int) number));
      return;
    }
    for (long index : indices(dimension)) {
      if (index != GAP) {
        collect(dimension + 1, number + index * layout.stride(dimension), texts);
      }
    }
  }

  private void print(int dimension, Iterator<String> cells) {
    int inner = shape.rank() - dimension - 1;
    if (inner < 0) {
      out.append(cells.next());
      return;
    }
    out.append('[');
    String separator = "";
    for (long index : indices(dimension)) {
      out.append(separator);
      if (inner == 0) {
        printCell(index == GAP ? DOTS : cells.next(), dimension);
        separator = " ";
      } else {
        if (index == GAP) {
          out.append(DOTS);
        } else {
          print(dimension + 1, cells);
        }
        separator = "\n".repeat(inner) + " ".repeat(dimension + 1);
      }
    }
    out.append(']');
  }

  /** Appends a cell to the row, on a new line if the current one is full. */
  private void printCell(String cell, int dimension) {
    int column = out.length() - out.lastIndexOf("\n") - 1;
    if (column + cell.length() >= LINE && column > dimension + 1) {
      out.setLength(out.length() - 1); // the separator
      out.append('\n').append(" ".repeat(dimension + 1));
    }
    out.append(cell);
  }

  /**
   * Pads the texts to one width, on the left.
   *
   * @param atPoint true to align decimal points, with padding on both sides
   */
  private static List<String> align(List<String> texts, boolean atPoint) {
    int fraction =
        atPoint
            ? texts.stream()
                .filter(NdArrayPrinter::isPlain)
                .mapToInt(NdArrayPrinter::fraction)
                .max()
                .orElse(0)
            : 0;
    List<String> even = texts.stream().map(text -> padRight(text, fraction)).toList();
    int width = even.stream().mapToInt(String::length).max().orElse(0);
    return even.stream().map(text -> " ".repeat(width - text.length()) + text).toList();
  }

  /** Returns false for exponents, infinities and NaN, which stay at the right edge. */
  private static boolean isPlain(String text) {
    return text.contains(".") && !text.contains("e");
  }

  private static String padRight(String text, int fraction) {
    return isPlain(text) ? text + " ".repeat(Math.max(0, fraction - fraction(text))) : text;
  }

  /** The number of characters after the decimal point. */
  private static int fraction(String text) {
    return text.length() - text.indexOf('.') - 1;
  }
}
