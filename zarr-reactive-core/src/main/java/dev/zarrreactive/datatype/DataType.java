package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;

/**
 * The type of an array's elements (specification: "Data types"). In memory an element is its
 * <em>image</em>: {@link #itemSize()} bytes, every component little-endian.
 */
public sealed interface DataType permits BoolType, IntegerType, FloatType, ComplexType, RawType {
  /** The name as it is written into metadata, such as {@code float32}. */
  String name();

  /** The size of one element, in bytes. */
  int itemSize();

  /**
   * The size, in bytes, of the unit whose bytes the {@code endian} of a codec orders: the item for
   * integers and floats, one part for complex numbers, 1 where order has no meaning.
   */
  int componentSize();

  /**
   * Reads a fill value in any of the forms that the specification allows for this type.
   *
   * @throws dev.zarrreactive.error.MetadataException where it is none of them, or out of range
   */
  FillValue parseFillValue(LocatedJson json);

  /**
   * An element as JSON, in the form that a fill value of the same bits has.
   *
   * @param image the array that holds the element's image
   * @param offset where the image begins
   */
  JsonValue toJson(byte[] image, int offset);

  /** The data type as it is written into metadata. */
  JsonValue toMetadata();
}
