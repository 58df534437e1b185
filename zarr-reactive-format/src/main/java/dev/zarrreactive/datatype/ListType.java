package dev.zarrreactive.datatype;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrays of any number of rows as elements: {@code ndarray} of the package zarr-vlen-ndarray, with
 * the codec {@code vlen-ndarray}, and lists of Zarr v2 with the object codec {@code vlen-array}. In
 * memory an element is a {@link Bytes} with the packed images of its items, in C order.
 *
 * @param items the type of the items, of fixed length
 * @param row the extents of a row; empty for lists of items
 */
public record ListType(DataType items, List<Integer> row) implements VariableLengthType {
  static final String NAME = "ndarray";

  private static final String DTYPE = "dtype";
  private static final String SHAPE = "shape";
  private static final int MOST_DIMENSIONS = 32;

  /** Checks that the items are of fixed length, and that a row has a size. */
  public ListType {
    if (items instanceof VariableLengthType) {
      throw new IllegalArgumentException("lists have items of fixed length, not of " + items);
    }
    row = List.copyOf(row);
    long size = items.itemSize();
    for (int extent : row) {
      size = extent < 1 ? Long.MAX_VALUE : size * extent;
      if (size > LengthBytes.LONGEST_PADDED) {
        throw new IllegalArgumentException(
            "rows of " + items + " " + row + " are empty, or larger than 16 MiB");
      }
    }
  }

  /** Creates the type of lists. */
  public ListType(DataType items) {
    this(items, List.of());
  }

  static ListType parse(NamedConfiguration use) {
    use.configuration().allowOnly(DTYPE, SHAPE);
    LocatedJson dtype = use.member(DTYPE);
    dtype.string(); // no object: the items have no configuration
    DataType items = DataTypes.parse(NamedConfiguration.parse(dtype));
    List<LocatedJson> extents = use.member(SHAPE).elements();
    List<Integer> row = new ArrayList<>();
    for (LocatedJson extent : extents) {
      if (!extent.isNull()) {
        row.add(extent.integer(1, Integer.MAX_VALUE));
      }
    }
    if (row.size() != extents.size() - 1
        || row.size() > MOST_DIMENSIONS
        || !extents.get(0).isNull()) {
      throw use.member(SHAPE)
          .expected("null and then the extents of a row: no codec has other arrays as elements");
    }
    try {
      return new ListType(items, row);
    } catch (IllegalArgumentException e) {
      throw use.error("invalid ndarray: " + e.getMessage());
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  /** The size of a row in bytes. */
  public int rowSize() {
    int size = items.itemSize();
    for (int extent : row) {
      size *= extent; // at most 16 MiB
    }
    return size;
  }

  /** Returns the shape of an element. */
  public long[] shape(int itemCount) {
    long[] shape = new long[row.size() + 1];
    shape[0] = itemCount / (rowSize() / items.itemSize());
    for (int d = 0; d < row.size(); d++) {
      shape[d + 1] = row.get(d);
    }
    return shape;
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
    if (((Bytes) value).size() % rowSize() != 0) {
      throw new IllegalArgumentException(
          ((Bytes) value).size()
              + " bytes are not a whole number of "
              + (row.isEmpty() ? "items" : "rows")
              + " of "
              + this);
    }
  }

  /** Reads base64 of the items, or their fill values in lists. */
  @Override
  public FillValue parseFillValue(LocatedJson json) {
    byte[] packed = Images.ofBase64(json.value());
    if (packed == null || packed.length % rowSize() != 0) {
      ByteArrayOutputStream images = new ByteArrayOutputStream();
      parse(json, 0, images);
      packed = images.toByteArray();
    }
    return FillValue.ofValue(this, Bytes.wrap(packed));
  }

  private void parse(LocatedJson json, int dimension, ByteArrayOutputStream images) {
    if (dimension > row.size()) {
      images.writeBytes(items.parseFillValue(json).image());
    } else if (json.value() instanceof JsonArray list
        && (dimension == 0 || list.elements().size() == row.get(dimension - 1))) {
      json.elements().forEach(part -> parse(part, dimension + 1, images));
    } else {
      throw json.expected("a value of " + this + ", in lists or base64");
    }
  }

  /** Returns the items in lists; a fill value is base64. */
  @Override
  public JsonValue toJson(Object value) {
    Bytes images = (Bytes) value;
    List<JsonValue> list = new ArrayList<>();
    for (int at = 0; at < images.size(); at += items.itemSize()) {
      list.add(items.toJson(images.unsafeArray(), images.unsafeOffset() + at));
    }
    for (int d = row.size() - 1; d >= 0; d--) {
      List<JsonValue> rows = new ArrayList<>();
      for (int at = 0; at < list.size(); at += row.get(d)) {
        rows.add(new JsonArray(list.subList(at, at + row.get(d))));
      }
      list = rows;
    }
    return new JsonArray(list);
  }

  @Override
  public JsonValue toMetadata() {
    List<JsonValue> shape = new ArrayList<>(List.of(JsonNull.NULL));
    row.forEach(extent -> shape.add(JsonNumber.of(extent)));
    return NamedConfiguration.of(
            NAME,
            JsonObject.EMPTY
                .with(DTYPE, new JsonString(items.name()))
                .with(SHAPE, new JsonArray(shape)))
        .toJson();
  }

  @Override
  public String toString() {
    return "lists of " + (row.isEmpty() ? "" : row + " ") + items;
  }
}
