package dev.zarrreactive.cli.console;

/** Makes text from outside harmless for a terminal. */
public final class Printable {
  private Printable() {}

  /**
   * Returns {@code text} with its control characters spelled out, for example {@code \}{@code
   * u001b}: names in a store may hold sequences that a terminal obeys. Unpaired surrogates, which
   * no terminal can show, are spelled out too.
   */
  public static String of(String text) {
    if (text.chars().noneMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c))) {
      return text;
    }
    StringBuilder result = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isPair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
      if (isPair) {
        result.append(c).append(text.charAt(++i));
      } else if (Character.isISOControl(c) || Character.isSurrogate(c)) {
        result.append(String.format("\\u%04x", (int) c));
      } else {
        result.append(c);
      }
    }
    return result.toString();
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
