package dev.zarrreactive.geo;

import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A coordinate reference system as one convention tells it.
 *
 * @param code the authority and the code that the convention tells, such as {@code EPSG:32633}
 * @param wkt the system as well-known text
 * @param projJson the system as PROJJSON
 */
record CrsSource(Optional<String> code, Optional<String> wkt, Optional<JsonObject> projJson) {
  private static final CrsSource NONE =
      new CrsSource(Optional.empty(), Optional.empty(), Optional.empty());

  /** The least code of EPSG; smaller numbers are none of its codes. */
  private static final int FIRST_CODE = 1024;

  private static final Pattern CODE =
      Pattern.compile("(?:\\+init=)?([A-Za-z][A-Za-z0-9_-]*):([A-Za-z0-9.]+)");
  private static final Pattern NUMBER = Pattern.compile("\\d{4,6}");
  private static final Pattern URN =
      Pattern.compile(
          "urn:(?:x-)?ogc:def:crs:([A-Z0-9_-]+):[^:,]*:([A-Z0-9.]+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern URL =
      Pattern.compile(
          "https?://[^/?#]+/(?:def/crs/([A-Z0-9_-]+)/[^/?#]*/|ref/([A-Z0-9_-]+)/)([A-Z0-9.]+)/?",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern GML =
      Pattern.compile(
          "https?://[^/?#]+/gml/srs/([A-Z]+)\\.xml#([A-Z0-9.]+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:AUTHORITY|ID)\\[\\s*\"([^\"]+)\"\\s*,\\s*\"?([A-Za-z0-9.]+)\"?");

  /** Returns the sources of attributes, the ones that count first. */
  static List<CrsSource> of(JsonObject attributes) {
    JsonObject draft = object(object(attributes, "geo"), "proj");
    JsonObject gdal = object(attributes, "_CRS");
    return List.of(
        new CrsSource(
            code(attributes, "proj:code", "proj:epsg"),
            wkt(attributes, "proj:wkt2"),
            projJson(attributes.get("proj:projjson"))),
        new CrsSource(
            code(draft, "code", "epsg"), wkt(draft, "wkt2"), projJson(draft.get("projjson"))),
        new CrsSource(
            code(attributes, "crs_wkt", "spatial_ref"),
            wkt(attributes, "crs_wkt", "spatial_ref"),
            Optional.empty()),
        new CrsSource(code(gdal, "url", "wkt"), wkt(gdal, "wkt"), projJson(gdal.get("projjson"))),
        ofMember(anyCase(attributes, "epsg_code")),
        ofMember(anyCase(attributes, "crs")),
        ofMember(anyCase(attributes, "epsg")));
  }

  /** Returns what an attribute of any form tells: a code, a well-known text, or an object. */
  private static CrsSource ofMember(@Nullable JsonValue value) {
    if (value instanceof JsonObject object) {
      Optional<String> named = code(object(object, "properties"), "name"); // of GeoJSON
      return new CrsSource(named, Optional.empty(), projJson(value));
    }
    return value == null ? NONE : new CrsSource(code(value), wkt(value), Optional.empty());
  }

  /** Returns the code that is told, else the one in the text, else the one in the PROJJSON. */
  Optional<String> anyCode() {
    return code.or(() -> wkt.flatMap(CrsSource::codeOfWkt))
        .or(() -> projJson.flatMap(CrsSource::codeOfProjJson));
  }

  private static JsonObject object(JsonObject attributes, String name) {
    return attributes.get(name) instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  private static @Nullable JsonValue anyCase(JsonObject attributes, String name) {
    JsonValue exact = attributes.get(name);
    return exact != null
        ? exact
        : attributes.members().entrySet().stream()
            .filter(member -> member.getKey().equalsIgnoreCase(name))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(null);
  }

  private static Optional<JsonObject> projJson(@Nullable JsonValue value) {
    return value instanceof JsonObject object
            && object.get("type") instanceof JsonString type
            && type.value().endsWith("CRS")
        ? Optional.of(object)
        : Optional.empty();
  }

  private static <T> Optional<T> first(
      JsonObject attributes, Function<JsonValue, Optional<T>> reader, String... names) {
    return Stream.of(names)
        .map(attributes::get)
        .flatMap(value -> value == null ? Stream.empty() : reader.apply(value).stream())
        .findFirst();
  }

  private static Optional<String> wkt(JsonObject attributes, String... names) {
    return first(attributes, CrsSource::wkt, names);
  }

  private static Optional<String> wkt(JsonValue value) {
    return value instanceof JsonString text && text.value().indexOf('[') > 0
        ? Optional.of(text.value().strip())
        : Optional.empty();
  }

  private static Optional<String> code(JsonObject attributes, String... names) {
    return first(attributes, CrsSource::code, names);
  }

  /** Returns the code that a value names: a number of EPSG, {@code EPSG:4326}, a URN or a URL. */
  private static Optional<String> code(JsonValue value) {
    if (value instanceof JsonNumber number && number.isFinite()) {
      double code = number.toDouble();
      return code == Math.rint(code) && code >= FIRST_CODE && code < 1e6
          ? Optional.of("EPSG:" + (int) code)
          : Optional.empty();
    }
    String text = value instanceof JsonString told ? told.value().strip() : "";
    if (NUMBER.matcher(text).matches()) {
      return Optional.of("EPSG:" + text);
    }
    for (Pattern form : List.of(CODE, URN, URL, GML)) {
      Matcher matcher = form.matcher(text);
      if (matcher.matches()) {
        String authority = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return Optional.of(named(authority, matcher.group(matcher.groupCount())));
      }
    }
    return Optional.empty();
  }

  private static String named(String authority, String code) {
    return authority.toUpperCase(Locale.ROOT) + ":" + code;
  }

  private static Optional<String> codeOfProjJson(JsonObject system) {
    JsonObject id = object(system, "id");
    String authority = id.get("authority") instanceof JsonString text ? text.value() : "";
    JsonValue code = id.get("code");
    String digits =
        code instanceof JsonNumber number && number.isFinite()
            ? Long.toString((long) number.toDouble())
            : code instanceof JsonString text ? text.value() : "";
    return authority.isBlank() || digits.isBlank()
        ? Optional.empty()
        : Optional.of(named(authority, digits));
  }

  /** Returns the code that the outermost system of a well-known text names. */
  private static Optional<String> codeOfWkt(String wkt) {
    int depth = 0;
    boolean isQuoted = false;
    for (int i = 0; i < wkt.length(); i++) {
      char c = wkt.charAt(i);
      isQuoted ^= c == '"';
      if (!isQuoted && depth == 1 && (c == 'A' || c == 'I')) {
        Matcher matcher = AUTHORITY.matcher(wkt).region(i, wkt.length());
        if (matcher.lookingAt()) {
          return Optional.of(named(matcher.group(1), matcher.group(2)));
        }
      }
      depth += isQuoted ? 0 : c == '[' ? 1 : c == ']' ? -1 : 0;
    }
    return Optional.empty();
  }
}
