package dev.zarrreactive.copy;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.RawBytesType;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;

/** Finds the data type of a copy in another format, whose elements have the same memory images. */
final class DataTypeConversion {
  private DataTypeConversion() {}

  /**
   * Returns the data type in a format. The opaque items of Zarr v2, read as {@code r<N>}, are
   * {@code raw_bytes} in Zarr v3: zarr-python and TensorStore know only this name.
   */
  static DataType of(DataType type, int zarrFormat) {
    if (zarrFormat == 3 && (type instanceof ListType || type instanceof JsonType)) {
      throw new UnsupportedFeatureException(
          "Zarr v3 does not have the data type " + type, Location.UNKNOWN);
    }
    if (type instanceof StructType struct) {
      return new StructType(
          struct.fields().stream()
              .map(field -> new StructField(field.name(), of(field.dataType(), zarrFormat)))
              .toList());
    }
    if (zarrFormat == 3 && type instanceof RawType raw) {
      return new RawBytesType(raw.itemSize());
    }
    if (zarrFormat == 2 && type instanceof RawBytesType raw) {
      return new RawType(Byte.SIZE * raw.length());
    }
    return type;
  }

  /** Returns whether elements of both types are the same bytes. */
  static boolean isSameImage(DataType one, DataType other) {
    return one.equals(other) || of(one, 2).equals(of(other, 2));
  }
}
