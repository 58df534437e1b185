package dev.zarrreactive.internal.files;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A literal of Python, as it stands in the header of a NumPy file: a dictionary with texts as keys,
 * tuples, lists, texts, integers and bools. Tuples are lists.
 */
final class PythonLiteral {
  /** The deepest nesting: a struct of structs has two levels for each. */
  private static final int DEEPEST = 64;

  private final String text;
  private int at;

  private PythonLiteral(String text) {
    this.text = text;
  }

  /**
   * Returns the value: a {@link Map}, a {@link List}, a {@link String}, a {@link Long} or a {@link
   * Boolean}.
   *
   * @throws IllegalArgumentException for any other text
   */
  static Object parse(String text) {
    PythonLiteral parser = new PythonLiteral(text);
    Object value = parser.value(0);
    parser.skipSpace();
    if (parser.at < text.length()) {
      throw parser.wrong();
    }
    return value;
  }

  /** Returns the literal of a text, in ASCII. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("'");
    text.codePoints()
        .forEach(
            c -> {
              if (c < ' ' || c > '~' || c == '\'' || c == '\\') {
                quoted.append(String.format(Locale.ROOT, "\\U%08x", c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('\'').toString();
  }

  private Object value(int depth) {
    if (depth > DEEPEST) {
      throw wrong();
    }
    skipSpace();
    char first = peek();
    if (first == '{') {
      return dictionary(depth);
    } else if (first == '(') {
      return list(')', depth);
    } else if (first == '[') {
      return list(']', depth);
    } else if (first == '\'' || first == '"') {
      return string();
    } else if (text.startsWith("True", at)) {
      at += "True".length();
      return true;
    } else if (text.startsWith("False", at)) {
      at += "False".length();
      return false;
    }
    return integer();
  }

  private Map<String, Object> dictionary(int depth) {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    while (!closes('}')) {
      Object key = value(depth + 1);
      skipSpace();
      if (!(key instanceof String name) || peek() != ':') {
        throw wrong();
      }
      at++;
      members.put(name, value(depth + 1));
      separator('}');
    }
    return members;
  }

  private List<Object> list(char end, int depth) {
    List<Object> elements = new ArrayList<>();
    at++;
    while (!closes(end)) {
      elements.add(value(depth + 1));
      separator(end);
    }
    return elements;
  }

  private boolean closes(char end) {
    skipSpace();
    boolean isEnd = peek() == end;
    at += isEnd ? 1 : 0;
    return isEnd;
  }

  private void separator(char end) {
    skipSpace();
    if (peek() == ',') {
      at++;
    } else if (peek() != end) {
      throw wrong();
    }
  }

  private String string() {
    char quote = text.charAt(at++);
    StringBuilder value = new StringBuilder();
    while (peek() != quote) {
      char c = text.charAt(at++);
      if (c == '\\') {
        escape(value);
      } else {
        value.append(c);
      }
    }
    at++;
    return value.toString();
  }

  private void escape(StringBuilder value) {
    char c = peek();
    at++;
    switch (c) {
      case 'n' -> value.append('\n');
      case 'r' -> value.append('\r');
      case 't' -> value.append('\t');
      case 'x' -> value.appendCodePoint(hex(2));
      case 'u' -> value.appendCodePoint(hex(4));
      case 'U' -> value.appendCodePoint(hex(8));
      default -> value.append(c);
    }
  }

  private int hex(int digits) {
    try {
      int code = Integer.parseInt(text.substring(at, at + digits), 16);
      at += digits;
      if (Character.isValidCodePoint(code)) {
        return code;
      }
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      // reported below
    }
    throw wrong();
  }

  private long integer() {
    int start = at;
    while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '-')) {
      at++;
    }
    try {
      long value = Long.parseLong(text.substring(start, at));
      at += at < text.length() && text.charAt(at) == 'L' ? 1 : 0; // Python 2 wrote it
      return value;
    } catch (NumberFormatException e) {
      throw wrong();
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong();
    }
    return text.charAt(at);
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("no literal of Python at character " + at);
  }
}
