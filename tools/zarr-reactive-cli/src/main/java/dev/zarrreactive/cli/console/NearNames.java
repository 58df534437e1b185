package dev.zarrreactive.cli.console;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Names that a user may have meant. */
public final class NearNames {
  /** The most letters by which a name differs from one that is suggested. */
  private static final int MOST_EDITS = 2;

  /** The most names that are listed. */
  private static final int MOST_LISTED = 20;

  private NearNames() {}

  /** Returns the names that are near to a word, the nearest first: case does not count. */
  public static List<String> of(String word, Collection<String> names) {
    String plain = word.toLowerCase(Locale.ROOT);
    int most = Math.min(MOST_EDITS, Math.max(1, (plain.length() - 1) / 2));
    return names.stream()
        .filter(name -> edits(plain, name.toLowerCase(Locale.ROOT)) <= most)
        .sorted(Comparator.comparingInt(name -> edits(plain, name.toLowerCase(Locale.ROOT))))
        .limit(3)
        .toList();
  }

  /** Returns {@code " (did you mean a or b?)"}, or nothing without a near name. */
  public static String question(String word, Collection<String> names) {
    List<String> near = of(word, names);
    return near.isEmpty() ? "" : " (did you mean " + String.join(" or ", near) + "?)";
  }

  /** Returns the names with commas, some of many. */
  public static String listed(Collection<String> names) {
    return names.stream().limit(MOST_LISTED).collect(Collectors.joining(", "))
        + (names.size() > MOST_LISTED ? " and " + (names.size() - MOST_LISTED) + " more" : "");
  }

  /** Returns the Levenshtein distance. */
  static int edits(String one, String other) {
    int[] row = IntStream.rangeClosed(0, other.length()).toArray();
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }
}
