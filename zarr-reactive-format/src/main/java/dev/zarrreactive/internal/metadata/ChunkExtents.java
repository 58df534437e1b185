package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads chunk shapes that programs wrote with other values than integers of at least 1. */
public final class ChunkExtents {
  private static final JsonNumber ZERO = JsonNumber.of(0);
  private static final List<String> WITH_SHAPES =
      List.of("chunk_grid", "codecs", "configuration", "chunk_shape", "chunk_shapes");

  private static final Predicate<String> WHOLE =
      Pattern.compile("[1-9][0-9]{0,14}\\.0+").asMatchPredicate();

  private ChunkExtents() {}

  /** Returns the document of an array of Zarr v3 with valid chunk shapes, as far as it can be. */
  public static LocatedJson inDocument(LocatedJson array, Deviations deviations) {
    JsonValue document = spelled(array, deviations);
    List<JsonValue> extents = list(document, "chunk_grid", "configuration", "chunk_shape");
    if (extents.contains(ZERO)) {
      noteEmptyChunk(array.member("chunk_grid"), deviations); // the grid checks the shape
    }
    long lists = extents.stream().filter(JsonArray.class::isInstance).count();
    if (lists == 0 || lists == extents.size()) {
      return new LocatedJson(document, array.location());
    }
    LocatedJson place = array.member("chunk_grid");
    deviations.note(
        Leniency.EDGES_IN_REGULAR_GRID,
        place,
        "a regular chunk grid lists edges, and is read as a rectilinear one");
    JsonObject shape =
        JsonObject.EMPTY.with("kind", "inline").with("chunk_shapes", new JsonArray(extents));
    JsonObject grid =
        place.object().with("name", new JsonString("rectilinear")).with("configuration", shape);
    return new LocatedJson(((JsonObject) document).with("chunk_grid", grid), array.location());
  }

  /** Returns the value with integers in chunk shapes for booleans and whole floats. */
  static JsonValue spelled(LocatedJson json, Deviations deviations) {
    JsonValue read = spelled(json.value(), json.value() instanceof JsonArray ? "chunk_shape" : "");
    if (!read.equals(json.value())) {
      String what = "a chunk extent is spelled as a boolean or with a fraction of zero";
      deviations.note(Leniency.SPELLED_CHUNK_EXTENT, json, what);
    }
    return read;
  }

  /** Returns the value itself where nothing in it is spelled otherwise, as in nearly all. */
  private static JsonValue spelled(JsonValue value, String member) {
    if (value instanceof JsonObject object) {
      for (String name : WITH_SHAPES) {
        JsonValue own = object.get(name);
        JsonValue read = own == null ? null : spelled(own, name);
        object = read == null || read.equals(own) ? object : object.with(name, read);
      }
      return object;
    }
    if (value instanceof JsonArray list) {
      List<JsonValue> read = list.elements().stream().map(each -> spelled(each, member)).toList();
      return read.equals(list.elements()) ? list : new JsonArray(read);
    }
    if (member.startsWith("chunk_shape") && value instanceof JsonBoolean bool) {
      return JsonNumber.of(bool.value() ? 1 : 0);
    }
    return member.equals("chunk_shapes") && value instanceof JsonNumber n && WHOLE.test(n.text())
        ? JsonNumber.of((long) n.toDouble())
        : value;
  }

  /** Returns the list at the end of members; else an empty one. */
  private static List<JsonValue> list(@Nullable JsonValue value, String... path) {
    for (String name : path) {
      value = value instanceof JsonObject object ? object.get(name) : null;
    }
    return value instanceof JsonArray list ? list.elements() : List.of();
  }

  /** Adds the warning of a chunk extent of 0. */
  static void noteEmptyChunk(LocatedJson chunks, Deviations deviations) {
    deviations.note(
        Leniency.EMPTY_CHUNK,
        chunks,
        "a chunk extent is 0, along a dimension of extent 0, and read as 1");
  }
}
