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
    int fraction = 0;
    if (atPoint) {
      fraction = texts.stream().mapToInt(Cells::fraction).max().orElse(0);
    }
    int width = 0;
    for (String text : texts) {
      width = Math.max(width, text.length() + padding(text, fraction));
    }
    int cellWidth = width;
    int cellFraction = fraction;
    return texts.stream()
        .map(text -> text + " ".repeat(padding(text, cellFraction)))
        .map(text -> " ".repeat(cellWidth - text.length()) + text)
        .toList();
  }

  /** How much to pad on the right; texts without a point stay at the right edge. */
  private static int padding(String text, int fraction) {
    return text.contains(".") ? Math.max(0, fraction - fraction(text)) : 0;
  }

  /** The characters after the decimal point. */
  private static int fraction(String text) {
    int point = text.indexOf('.');
    return point < 0 ? 0 : text.length() - point - 1;
  }
}
