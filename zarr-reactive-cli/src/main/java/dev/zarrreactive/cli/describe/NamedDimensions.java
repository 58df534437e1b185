package dev.zarrreactive.cli.describe;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The names of an array's dimensions.
 *
 * @param names one for each dimension, null for one without; empty if none has a name
 * @param areOfAttribute true if they come from the attribute of Zarr v2
 */
public record NamedDimensions(List<@Nullable String> names, boolean areOfAttribute) {
  /** The attribute into which xarray and others write the names in Zarr v2. */
  public static final String ATTRIBUTE = "_ARRAY_DIMENSIONS";

  /** Returns the names in the metadata. */
  public static NamedDimensions of(ArrayMetadata metadata) {
    if (metadata.dimensionNames().stream().anyMatch(Objects::nonNull)) {
      return new NamedDimensions(metadata.dimensionNames(), false);
    }
    if (metadata.zarrFormat() == 2
        && metadata.shape().rank() > 0
        && metadata.attributes().get(ATTRIBUTE) instanceof JsonArray names
        && names.elements().size() == metadata.shape().rank()
        && names.elements().stream().allMatch(JsonString.class::isInstance)) {
      return new NamedDimensions(
          names.elements().stream().map(NamedDimensions::text).toList(), true);
    }
    return new NamedDimensions(List.of(), false);
  }

  private static String text(JsonValue name) {
    return ((JsonString) name).value();
  }

  /** Returns the names with commas between them; empty if none has a name. */
  public String text() {
    return String.join(", ", names.stream().map(name -> name == null ? "-" : name).toList());
  }
}
