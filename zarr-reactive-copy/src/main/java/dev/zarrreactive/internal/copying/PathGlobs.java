package dev.zarrreactive.internal.copying;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A choice among paths of nodes. {@code *} stands for a part of a name, {@code ?} for one
 * character, {@code **} for any number of names; a glob matches everything below, too.
 */
public final class PathGlobs {
  private final List<Pattern> wanted;
  private final List<Pattern> unwanted;

  /**
   * A choice.
   *
   * @param include globs of the chosen paths; none for all
   * @param exclude globs of the paths that are left out
   */
  public PathGlobs(List<String> include, List<String> exclude) {
    this.wanted = include.stream().map(PathGlobs::pattern).toList();
    this.unwanted = exclude.stream().map(PathGlobs::pattern).toList();
  }

  /** Returns whether a path, relative to that of the globs, is chosen. The root is not empty. */
  public boolean accepts(String path) {
    return !matches(unwanted, path) && (wanted.isEmpty() || matches(wanted, path));
  }

  /** Returns true without globs. */
  public boolean acceptsAll() {
    return wanted.isEmpty() && unwanted.isEmpty();
  }

  /** Returns whether a pattern matches a path, or one of its ancestors below the root. */
  private static boolean matches(List<Pattern> patterns, String path) {
    for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      String above = path.substring(0, end);
      if (patterns.stream().anyMatch(pattern -> pattern.matcher(above).matches())) {
        return true;
      }
    }
    return false;
  }

  private static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    String text = glob.replaceAll("^/+|/+$", "");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (text.startsWith("**/", i)) {
        regex.append("(?:.*/)?");
        i += 2;
      } else if (text.startsWith("**", i)) {
        regex.append(".*");
        i++;
      } else if (c == '*' || c == '?') {
        regex.append(c == '*' ? "[^/]*" : "[^/]");
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
