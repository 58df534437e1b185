package dev.zarrreactive.dataset.geo;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a raster by its attributes, in the forms that are in use: {@code proj:} and {@code
 * spatial:} of the conventions of Zarr, and the attributes of a grid mapping as rioxarray and GDAL
 * write them. Attributes of another form are left out.
 *
 * @param code the authority and the code of the reference system, such as {@code EPSG:32633}
 * @param wkt the reference system as well-known text
 * @param projJson the reference system as PROJJSON
 * @param transform the coordinates of the pixels
 * @param bounds the bounds that the attributes tell
 * @param dimensions the names of the dimensions of rows and columns; empty without
 */
public record GeoAttributes(
    Optional<String> code,
    Optional<String> wkt,
    Optional<JsonObject> projJson,
    Optional<AffineTransform> transform,
    Optional<AffineTransform.Bounds> bounds,
    List<String> dimensions) {
  private static final Pattern CODE = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*:[A-Za-z0-9.]+");
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:AUTHORITY|ID)\\[\\s*\"([^\"]+)\"\\s*,\\s*\"?([A-Za-z0-9.]+)\"?");

  /** Copies the list. */
  public GeoAttributes {
    dimensions = List.copyOf(dimensions);
  }

  /** Reads the attributes of a group, of an array or of a grid mapping. */
  public static GeoAttributes of(JsonObject attributes) {
    JsonObject crs = attributes.get("_CRS") instanceof JsonObject gdal ? gdal : JsonObject.EMPTY;
    Optional<String> wkt =
        first(
            text(attributes, "proj:wkt2"),
            text(attributes, "crs_wkt"),
            text(attributes, "spatial_ref"),
            text(crs, "wkt"));
    Optional<String> given =
        first(
            text(attributes, "proj:code"),
            text(attributes, "epsg_code"),
            text(attributes, "crs").filter(code -> CODE.matcher(code).matches()),
            wkt.filter(code -> CODE.matcher(code).matches()));
    return new GeoAttributes(
        given.isPresent() ? given : wkt.flatMap(GeoAttributes::code),
        wkt.filter(text -> text.indexOf('[') > 0),
        Optional.ofNullable(projJson(attributes, crs)),
        Optional.ofNullable(transform(attributes)),
        bounds(attributes),
        texts(attributes.get("spatial:dimensions")));
  }

  /** Returns these, completed by others. */
  GeoAttributes or(GeoAttributes others) {
    boolean hasCrs = code.isPresent() || wkt.isPresent() || projJson.isPresent();
    return new GeoAttributes(
        hasCrs ? code : others.code,
        hasCrs ? wkt : others.wkt,
        hasCrs ? projJson : others.projJson,
        transform.or(others::transform),
        bounds.or(others::bounds),
        dimensions.isEmpty() ? others.dimensions : dimensions);
  }

  @SafeVarargs
  private static Optional<String> first(Optional<String>... candidates) {
    for (Optional<String> candidate : candidates) {
      if (candidate.isPresent()) {
        return candidate;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> text(JsonObject attributes, String name) {
    return attributes.get(name) instanceof JsonString text && !text.value().isBlank()
        ? Optional.of(text.value().strip())
        : Optional.empty();
  }

  private static @Nullable JsonObject projJson(JsonObject attributes, JsonObject gdal) {
    return attributes.get("proj:projjson") instanceof JsonObject own
        ? own
        : gdal.get("projjson") instanceof JsonObject other ? other : null;
  }

  /** Returns the code that the outermost system of a well-known text names. */
  private static Optional<String> code(String wkt) {
    int depth = 0;
    boolean isQuoted = false;
    for (int i = 0; i < wkt.length(); i++) {
      char c = wkt.charAt(i);
      isQuoted ^= c == '"';
      if (!isQuoted && depth == 1 && (c == 'A' || c == 'I')) {
        Matcher matcher = AUTHORITY.matcher(wkt).region(i, wkt.length());
        if (matcher.lookingAt()) {
          return Optional.of(matcher.group(1) + ":" + matcher.group(2));
        }
      }
      depth += isQuoted ? 0 : c == '[' ? 1 : c == ']' ? -1 : 0;
    }
    return Optional.empty();
  }

  private static @Nullable AffineTransform transform(JsonObject attributes) {
    List<Double> n = numbers(attributes.get("spatial:transform"));
    if (n.size() == 6) {
      AffineTransform spatial =
          new AffineTransform(n.get(2), n.get(0), n.get(1), n.get(5), n.get(3), n.get(4));
      boolean isOfCentres = text(attributes, "spatial:registration").equals(Optional.of("node"));
      return isOfCentres ? spatial.ofCorners() : spatial;
    }
    n = numbers(attributes.get("GeoTransform"));
    return n.size() != 6
        ? null
        : new AffineTransform(n.get(0), n.get(1), n.get(2), n.get(3), n.get(4), n.get(5));
  }

  private static Optional<AffineTransform.Bounds> bounds(JsonObject attributes) {
    List<Double> n = numbers(attributes.get("spatial:bbox"));
    return n.size() == 4
        ? Optional.of(new AffineTransform.Bounds(n.get(0), n.get(1), n.get(2), n.get(3)))
        : Optional.empty();
  }

  /** Returns finite numbers in a list, or in a text with blanks between them; else none. */
  static List<Double> numbers(@Nullable JsonValue value) {
    List<Double> numbers = new ArrayList<>();
    if (value instanceof JsonArray list) {
      for (JsonValue each : list.elements()) {
        if (!(each instanceof JsonNumber number) || !number.isFinite()) {
          return List.of();
        }
        numbers.add(number.toDouble());
      }
    } else if (value instanceof JsonString text) {
      try {
        for (String word : List.of(text.value().strip().split("[\\s,]+", -1))) {
          numbers.add(Double.parseDouble(word));
        }
      } catch (NumberFormatException e) {
        return List.of();
      }
    }
    return numbers;
  }

  private static List<String> texts(@Nullable JsonValue value) {
    List<String> texts = new ArrayList<>();
    if (value instanceof JsonArray list) {
      for (JsonValue each : list.elements()) {
        if (each instanceof JsonString text) {
          texts.add(text.value());
        }
      }
    }
    return texts.size() == 2 ? texts : List.of();
  }
}
