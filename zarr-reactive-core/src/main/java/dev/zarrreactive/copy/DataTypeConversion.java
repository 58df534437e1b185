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

/** The data type of a copy in another format, whose elements have the same images. */
final class DataTypeConversion {
  private DataTypeConversion() {}

  /**
   * Opaque items, which metadata of Zarr v2 is read to have as {@code r<N>}, are in Zarr v3 what
   * zarr-python and TensorStore call {@code raw_bytes}: they do not know the other name.
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

  /** True where elements of the one type are the same bytes as elements of the other. */
  static boolean isSameImage(DataType one, DataType other) {
    return one.equals(other) || of(one, 2).equals(of(other, 2));
  }
}
