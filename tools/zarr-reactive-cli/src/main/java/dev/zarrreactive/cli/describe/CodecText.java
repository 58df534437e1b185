package dev.zarrreactive.cli.describe;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Codecs in words. The codecs of the chunks in a shard are lines below it, indented. */
final class CodecText {
  private static final String INDENT = "  ";

  /** The members that hold codecs. */
  private static final String INNER = "codecs";

  private static final String INDEX = "index_codecs";

  private CodecText() {}

  /** Returns the codecs, one a line. */
  static List<String> lines(List<NamedConfiguration> codecs) {
    List<String> lines = new ArrayList<>();
    for (NamedConfiguration codec : codecs) {
      add(codec.name(), codec.configuration().object(), "", lines);
    }
    return lines;
  }

  private static void add(String name, JsonObject settings, String indent, List<String> lines) {
    JsonObject own = settings.without(INNER).without(INDEX);
    lines.add(indent + name + inWords(own));
    if (settings.get(INNER) instanceof JsonArray inner) {
      addAll(inner, indent + INDENT, lines);
    }
    if (settings.get(INDEX) instanceof JsonArray index) {
      List<String> ofIndex = new ArrayList<>();
      addAll(index, "", ofIndex);
      lines.add(indent + "index: " + String.join(", ", ofIndex));
    }
  }

  private static void addAll(JsonArray codecs, String indent, List<String> lines) {
    for (JsonValue codec : codecs.elements()) {
      if (codec instanceof JsonObject object && object.get("name") instanceof JsonString name) {
        JsonValue settings = object.get("configuration");
        JsonObject its = settings instanceof JsonObject known ? known : JsonObject.EMPTY;
        add(name.value(), its, indent, lines);
      } else {
        lines.add(indent + plain(codec)); // a name alone is a codec, too
      }
    }
  }

  private static String inWords(JsonObject settings) {
    StringJoiner words = new StringJoiner(", ", " (", ")").setEmptyValue("");
    for (Map.Entry<String, JsonValue> member : settings.members().entrySet()) {
      words.add(member.getKey() + " " + plain(member.getValue()));
    }
    return words.toString();
  }

  private static String plain(JsonValue value) {
    return value instanceof JsonString string ? string.value() : value.toString();
  }
}
