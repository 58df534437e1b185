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
 * a text or null for each dimension. Any other attribute of that name has no names. Immutable.
 */
public final class DimensionNames {
  /** The attribute of Zarr v2. */
  public static final String ATTRIBUTE = "_ARRAY_DIMENSIONS";

  private final ArrayMetadata array;
  private final List<@Nullable String> names;
  private final boolean inAttributes;

  private DimensionNames(ArrayMetadata array, List<@Nullable String> names, boolean inAttributes) {
    this.array = array;
    this.names = names;
    this.inAttributes = inAttributes;
  }

  /** Reads the names from the place that the format has for them. */
  public static DimensionNames of(ArrayMetadata array) {
    if (array.zarrFormat() == 2
        && array.attributes().get(ATTRIBUTE) instanceof JsonArray list
        && list.elements().size() == array.shape().rank()
        && list.elements().stream()
            .allMatch(name -> name instanceof JsonString || name == JsonNull.NULL)) {
      List<@Nullable String> names = new ArrayList<>();
      for (JsonValue name : list.elements()) {
        names.add(name instanceof JsonString text ? text.value() : null);
      }
      return new DimensionNames(array, Collections.unmodifiableList(names), true);
    }
    return new DimensionNames(array, array.dimensionNames(), false);
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

  /** Returns true if the attributes hold the names, also the empty list of a scalar. */
  public boolean areInAttributes() {
    return inAttributes;
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
