package dev.zarrreactive.cli.describe;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.internal.copying.MaskAttribute;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an array as xarray reads them from either format. In Zarr v2 the fill value
 * stands for missing data where an attribute names the dimensions; in Zarr v3 the attribute {@code
 * _FillValue} does.
 *
 * @param attributes the attributes that mean the same in both formats
 * @param mask the value of missing data: a {@link FillValue}, or the attribute as it is where no
 *     element can have it; null for none
 * @param isFillValueFree true if the fill value is no more than the mask
 */
public record SeenMetadata(JsonObject attributes, @Nullable Object mask, boolean isFillValueFree) {
  /** Returns the metadata of an array. */
  public static SeenMetadata of(ZarrArray array) {
    ArrayMetadata metadata = array.metadata();
    JsonObject attributes = metadata.attributes();
    JsonValue attribute = attributes.get(MaskAttribute.NAME);
    boolean isOfXarray = DimensionNames.of(metadata).areInAttributes();
    if (isOfXarray) {
      attributes = attributes.without(DimensionNames.ATTRIBUTE);
    }
    boolean hasMask = MaskAttribute.isFor(metadata.dataType());
    attributes = hasMask ? attributes.without(MaskAttribute.NAME) : attributes;
    Object mask = null;
    if (hasMask && isOfXarray && metadata.document().get("fill_value") != JsonNull.NULL) {
      mask = metadata.fillValue();
    } else if (hasMask && attribute != null) {
      FillValue value = MaskAttribute.decode(attribute, metadata.dataType());
      mask = value == null ? MaskAttribute.plain(attribute, metadata.dataType()) : value;
    }
    return new SeenMetadata(attributes, mask, isOfXarray);
  }

  /** Returns true if missing data have the same value in both. */
  public boolean hasMaskOf(SeenMetadata other) {
    return Objects.equals(mask, other.mask) || maskText().equals(other.maskText());
  }

  /** Returns the value of missing data for people. */
  public String maskText() {
    if (mask instanceof FillValue value) {
      return ElementText.of(value.dataType(), value.toJson());
    }
    return mask == null ? "none" : mask.toString();
  }
}
