package dev.zarrreactive.internal.text;

import java.util.List;

/** Aligns the columns of a printed array. */
public final class ColumnAligner {
  private ColumnAligner() {}

  /**
   * Pads the texts to one width, on the left.
   *
   * @param atPoint true to align decimal points, with padding on both sides
   */
  public static List<String> align(List<String> texts, boolean atPoint) {
    int fraction =
        atPoint
            ? texts.stream()
                .filter(ColumnAligner::isPlain)
                .mapToInt(ColumnAligner::fraction)
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
