package dev.zarrreactive.cli.location;

import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.icechunk.IcechunkChanges;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a commit changes, as text and as JSON. */
public final class ChangedNodes {
  /** The paths of one kind of change that a line names. */
  private static final int MOST_PATHS = 10;

  private ChangedNodes() {}

  /** Returns lines for people, each behind a line feed; nothing for no changes. */
  public static String lines(IcechunkChanges done) {
    StringBuilder lines = new StringBuilder();
    add(lines, "created", done.created());
    add(lines, "deleted", done.deleted());
    add(
        lines,
        "moved",
        done.moved().entrySet().stream()
            .map(move -> move.getKey() + " to " + move.getValue())
            .toList());
    add(lines, "updated", done.updated());
    add(
        lines,
        "written",
        done.chunks().entrySet().stream()
            .map(each -> each.getKey() + " (" + Quantities.plural(each.getValue(), "chunk") + ")")
            .toList());
    return lines.toString();
  }

  private static void add(StringBuilder lines, String what, List<String> paths) {
    if (!paths.isEmpty()) {
      List<String> shown = paths.subList(0, Math.min(MOST_PATHS, paths.size()));
      lines.append("\n    ").append(what).append("  ");
      lines.append(Printable.of(String.join(", ", shown)));
      if (shown.size() < paths.size()) {
        lines.append(" and ").append(paths.size() - shown.size()).append(" more");
      }
    }
  }

  /** Returns texts as JSON. */
  public static JsonArray texts(List<String> texts) {
    return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
  }

  /** Returns the changes as JSON. */
  public static JsonObject json(IcechunkChanges done) {
    Map<String, JsonValue> chunks = new LinkedHashMap<>();
    done.chunks().forEach((array, written) -> chunks.put(array, JsonNumber.of(written)));
    Map<String, JsonValue> moved = new LinkedHashMap<>();
    done.moved().forEach((from, to) -> moved.put(from, new JsonString(to)));
    return JsonObject.EMPTY
        .with("created", texts(done.created()))
        .with("deleted", texts(done.deleted()))
        .with("updated", texts(done.updated()))
        .with("moved", new JsonObject(moved))
        .with("chunks", new JsonObject(chunks));
  }
}
