package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * The type of an array's elements (specification: "Data types"). In memory an element is its
 * <em>image</em>: {@link #itemSize()} bytes, every component little-endian; but elements of a
 * {@link VariableLengthType} are objects. Two names of one type, such as {@code complex64} and
 * {@code complex_float32}, make equal data types.
 */
public sealed interface DataType
    permits BoolType,
        IntegerType,
        FloatType,
        ComplexType,
        TimeType,
        FixedLengthUtf32Type,
        NullTerminatedBytesType,
        RawBytesType,
        RawType,
        StructType,
        VariableLengthType {
  /** The name as it is written into metadata, such as {@code float32}. */
  String name();

  /**
   * The size of one element, in bytes.
   *
   * @throws UnsupportedOperationException for a {@link VariableLengthType}
   */
  int itemSize();

  /**
   * How many bytes an element takes in memory, for whoever plans with it: the item size, or a guess
   * for a {@link VariableLengthType}.
   */
  default int memorySize() {
    return itemSize();
  }

  /**
   * What the image is made of, from its beginning to its end, for codecs that order bytes.
   * Neighbours of the same size are one entry, so most data types have one entry only.
   */
  List<Components> components();

  /** True where the order of the image's bytes has a meaning: for components of several bytes. */
  default boolean hasByteOrder() {
    return components().stream().anyMatch(components -> components.size() > 1);
  }

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

  /** The data type as it is written into metadata: the name, unless it has a configuration. */
  default JsonValue toMetadata() {
    return new JsonString(name());
  }
}
