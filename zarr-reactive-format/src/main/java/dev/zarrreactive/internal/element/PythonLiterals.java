package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import java.util.Locale;

/** Formats texts and byte strings as literals of Python, and cuts long ones. */
final class PythonLiterals {
  private static final int SHOWN = 64;

  private PythonLiterals() {}

  /** Returns a text. Invalid code points become escapes. */
  static String text(int[] codePoints) {
    StringBuilder quoted = new StringBuilder("'");
    for (int i = 0; i < Math.min(codePoints.length, SHOWN); i++) {
      append(codePoints[i], quoted);
    }
    return quoted.append(codePoints.length > SHOWN ? "'..." : "'").toString();
  }

  /** Returns a byte string, with letters for the bytes of ASCII. */
  static String bytes(Bytes bytes) {
    byte[] shown = bytes.slice(0, Math.min(bytes.size(), SHOWN)).toByteArray();
    StringBuilder quoted = new StringBuilder("b'");
    for (byte b : shown) {
      if (b < 0) {
        quoted.append(escape("\\x%02x", b & 0xff));
      } else {
        append(b, quoted);
      }
    }
    return quoted.append(bytes.size() > SHOWN ? "'..." : "'").toString();
  }

  private static void append(int codePoint, StringBuilder quoted) {
    switch (codePoint) {
      case '\'', '\\' -> quoted.append('\\').append((char) codePoint);
      case '\n' -> quoted.append("\\n");
      case '\r' -> quoted.append("\\r");
      case '\t' -> quoted.append("\\t");
      default -> {
        if (isPrintable(codePoint)) {
          quoted.appendCodePoint(codePoint);
        } else if (codePoint >>> Byte.SIZE == 0) {
          quoted.append(escape("\\x%02x", codePoint));
        } else {
          quoted.append(escape(codePoint >>> Short.SIZE == 0 ? "\\u%04x" : "\\U%08x", codePoint));
        }
      }
    }
  }

  private static boolean isPrintable(int codePoint) {
    return Character.isValidCodePoint(codePoint)
        && Character.isDefined(codePoint)
        && !Character.isISOControl(codePoint)
        && Character.getType(codePoint) != Character.SURROGATE;
  }

  private static String escape(String format, int number) {
    return String.format(Locale.ROOT, format, number);
  }
}
