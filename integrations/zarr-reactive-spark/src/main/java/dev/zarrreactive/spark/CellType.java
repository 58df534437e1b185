package dev.zarrreactive.spark;

import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.RawBytesType;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.Timedelta64Type;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.partition.DecodedCells;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The types of Spark's columns. */
final class CellType {
  /** Holds every {@code uint64}. */
  static final org.apache.spark.sql.types.DecimalType UINT64 = DataTypes.createDecimalType(20, 0);

  private CellType() {}

  /**
   * Returns the type of decoded values; null if Spark has none for them. Spark's times are of the
   * Gregorian calendar, so that dates of others are texts.
   */
  static org.apache.spark.sql.types.@Nullable DataType of(CfDecoding decoding) {
    return DecodedCells.areTexts(decoding) ? DataTypes.StringType : of(decoding.dataType());
  }

  /** Returns the type of values without a calendar; null if Spark has none for them. */
  static org.apache.spark.sql.types.@Nullable DataType of(DataType type) {
    if (type instanceof BoolType) {
      return DataTypes.BooleanType;
    } else if (type instanceof IntegerType integer) {
      int bits = integer.max().bitLength() + 1;
      return bits <= 8
          ? DataTypes.ByteType
          : bits <= 16
              ? DataTypes.ShortType
              : bits <= 32 ? DataTypes.IntegerType : bits <= 64 ? DataTypes.LongType : UINT64;
    } else if (type instanceof FloatType floats) {
      return floats.bits() == 64 ? DataTypes.DoubleType : DataTypes.FloatType;
    } else if (type instanceof Datetime64Type time) {
      return hasLength(time.unit()) ? DataTypes.TimestampNTZType : null;
    } else if (type instanceof Timedelta64Type length) {
      return hasLength(length.unit()) ? DataTypes.createDayTimeIntervalType() : null;
    } else if (type instanceof StringType || type instanceof FixedLengthUtf32Type) {
      return DataTypes.StringType;
    } else if (type instanceof BytesType
        || type instanceof NullTerminatedBytesType
        || type instanceof RawBytesType
        || type instanceof RawType) {
      return DataTypes.BinaryType;
    } else if (type instanceof ComplexType complex) {
      org.apache.spark.sql.types.DataType part = of(complex.component());
      return part == null ? null : new StructType().add("real", part).add("imaginary", part);
    } else if (type instanceof dev.zarrreactive.datatype.StructType struct) {
      return struct(struct.fields());
    }
    return null;
  }

  private static boolean hasLength(NumpyUnit unit) {
    return unit != NumpyUnit.YEAR && unit != NumpyUnit.MONTH && unit != NumpyUnit.GENERIC;
  }

  private static @Nullable StructType struct(List<StructField> fields) {
    StructType struct = new StructType();
    for (StructField field : fields) {
      org.apache.spark.sql.types.DataType type = of(field.dataType());
      if (type == null) {
        return null;
      }
      struct = struct.add(field.name(), type);
    }
    return struct;
  }

  /** Returns the bytes of an element in memory, about. */
  static int width(DataType type) {
    return type instanceof VariableLengthType ? 16 : Math.max(1, type.itemSize());
  }
}
