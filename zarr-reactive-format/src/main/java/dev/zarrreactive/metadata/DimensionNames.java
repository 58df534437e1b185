package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The names of an array's dimensions. Zarr v3 has the member {@code dimension_names} for them; in
 * Zarr v2 they are in the attribute {@code _ARRAY_DIMENSIONS}, a convention of xarray: a list with
 * a text or null for each dimension. Any other attribute of that name has no names. Without it they
 * are in the description of NCZarr, which netCDF-C writes: the last names of the paths {@code
 * dimrefs} or {@code dimension_references} of {@code _NCZARR_ARRAY} in the attributes or in {@code
 * .zarray}. Immutable.
 */
public final class DimensionNames {
  /** The attribute of Zarr v2. */
  public static final String ATTRIBUTE = "_ARRAY_DIMENSIONS";

  /** The names of the description of NCZarr; netCDF-C 4.10 writes the second. */
  private static final List<String> NCZARR = List.of("_NCZARR_ARRAY", "_nczarr_array");

  private static final List<String> REFERENCES = List.of("dimrefs", "dimension_references");

  private final ArrayMetadata array;
  private final List<@Nullable String> names;
  private final String place;

  private DimensionNames(ArrayMetadata array, List<@Nullable String> names, String place) {
    this.array = array;
    this.names = names;
    this.place = place;
  }

  /** Reads the names from the place that the format has for them. */
  public static DimensionNames of(ArrayMetadata array) {
    if (array.zarrFormat() == 2) {
      if (array.attributes().get(ATTRIBUTE) instanceof JsonArray list
          && list.elements().size() == array.shape().rank()
          && list.elements().stream()
              .allMatch(name -> name instanceof JsonString || name == JsonNull.NULL)) {
        return new DimensionNames(array, texts(list), "the attribute " + ATTRIBUTE);
      }
      for (String description : NCZARR) {
        for (JsonObject owner : List.of(array.attributes(), array.document())) {
          List<@Nullable String> names = ofNcZarr(owner.get(description), array.shape().rank());
          if (names != null) {
            return new DimensionNames(array, names, description + " of NCZarr");
          }
        }
      }
    }
    return new DimensionNames(array, array.dimensionNames(), "");
  }

  private static List<@Nullable String> texts(JsonArray list) {
    List<@Nullable String> names = new ArrayList<>();
    for (JsonValue name : list.elements()) {
      names.add(name instanceof JsonString text ? text.value() : null);
    }
    return Collections.unmodifiableList(names);
  }

  /** Returns the names at the ends of the paths in a description; null without one for each. */
  private static @Nullable List<@Nullable String> ofNcZarr(
      @Nullable JsonValue description, int rank) {
    for (String member : REFERENCES) {
      if (description instanceof JsonObject object
          && object.get(member) instanceof JsonArray list
          && list.elements().size() == rank
          && list.elements().stream().allMatch(JsonString.class::isInstance)) {
        List<@Nullable String> names = texts(list);
        return names.stream().map(DimensionNames::lastOf).toList();
      }
    }
    return null;
  }

  private static @Nullable String lastOf(@Nullable String path) {
    String name = path == null ? "" : path.substring(path.lastIndexOf('/') + 1);
    return name.isEmpty() ? null : name;
  }

  /** The name of each dimension, or null. */
  public List<@Nullable String> names() {
    return names;
  }

  /** Returns true if a dimension has a name. */
  public boolean isAny() {
    return names.stream().anyMatch(Objects::nonNull);
  }

  /** Returns true if each dimension has a name, which is true of a scalar. */
  public boolean areAll() {
    return names.stream().allMatch(Objects::nonNull);
  }

  /**
   * Returns true if a convention of Zarr v2 holds the names, the attribute or NCZarr; also the
   * empty list of a scalar.
   */
  public boolean areInAttributes() {
    return !place.isEmpty();
  }

  /**
   * Returns the convention of Zarr v2 that holds the names, such as {@code the attribute
   * _ARRAY_DIMENSIONS}; empty for none.
   */
  public String place() {
    return place;
  }

  /** Returns the names as {@link ArrayMetadataBuilder#dimensionNames} takes them. */
  public @Nullable String[] toArray() {
    return names.toArray(new String[0]);
  }

  /**
   * Returns the array's attributes with the names among them.
   *
   * @throws UnsupportedFeatureException for an attribute of that name with another value
   */
  public JsonObject inAttributes() {
    JsonObject attributes = array.attributes();
    if (!isAny()) {
      return attributes;
    }
    List<JsonValue> list = new ArrayList<>();
    for (String name : names) {
      list.add(name == null ? JsonNull.NULL : new JsonString(name));
    }
    JsonArray named = new JsonArray(list);
    JsonValue there = attributes.get(ATTRIBUTE);
    if (there != null && !there.equals(named)) {
      throw new UnsupportedFeatureException(
          "Zarr v2 has the names of dimensions in the attribute "
              + ATTRIBUTE
              + ": expected "
              + named
              + ", found "
              + there,
          Location.UNKNOWN);
    }
    return attributes.with(ATTRIBUTE, named);
  }

  /** Returns the names with commas between them, {@code -} for none; empty if none has a name. */
  @Override
  public String toString() {
    return isAny()
        ? String.join(", ", names.stream().map(name -> name == null ? "-" : name).toList())
        : "";
  }
}
