package dev.zarrreactive.store;

/** The rule for what may stand between the slashes of keys and prefixes. */
final class Segments {
  private Segments() {}

  static void check(String path, String what) {
    if (path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(what + " holds a NUL character: " + printable(path));
    }
    int start = 0;
    while (start <= path.length()) {
      int end = path.indexOf('/', start);
      end = end < 0 ? path.length() : end;
      String segment = path.substring(start, end);
      if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
        throw new IllegalArgumentException(
            what + " has the segment \"" + segment + "\": \"" + path + "\"");
      }
      start = end + 1;
    }
  }

  private static String printable(String path) {
    return '"' + path.replace("\0", "\\0") + '"';
  }
}
