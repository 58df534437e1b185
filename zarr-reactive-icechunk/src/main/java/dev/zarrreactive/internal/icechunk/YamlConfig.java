package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the {@code config.yaml} of version 1: block maps and lists, plain and quoted scalars, empty
 * flow maps and lists, and tags, which become a map with one member. That is what its writers use
 * of YAML; other YAML is refused. Scalars other than null are texts.
 */
public final class YamlConfig {
  private static final int MOST_DEPTH = 64;

  private final List<Line> lines = new ArrayList<>();
  private final Location place;
  private int at;

  /** A line without its indentation, blank lines and comments left out. */
  private record Line(int number, int indent, String text) {}

  private YamlConfig(Bytes yaml, String key) {
    this.place = Location.ofKey(key);
    String all =
        new String(yaml.unsafeArray(), yaml.unsafeOffset(), yaml.size(), StandardCharsets.UTF_8);
    int number = 0;
    for (String line : all.split("\n", -1)) {
      number++;
      String text = line.strip();
      if (!text.isEmpty() && text.charAt(0) != '#' && !text.equals("---")) {
        int indent = line.indexOf(text.charAt(0));
        if (line.lastIndexOf('\t', indent) >= 0) {
          throw refusal(number, "a tab before its text");
        }
        lines.add(new Line(number, indent, text));
      }
    }
  }

  /**
   * Reads a configuration.
   *
   * @param key of the file, for errors
   */
  public static JsonObject read(Bytes yaml, String key) {
    YamlConfig config = new YamlConfig(yaml, key);
    if (config.lines.isEmpty()) {
      return JsonObject.EMPTY;
    }
    JsonValue value = config.block(config.lines.get(0).indent, 0);
    if (config.at < config.lines.size()) {
      throw config.refusal(config.lines.get(config.at).number, "an indentation of its own");
    }
    return value instanceof JsonObject object
        ? object
        : (JsonObject) config.refuse("a configuration that is a " + value.kind());
  }

  private JsonValue refuse(String what) {
    throw refusal(lines.get(0).number, what);
  }

  private StoreException refusal(int number, String what) {
    return new StoreException(
        "line "
            + number
            + " of the configuration has "
            + what
            + ", which is not read; the containers of virtual chunks are allowed by the options",
        place);
  }

  private boolean isAt(int indent) {
    return at < lines.size() && lines.get(at).indent == indent;
  }

  private JsonValue block(int indent, int depth) {
    if (depth > MOST_DEPTH) {
      throw refusal(lines.get(at).number, "a depth of more than " + MOST_DEPTH);
    }
    return isItem(lines.get(at).text) ? list(indent, depth) : map(indent, depth);
  }

  private static boolean isItem(String text) {
    return text.equals("-") || text.startsWith("- ");
  }

  private JsonValue list(int indent, int depth) {
    List<JsonValue> elements = new ArrayList<>();
    while (isAt(indent) && isItem(lines.get(at).text)) {
      Line line = lines.get(at);
      String rest = line.text.substring(1).strip();
      int inner = indent + line.text.length() - rest.length();
      if (!rest.isEmpty() && (isItem(rest) || colon(rest) >= 0)) {
        lines.set(at, new Line(line.number, inner, rest));
        elements.add(block(inner, depth + 1));
      } else {
        at++;
        elements.add(value(rest, line, indent, depth));
      }
    }
    return new JsonArray(elements);
  }

  private JsonValue map(int indent, int depth) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    while (isAt(indent) && !isItem(lines.get(at).text)) {
      Line line = lines.get(at++);
      int colon = colon(line.text);
      if (colon < 0) {
        throw refusal(line.number, "no key");
      }
      String name = scalar(line.text.substring(0, colon), line);
      members.put(name, value(line.text.substring(colon + 1).strip(), line, indent, depth));
    }
    return new JsonObject(members);
  }

  /** Reads the value that follows a key or a dash: on its line, or on the lines below. */
  private JsonValue value(String text, Line line, int indent, int depth) {
    if (text.startsWith("!")) {
      int blank = text.indexOf(' ');
      String tag = blank < 0 ? text.substring(1) : text.substring(1, blank);
      String rest = blank < 0 ? "" : text.substring(blank).strip();
      return JsonObject.EMPTY.with(tag, value(rest, line, indent, depth));
    }
    if (text.isEmpty()) {
      boolean isBelow =
          at < lines.size()
              && (lines.get(at).indent > indent
                  || (lines.get(at).indent == indent
                      && isItem(lines.get(at).text)
                      && !isItem(line.text)));
      return isBelow ? block(lines.get(at).indent, depth + 1) : JsonNull.NULL;
    }
    return switch (text) {
      case "null", "~" -> JsonNull.NULL;
      case "{}" -> JsonObject.EMPTY;
      case "[]" -> new JsonArray(List.of());
      default -> new JsonString(scalar(text, line));
    };
  }

  /** Where the colon stands that ends a key; negative where the text has none. */
  private static int colon(String text) {
    char quote = text.charAt(0);
    int from = quote == '"' || quote == '\'' ? text.indexOf(quote, 1) : 0;
    for (int i = Math.max(from, 0); i < text.length(); i++) {
      if (text.charAt(i) == ':' && (i + 1 == text.length() || text.charAt(i + 1) == ' ')) {
        return i;
      }
    }
    return -1;
  }

  private String scalar(String text, Line line) {
    String bare = text.strip();
    if (bare.isEmpty()) {
      return bare;
    }
    char first = bare.charAt(0);
    if (first == '\'' || first == '"') {
      if (bare.length() < 2 || bare.charAt(bare.length() - 1) != first) {
        throw refusal(line.number, "a quoted text of several lines");
      }
      String inner = bare.substring(1, bare.length() - 1);
      if (first == '\'') {
        return inner.replace("''", "'");
      }
      if (inner.indexOf('\\') >= 0) {
        throw refusal(line.number, "an escape in a text");
      }
      return inner;
    }
    if ("{[&*|>%@`".indexOf(first) >= 0) {
      throw refusal(line.number, "\"" + first + "\" at the beginning of a value");
    }
    return bare;
  }
}
