package dev.zarrreactive.array;

import java.util.List;

/** Texts brought to one width. */
final class Cells {
  private Cells() {}

  /**
   * Pads the texts on the left.
   *
   * @param atPoint true to bring decimal points under each other, by padding on both sides
   */
  static List<String> align(List<String> texts, boolean atPoint) {
    int fraction =
        atPoint
            ? texts.stream().filter(Cells::isPlain).mapToInt(Cells::fraction).max().orElse(0)
            : 0;
    List<String> even = texts.stream().map(text -> padRight(text, fraction)).toList();
    int width = even.stream().mapToInt(String::length).max().orElse(0);
    return even.stream().map(text -> " ".repeat(width - text.length()) + text).toList();
  }

  /** False for what stays at the right edge: exponents, infinities and NaN. */
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
