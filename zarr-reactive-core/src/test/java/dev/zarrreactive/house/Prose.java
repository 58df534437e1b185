package dev.zarrreactive.house;

import dev.zarrreactive.house.Sentence.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the sentences of a source file or a page: all that is written for people. */
final class Prose {

  private static final Pattern TOKENS =
      Pattern.compile(
          "(?<block>\"\"\"[\\s\\S]*?\"\"\")"
              + "|(?<string>\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\")"
              + "|'(?:[^'\\\\\\n]|\\\\[^\\n])[^'\\n]*'"
              + "|(?<line>//[^\\n]*)"
              + "|(?<comment>/\\*[\\s\\S]*?\\*/)");

  /** The text between two parts of one string, or of one comment. */
  private static final Pattern JOINED = Pattern.compile("\\s*\\+?\\s*");

  private static final Pattern CODE_OF_COMMENTS =
      Pattern.compile("<pre>[\\s\\S]*?</pre>|\\{@[^{}]*(?:\\{[^{}]*}[^{}]*)*}");

  /** Samples, and headings, which may be questions. */
  private static final Pattern CODE_OF_PAGES =
      Pattern.compile("(?m)^(```|~~~)[\\s\\S]*?^\\1|`[^`\\n]*`|<!--[\\s\\S]*?-->|^#+\\s.*$");

  /** A tag of javadoc, a list item, a cell of a table, or an empty line. */
  private static final Pattern NEW_PARAGRAPH =
      Pattern.compile(
          "(?m)^\\s*@(param\\s+\\S+|throws\\s+\\S+|\\w+)|</?\\w+>|\\n\\s*\\n"
              + "|^\\s*([-*]|\\d+\\.)\\s|\\|");

  private static final Pattern END = Pattern.compile("(?<=[.!?;:])\\**\\s+|\u0000");

  private final Path file;
  private final String text;
  private final List<Sentence> sentences = new ArrayList<>();

  private Prose(Path file, String text) {
    this.file = file;
    this.text = text;
  }

  /** Returns the sentences of the comments and of the string literals of Java source. */
  static List<Sentence> ofJava(Path file, String source) {
    Prose prose = new Prose(file, source);
    prose.readJava();
    return prose.sentences;
  }

  /** Returns the sentences of a page in Markdown, without its samples of code. */
  static List<Sentence> ofPage(Path file, String page) {
    Prose prose = new Prose(file, page);
    prose.add(Kind.PAGE, 0, withoutCode(CODE_OF_PAGES, page));
    return prose.sentences;
  }

  private void readJava() {
    Matcher token = TOKENS.matcher(text);
    Kind kind = Kind.COMMENT;
    int start = 0;
    int end = 0;
    StringBuilder read = new StringBuilder();
    while (token.find()) {
      Kind next = kindOf(token);
      if (next == null) {
        continue;
      }
      String between = text.substring(end, token.start());
      if (next != kind || !JOINED.matcher(between).matches()) {
        add(kind, start, read.toString());
        read.setLength(0);
        start = token.start();
      } else if (kind == Kind.COMMENT) {
        read.append(between);
      }
      read.append(contentOf(token));
      kind = next;
      end = token.end();
    }
    add(kind, start, read.toString());
  }

  private static Kind kindOf(Matcher token) {
    if (token.group("line") != null || token.group("comment") != null) {
      return Kind.COMMENT;
    }
    return token.group("string") != null || token.group("block") != null ? Kind.MESSAGE : null;
  }

  private static String contentOf(Matcher token) {
    String found = token.group();
    if (token.group("line") != null) {
      return found.substring(2);
    }
    if (token.group("comment") != null) {
      String inside = found.substring(2, found.length() - 2).replaceAll("(?m)^\\s*\\*+", "");
      return withoutCode(CODE_OF_COMMENTS, inside);
    }
    int quotes = token.group("block") != null ? 3 : 1;
    return found.substring(quotes, found.length() - quotes);
  }

  private void add(Kind kind, int start, String content) {
    String divided =
        kind == Kind.MESSAGE ? content : replaced(NEW_PARAGRAPH, content, "\u0000", true);
    int line = 1 + newLines(text.substring(0, start));
    int from = 0;
    Matcher end = END.matcher(divided);
    while (true) {
      boolean more = end.find();
      String raw = divided.substring(from, more ? end.start() : divided.length());
      String sentence = raw.strip().replaceAll("\\s+", " ");
      if (!sentence.isEmpty()) {
        int before = raw.length() - raw.stripLeading().length();
        int at = line + newLines(divided.substring(0, from + before));
        sentences.add(new Sentence(file, at, kind, sentence));
      }
      if (!more) {
        return;
      }
      from = end.end();
    }
  }

  private static String withoutCode(Pattern code, String content) {
    return replaced(code, content, "CODE", false);
  }

  /** Replaces the matches, and keeps their line breaks, so that lines can be counted. */
  private static String replaced(Pattern pattern, String content, String by, boolean first) {
    return pattern
        .matcher(content)
        .replaceAll(
            match -> {
              String breaks = "\n".repeat(newLines(match.group()));
              return first ? breaks + by : by + breaks;
            });
  }

  private static int newLines(String part) {
    return (int) part.chars().filter(c -> c == '\n').count();
  }
}
