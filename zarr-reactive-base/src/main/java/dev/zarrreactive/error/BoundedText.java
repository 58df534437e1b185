package dev.zarrreactive.error;

/**
 * A message for people, in which a long word or list is cut. Messages repeat what documents hold,
 * and a hostile document may hold names of megabytes and lists of millions.
 */
final class BoundedText {
  /** The length up to which a text stays as it is. */
  private static final int SHORT = 500;

  /** The maximum number of characters of a text. */
  private static final int LONGEST = 4_000;

  private static final int LONGEST_WORD = 200;

  /** The entries of a list that are shown, besides the last one: the names of all data types. */
  private static final int ENTRIES = 64;

  private BoundedText() {}

  static String of(String text) {
    if (text.length() <= SHORT) {
      return text;
    }
    StringBuilder bounded = new StringBuilder();
    int entries = 0;
    int from = 0;
    while (from < text.length() && bounded.length() <= LONGEST) {
      int space = text.indexOf(' ', from);
      int end = space < 0 ? text.length() : space;
      boolean isEntry = end > from && text.charAt(end - 1) == ',';
      if (!isEntry && entries > ENTRIES) {
        bounded.append("... ").append(entries - ENTRIES).append(" more, ");
      }
      entries = isEntry ? entries + 1 : 0;
      if (entries <= ENTRIES) {
        bounded.append(cut(text.substring(from, end), LONGEST_WORD));
        bounded.append(space < 0 ? "" : " ");
      }
      from = end + 1;
    }
    return cut(bounded.toString(), LONGEST);
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + "...";
  }
}
