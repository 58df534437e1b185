package dev.zarrreactive.copy;

import dev.zarrreactive.copy.CopyChange.Kind;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.internal.copying.MaskAttribute;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The metadata that xarray, and programs that follow it, read beside an array's elements. In Zarr
 * v2 the fill value stands for missing data, and an attribute names the dimensions. In Zarr v3 an
 * attribute stands for missing data in place of the fill value, and the names are metadata. So the
 * same elements need other metadata in the other format.
 *
 * @param attributes the attributes of the copy
 * @param fillValue the fill value of the copy; null for none, which Zarr v2 has
 * @param changes the differences
 */
record XarrayConvention(
    JsonObject attributes, @Nullable FillValue fillValue, List<CopyChange> changes) {
  private static final String NAMES = DimensionNames.ATTRIBUTE;

  /**
   * Converts the metadata of an array to the other format.
   *
   * @param path of the array in the destination
   */
  static XarrayConvention of(
      ArrayMetadata source, DimensionNames names, int zarrFormat, NodePath path) {
    List<CopyChange> changes = new ArrayList<>();
    return zarrFormat == 3
        ? inVersion3(source, names, path, changes)
        : inVersion2(source, names, path, changes);
  }

  private static XarrayConvention inVersion3(
      ArrayMetadata source, DimensionNames names, NodePath path, List<CopyChange> changes) {
    JsonObject attributes = source.attributes();
    if (!names.areInAttributes()) {
      return new XarrayConvention(attributes, source.fillValue(), List.of());
    }
    JsonValue list = attributes.get(NAMES);
    attributes = attributes.without(NAMES);
    changes.add(
        new CopyChange(
            path,
            Kind.DIMENSION_NAMES,
            names.place()
                + " "
                + (list == null ? names : list)
                + " became the member dimension_names"));
    JsonValue there = attributes.get(MaskAttribute.NAME);
    JsonValue mask = mask(source, there);
    if (!Objects.equals(mask, there) && mask != null) {
      attributes = attributes.with(MaskAttribute.NAME, mask);
      changes.add(
          new CopyChange(
              path,
              Kind.MISSING_DATA,
              "the attribute "
                  + MaskAttribute.NAME
                  + " is "
                  + mask
                  + " for the fill value "
                  + source.fillValue()
                  + ", which stands for missing data in Zarr v2"
                  + (there == null ? "" : "; it was " + there)));
    }
    if (hasFillValue(source) && !MaskAttribute.isFor(source.dataType())) {
      changes.add(
          new CopyChange(
              path,
              Kind.FILL_VALUE,
              "the fill value "
                  + source.fillValue()
                  + " stands for missing data in Zarr v2, which xarray cannot express for "
                  + source.dataType()
                  + " in Zarr v3"));
    }
    return new XarrayConvention(attributes, source.fillValue(), List.copyOf(changes));
  }

  /** Returns the attribute of Zarr v3 for the missing data of Zarr v2, or null for none. */
  private static @Nullable JsonValue mask(ArrayMetadata source, @Nullable JsonValue there) {
    if (hasFillValue(source) && MaskAttribute.isFor(source.dataType())) {
      return MaskAttribute.encode(source.fillValue());
    }
    return there == null ? null : MaskAttribute.encode(there, source.dataType());
  }

  /** Returns whether the array has a fill value, which is null in some arrays of Zarr v2. */
  static boolean hasFillValue(ArrayMetadata array) {
    return array.zarrFormat() != 2 || array.document().get("fill_value") != JsonNull.NULL;
  }

  private static XarrayConvention inVersion2(
      ArrayMetadata source, DimensionNames names, NodePath path, List<CopyChange> changes) {
    JsonObject attributes = names.inAttributes();
    if (names.isAny()) {
      changes.add(
          new CopyChange(
              path,
              Kind.DIMENSION_NAMES,
              "the member dimension_names became the attribute "
                  + NAMES
                  + " "
                  + attributes.get(NAMES)));
    }
    if (!names.areAll()) {
      return new XarrayConvention(attributes, source.fillValue(), List.copyOf(changes));
    }
    if (names.names().isEmpty()) {
      attributes = attributes.with(NAMES, new JsonArray(List.of()));
      changes.add(
          new CopyChange(
              path, Kind.DIMENSION_NAMES, "the attribute " + NAMES + " [] marks a scalar"));
    }
    JsonValue there = attributes.get(MaskAttribute.NAME);
    FillValue mask = there == null ? null : MaskAttribute.decode(there, source.dataType());
    if (mask != null) {
      attributes = attributes.without(MaskAttribute.NAME);
    } else if (there != null) {
      attributes =
          attributes.with(MaskAttribute.NAME, MaskAttribute.plain(there, source.dataType()));
    }
    if (!source.fillValue().equals(mask)) {
      changes.add(
          new CopyChange(
              path,
              Kind.FILL_VALUE,
              "the fill value "
                  + source.fillValue()
                  + " became "
                  + (mask == null ? "null" : mask)
                  + ", because it stands for missing data in Zarr v2"));
    }
    if (there != null && mask != null) {
      changes.add(
          new CopyChange(
              path,
              Kind.MISSING_DATA,
              "the attribute " + MaskAttribute.NAME + " " + there + " became the fill value"));
    }
    return new XarrayConvention(attributes, mask, List.copyOf(changes));
  }
}
