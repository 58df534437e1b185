package dev.zarrreactive.datatype;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists of variable length, for Zarr v2 with the object codec {@code vlen-array}. Zarr v3 lacks a
 * name for them. In memory an element is a {@link Bytes} with the packed images of the list's
 * items.
 *
 * @param items the type of the items, of fixed length
 */
public record ListType(DataType items) implements VariableLengthType {
  static final String NAME = "v2.list";

  /** Checks that the items are of fixed length. */
  public ListType {
    if (items instanceof VariableLengthType) {
      throw new IllegalArgumentException("lists have items of fixed length, not of " + items);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Class<?> valueClass() {
    return Bytes.class;
  }

  @Override
  public Object emptyValue() {
    return Bytes.EMPTY;
  }

  @Override
  public void checkValue(Object value) {
    VariableLengthType.super.checkValue(value);
    if (((Bytes) value).size() % items.itemSize() != 0) {
      throw new IllegalArgumentException(
          ((Bytes) value).size() + " bytes are not a whole number of items of " + items);
    }
  }

  /** Reads an array of fill values of the items. */
  @Override
  public FillValue parseFillValue(LocatedJson json) {
    if (!(json.value() instanceof JsonArray)) {
      throw json.expected("a list of values of " + items);
    }
    ByteArrayOutputStream images = new ByteArrayOutputStream();
    for (LocatedJson item : json.elements()) {
      images.writeBytes(items.parseFillValue(item).image());
    }
    return FillValue.ofValue(this, Bytes.wrap(images.toByteArray()));
  }

  @Override
  public JsonValue toJson(Object value) {
    Bytes images = (Bytes) value;
    List<JsonValue> list = new ArrayList<>();
    for (int at = 0; at < images.size(); at += items.itemSize()) {
      list.add(items.toJson(images.unsafeArray(), images.unsafeOffset() + at));
    }
    return new JsonArray(list);
  }

  @Override
  public String toString() {
    return "lists of " + items;
  }
}
