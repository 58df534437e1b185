package dev.zarrreactive.cli.console;

/** Makes text from outside harmless for a terminal. */
public final class Printable {
  /** The joiners of scripts and of emoji change how their neighbours look, and nothing else. */
  private static final int ZERO_WIDTH_NON_JOINER = 0x200c;

  private static final int ZERO_WIDTH_JOINER = 0x200d;

  private Printable() {}

  /**
   * Returns {@code text} with its control characters spelled out, for example {@code \}{@code
   * u001b}: names in a store may hold sequences that a terminal obeys. So are invisible characters,
   * characters that change the order of others, such as {@code \}{@code u202e}, and unpaired
   * surrogates.
   */
  public static String of(String text) {
    if (text.codePoints().noneMatch(Printable::isUnseen)) {
      return text;
    }
    StringBuilder result = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isUnseen(c)) {
                for (char unit : Character.toChars(c)) {
                  result.append(String.format("\\u%04x", (int) unit));
                }
              } else {
                result.appendCodePoint(c);
              }
            });
    return result.toString();
  }

  private static boolean isUnseen(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          c != ZERO_WIDTH_JOINER && c != ZERO_WIDTH_NON_JOINER;
      default -> false;
    };
  }

  /** Returns a text of at most that length, whose end is left out where it is longer. */
  public static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, Math.max(0, length - 3)) + "...";
  }

  /** Does the same as {@link #of}, and keeps the ends of lines and the tabs of a stack trace. */
  public static String lines(String text) {
    StringBuilder result = new StringBuilder(text.length() + 16);
    for (String line : text.split("\\R", -1)) {
      String separator = "";
      for (String part : line.split("\t", -1)) {
        result.append(separator).append(of(part));
        separator = "\t";
      }
      result.append('\n');
    }
    result.setLength(Math.max(0, result.length() - 1));
    return result.toString();
  }
}
