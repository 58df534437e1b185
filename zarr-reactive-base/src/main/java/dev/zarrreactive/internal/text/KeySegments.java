package dev.zarrreactive.internal.text;

/** The rule for what may stand between the slashes of keys and prefixes. */
public final class KeySegments {
  private KeySegments() {}

  public static void check(String path, String what) {
    if (path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(what + " holds a NUL character: " + printable(path));
    }
    int surrogate = loneSurrogate(path);
    if (surrogate >= 0) {
      throw new IllegalArgumentException(
          what
              + " holds half of a character (a lone surrogate) at index "
              + surrogate
              + ", which UTF-8 cannot hold: "
              + printable(path));
    }
    int start = 0;
    while (start <= path.length()) {
      int end = path.indexOf('/', start);
      end = end < 0 ? path.length() : end;
      if (isRelative(path, start, end)) {
        throw new IllegalArgumentException(
            what + " has the segment \"" + path.substring(start, end) + "\": \"" + path + "\"");
      }
      start = end + 1;
    }
  }

  /** The index of the first surrogate without its other half; -1 where there is none. */
  public static int loneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean isPair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
        if (!isPair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  /** Returns true for a segment that is empty, {@code .} or {@code ..}. */
  private static boolean isRelative(String path, int start, int end) {
    return end - start <= 2
        && (end == start || path.charAt(start) == '.')
        && (end - start < 2 || path.charAt(start + 1) == '.');
  }

  private static String printable(String path) {
    StringBuilder shown = new StringBuilder("\"");
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == 0) {
        shown.append("\\0");
      } else if (Character.isSurrogate(c)) {
        shown.append(String.format("\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return shown.append('"').toString();
  }
}
