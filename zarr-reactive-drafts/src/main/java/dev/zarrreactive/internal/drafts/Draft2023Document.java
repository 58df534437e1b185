package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Translates a {@code zarr.json} in forms of the 2023 draft to the forms of Zarr v3. It changes
 * only exact forms of the draft. Any other fault stays for the reader of the result.
 */
final class Draft2023Document {
  private Draft2023Document() {}

  /**
   * Returns the document of an array in the forms of Zarr v3, or the same object if it has them
   * already.
   */
  static LocatedJson array(LocatedJson document, Deviations deviations) {
    LocatedJson result = withoutExtensions(document, "array", deviations);
    for (String point : new String[] {"chunk_grid", "chunk_key_encoding"}) {
      result = replaced(result, point, use -> named(use, deviations));
    }
    result = replaced(result, "data_type", use -> dataType(use, deviations));
    result = Draft2023Codecs.inArray(result, rank(result), deviations);
    return fillValue(document, result, deviations);
  }

  /** Returns the document of a group, like {@link #array}. */
  static LocatedJson group(LocatedJson document, Deviations deviations) {
    return withoutExtensions(document, "group", deviations);
  }

  private static int rank(LocatedJson document) {
    return document.object().get("shape") instanceof JsonArray shape ? shape.elements().size() : 0;
  }

  /** Changes one member of an object. */
  interface Change {
    /** Returns the replacement of {@code member}, or the same value. */
    JsonValue of(LocatedJson member);
  }

  /**
   * Returns the object with the member replaced, or the same object if the member stays or is
   * missing.
   */
  static LocatedJson replaced(LocatedJson object, String name, Change change) {
    LocatedJson member = object.optional(name);
    if (member == null) {
      return object;
    }
    JsonValue value = change.of(member);
    return value == member.value() ? object : with(object, name, value);
  }

  static LocatedJson with(LocatedJson object, String name, JsonValue value) {
    return new LocatedJson(object.object().with(name, value), object.location());
  }

  private static LocatedJson withoutExtensions(
      LocatedJson document, String node, Deviations deviations) {
    LocatedJson extensions = document.optional("extensions");
    if (extensions == null
        || !(extensions.value() instanceof JsonArray list)
        || !list.elements().stream().allMatch(Draft2023Document::isIgnorable)) {
      return document;
    }
    deviations.take(extensions, "unknown member \"extensions\" of the " + node + "'s metadata");
    return new LocatedJson(document.object().without("extensions"), document.location());
  }

  private static boolean isIgnorable(JsonValue extension) {
    return extension instanceof JsonObject object
        && new JsonBoolean(false).equals(object.get("must_understand"));
  }

  /** Returns the use of an extension with the members of Zarr v3. */
  static JsonValue named(LocatedJson use, Deviations deviations) {
    if (!(use.value() instanceof JsonObject object)) {
      return use.value();
    }
    JsonObject result = object;
    if (object.get("type") instanceof JsonString type && object.get("name") == null) {
      deviations.take(
          use.member("type"), "the name of \"" + type.value() + "\" has the member \"type\"");
      Map<String, JsonValue> members = new LinkedHashMap<>();
      members.put("name", type);
      members.putAll(object.without("type").members());
      result = new JsonObject(members);
    }
    if (object.get("configuration") instanceof JsonNull) {
      deviations.take(use.member("configuration"), "expected an object, found null");
      result = result.without("configuration");
    }
    return result;
  }

  private static JsonValue dataType(LocatedJson use, Deviations deviations) {
    JsonValue named = named(use, deviations);
    LocatedJson result = new LocatedJson(named, use.location());
    LocatedJson fallback = named instanceof JsonObject ? result.optional("fallback") : null;
    if (fallback == null) {
      return named;
    }
    deviations.take(fallback, "a data type with a fallback");
    LocatedJson type = new LocatedJson(result.object().without("fallback"), use.location());
    return isUnknown(type)
        ? FallbackDataType.of(type, fallback, other -> parsed(other) != null, deviations).value()
        : type.value();
  }

  /** Returns false for a known type with an error. */
  private static boolean isUnknown(LocatedJson type) {
    try {
      DataTypes.parse(NamedConfiguration.parse(type));
      return false;
    } catch (ZarrException e) {
      return e instanceof UnknownExtensionException;
    }
  }

  private static @Nullable DataType parsed(@Nullable LocatedJson use) {
    try {
      return use == null ? null : DataTypes.parse(NamedConfiguration.parse(use));
    } catch (ZarrException e) {
      return null; // the reader of the result reports it
    }
  }

  private static LocatedJson fillValue(
      LocatedJson document, LocatedJson result, Deviations deviations) {
    DataType type = parsed(result.optional("data_type"));
    boolean fallback =
        document.object().get("data_type") instanceof JsonObject use && use.get("fallback") != null;
    return type == null
        ? result
        : replaced(result, "fill_value", json -> fillValue(json, type, fallback, deviations));
  }

  private static JsonValue fillValue(
      LocatedJson json, DataType type, boolean fallback, Deviations deviations) {
    if (json.isNull() && fallback) { // the draft's own example has it
      deviations.take(json, "a fill value that is null, read as zero");
      return FillValue.zero(type).toJson();
    }
    JsonValue value = DraftFillValue.translate(json.value(), type);
    if (value != json.value()) {
      deviations.take(
          json, "the fill value " + json.value() + " is in a form that Zarr v3 does not have");
    }
    return value;
  }
}
