package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;

/**
 * Any JSON values, for Zarr v2 with the object codecs {@code json2} and {@code msgpack2}. Zarr v3
 * lacks a name for them. In memory an element is a {@link JsonValue}.
 */
public record JsonType() implements VariableLengthType {
  static final String NAME = "v2.json";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Class<?> valueClass() {
    return JsonValue.class;
  }

  @Override
  public Object emptyValue() {
    return JsonNull.NULL;
  }

  @Override
  public FillValue parseFillValue(LocatedJson json) {
    return FillValue.ofValue(this, json.value());
  }

  @Override
  public JsonValue toJson(Object value) {
    return (JsonValue) value;
  }

  @Override
  public String toString() {
    return "JSON values";
  }
}
