package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * The type of an array's elements (specification: "Data types"). In memory an element is its
 * <em>image</em>, {@link #itemSize()} bytes with every component little-endian. Elements of a
 * {@link VariableLengthType} are objects instead. Data types with two names of one type, such as
 * {@code complex64} and {@code complex_float32}, are equal.
 */
public sealed interface DataType
    permits BoolType,
        IntegerType,
        FloatType,
        ComplexType,
        TimeType,
        FixedLengthUtf32Type,
        NullTerminatedBytesType,
        OptionalType,
        RawBytesType,
        RawType,
        StructType,
        VariableLengthType {
  /** The name in metadata, such as {@code float32}. */
  String name();

  /**
   * The size of one element, in bytes.
   *
   * @throws UnsupportedOperationException for a {@link VariableLengthType}
   */
  int itemSize();

  /**
   * The size of an element in memory, in bytes: the item size, or an estimate for a {@link
   * VariableLengthType}.
   */
  default int memorySize() {
    return itemSize();
  }

  /**
   * The components of the image in order, for codecs that order bytes. Adjacent components of the
   * same size are one entry, so that most data types have a single entry.
   */
  List<Components> components();

  /** Returns true if a component has several bytes. */
  default boolean hasByteOrder() {
    for (Components components : components()) { // no stream: it is called for each chunk
      if (components.size() > 1) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads a fill value in any of the forms that the specification allows for this type.
   *
   * @throws dev.zarrreactive.error.MetadataException if it has another form, or is out of range
   */
  FillValue parseFillValue(LocatedJson json);

  /**
   * Returns an element as JSON, in the form that a fill value of the same bits has.
   *
   * @param image the array that holds the element's image
   * @param offset the index of the image's first byte
   */
  JsonValue toJson(byte[] image, int offset);

  /** Returns the data type in metadata: the name, or an object if it has a configuration. */
  default JsonValue toMetadata() {
    return new JsonString(name());
  }
}
