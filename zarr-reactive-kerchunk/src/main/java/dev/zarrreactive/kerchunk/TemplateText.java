package dev.zarrreactive.kerchunk;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A text with expressions between double braces, in pieces. The expressions are those of jinja that
 * references have: names, calls with named arguments, texts, integers and arithmetic.
 */
final class TemplateText {
  /** The longest text with templates, and the longest that one makes. */
  static final int LONGEST = 8192;

  private static final int DEEPEST = 64;

  /** A piece of the text. */
  sealed interface Piece permits Literal, Name, Call, Arithmetic {}

  /** A text or a {@link Long}. */
  record Literal(Object value) implements Piece {}

  record Name(String name) implements Piece {}

  record Call(String name, Map<String, Piece> arguments) implements Piece {}

  record Arithmetic(char operator, Piece left, Piece right) implements Piece {}

  private final List<Piece> pieces;

  private TemplateText(List<Piece> pieces) {
    this.pieces = List.copyOf(pieces);
  }

  List<Piece> pieces() {
    return pieces;
  }

  /** Returns true for a text that has to be expanded. */
  static boolean hasTemplates(String text) {
    return text.contains("{{");
  }

  /**
   * Parses a text.
   *
   * @throws TemplateProblem where it cannot be
   */
  static TemplateText parse(String text) {
    if (text.length() > LONGEST) {
      throw TemplateProblem.wrong(
          "a text with templates of "
              + text.length()
              + " characters; at most "
              + LONGEST
              + " are supported");
    }
    for (String mark : List.of("{%", "{#")) {
      if (text.contains(mark)) {
        throw TemplateProblem.unsupported(
            mark.equals("{%") ? "a statement ({% … %})" : "a comment ({# … #})");
      }
    }
    List<Piece> pieces = new ArrayList<>();
    int at = 0;
    for (int open; (open = text.indexOf("{{", at)) >= 0; ) {
      if (open > at) {
        pieces.add(new Literal(text.substring(at, open)));
      }
      Parser parser = new Parser(text, open + 2);
      pieces.add(parser.expression(0));
      at = parser.end();
    }
    if (at < text.length()) {
      pieces.add(new Literal(text.substring(at)));
    }
    return new TemplateText(pieces);
  }

  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text, int at) {
      this.text = text;
      this.at = at;
    }

    /** Skips the braces that close the expression, and returns what follows them. */
    int end() {
      skipBlanks();
      if (!text.startsWith("}}", at)) {
        throw unexpected();
      }
      return at + 2;
    }

    Piece expression(int depth) {
      if (depth > DEEPEST) {
        throw TemplateProblem.wrong("an expression that is nested deeper than " + DEEPEST);
      }
      Piece left = product(depth);
      for (char c = next(); c == '+' || c == '-'; c = next()) {
        at++;
        left = new Arithmetic(c, left, product(depth));
      }
      return left;
    }

    private Piece product(int depth) {
      Piece left = factor(depth);
      for (char c = next(); c == '*' || c == '/' || c == '%'; c = next()) {
        if (c == '*' && text.startsWith("**", at)) {
          throw TemplateProblem.unsupported("the operator **");
        } else if (c == '/' && !text.startsWith("//", at)) {
          throw TemplateProblem.unsupported("the operator / (// divides integers)");
        } else if (c == '%' && text.startsWith("%}", at)) {
          throw unexpected();
        }
        at += c == '/' ? 2 : 1;
        left = new Arithmetic(c, left, factor(depth));
      }
      return left;
    }

    private Piece factor(int depth) {
      char c = next();
      if (depth > DEEPEST) {
        throw TemplateProblem.wrong("an expression that is nested deeper than " + DEEPEST);
      } else if (c == '-') {
        at++;
        return new Arithmetic('-', new Literal(0L), factor(depth + 1));
      } else if (c == '(') {
        at++;
        Piece inner = expression(depth + 1);
        expect(')');
        return inner;
      } else if (c == '\'' || c == '"') {
        return new Literal(quoted(c));
      } else if (c >= '0' && c <= '9') {
        return new Literal(integer());
      } else if (Character.isUnicodeIdentifierStart(c) || c == '_') {
        return named(depth);
      }
      throw unexpected();
    }

    private Piece named(int depth) {
      String name = name();
      char c = next();
      if (c == '|') {
        throw TemplateProblem.unsupported("a filter (|)");
      } else if (c == '.' || c == '[') {
        throw TemplateProblem.unsupported("an attribute or item (" + c + ")");
      } else if (c != '(') {
        return new Name(name);
      }
      at++;
      Map<String, Piece> arguments = new LinkedHashMap<>();
      while (next() != ')') {
        if (!arguments.isEmpty()) {
          expect(',');
          next();
        }
        if (!Character.isUnicodeIdentifierStart(next()) && next() != '_') {
          throw TemplateProblem.unsupported("an argument without a name");
        }
        String argument = name();
        if (next() != '=') {
          throw TemplateProblem.unsupported("an argument without a name");
        }
        at++;
        arguments.put(argument, expression(depth + 1));
      }
      at++;
      return new Call(name, arguments);
    }

    private String name() {
      int start = at;
      while (at < text.length()
          && (Character.isUnicodeIdentifierPart(text.charAt(at)) || text.charAt(at) == '_')) {
        at++;
      }
      return text.substring(start, at);
    }

    private String quoted(char quote) {
      int close = text.indexOf(quote, at + 1);
      if (close < 0) {
        throw TemplateProblem.wrong("a text without its end, from character " + at);
      }
      String content = text.substring(at + 1, close);
      if (content.indexOf('\\') >= 0) {
        throw TemplateProblem.unsupported("an escape (\\)");
      }
      at = close + 1;
      return content;
    }

    private long integer() {
      int start = at;
      while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        at++;
      }
      if (at < text.length() && text.charAt(at) == '.') {
        throw TemplateProblem.unsupported("a number with a fraction");
      }
      try {
        return Long.parseLong(text.substring(start, at));
      } catch (NumberFormatException e) {
        throw TemplateProblem.wrong("an integer beyond 64 bits: " + text.substring(start, at));
      }
    }

    /** Skips blanks and returns the character there; 0 at the end. */
    private char next() {
      skipBlanks();
      return at < text.length() ? text.charAt(at) : 0;
    }

    private void skipBlanks() {
      while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
        at++;
      }
    }

    private void expect(char c) {
      if (next() != c) {
        throw unexpected();
      }
      at++;
    }

    private TemplateProblem unexpected() {
      if (at >= text.length()) {
        return TemplateProblem.wrong("an expression without its end, }}");
      } else if (text.charAt(at) == '|') {
        return TemplateProblem.unsupported("a filter (|)");
      }
      return TemplateProblem.unsupported("\"" + text.charAt(at) + "\" in an expression");
    }
  }
}
