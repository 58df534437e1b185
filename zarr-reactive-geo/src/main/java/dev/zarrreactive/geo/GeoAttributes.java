package dev.zarrreactive.geo;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The place of a raster by its attributes, in the forms that are in use: {@code proj:} and {@code
 * spatial:} of the conventions of Zarr, the attributes of a grid mapping as rioxarray writes them,
 * {@code _CRS} of GDAL, and {@code crs} in any case. A system is told by its number in the register
 * of EPSG, a code such as {@code EPSG:4326}, a URN or a URL of the OGC, well-known text or
 * PROJJSON. Attributes of another form are left out.
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
  /** Copies the list. */
  public GeoAttributes {
    dimensions = List.copyOf(dimensions);
  }

  /** Reads the attributes of a group, of an array or of a grid mapping. */
  public static GeoAttributes of(JsonObject attributes) {
    List<CrsSource> sources = CrsSource.of(attributes);
    return new GeoAttributes(
        first(sources, CrsSource::anyCode),
        first(sources, CrsSource::wkt),
        first(sources, CrsSource::projJson),
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

  private static <T> Optional<T> first(
      List<CrsSource> sources, Function<CrsSource, Optional<T>> part) {
    return sources.stream().map(part).flatMap(Optional::stream).findFirst();
  }

  private static Optional<String> text(JsonObject attributes, String name) {
    return attributes.get(name) instanceof JsonString text && !text.value().isBlank()
        ? Optional.of(text.value().strip())
        : Optional.empty();
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
