package dev.zarrreactive.flink;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.RawBytesType;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.partition.DecodedCells;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.function.IntFunction;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;
import org.jspecify.annotations.Nullable;

/** The types of Flink's columns, and values in the form that Flink gives them inside of rows. */
final class ColumnType {
  /** Holds every {@code uint64}. */
  private static final DecimalType UINT64 = new DecimalType(20, 0);

  private static final int MILLI = 1_000_000;

  private ColumnType() {}

  /** Returns the type of decoded values; null if Flink has none for them. */
  static @Nullable LogicalType of(CfDecoding decoding) {
    return DecodedCells.areTexts(decoding) ? VarCharType.STRING_TYPE : of(decoding.dataType());
  }

  private static @Nullable LogicalType of(DataType type) {
    if (type instanceof BoolType) {
      return new BooleanType();
    } else if (type instanceof IntegerType integer) {
      int bits = integer.max().bitLength() + 1;
      return bits <= 8
          ? new TinyIntType()
          : bits <= 16
              ? new SmallIntType()
              : bits <= 32 ? new IntType() : bits <= 64 ? new BigIntType() : UINT64;
    } else if (type instanceof FloatType floats) {
      return floats.bits() == 64
          ? new DoubleType()
          : new org.apache.flink.table.types.logical.FloatType();
    } else if (type instanceof Datetime64Type time) {
      return hasLength(time.unit()) ? new TimestampType(9) : null;
    } else if (type instanceof StringType || type instanceof FixedLengthUtf32Type) {
      return VarCharType.STRING_TYPE;
    } else if (type instanceof BytesType
        || type instanceof NullTerminatedBytesType
        || type instanceof RawBytesType
        || type instanceof RawType) {
      return new VarBinaryType(VarBinaryType.MAX_LENGTH);
    }
    return null;
  }

  private static boolean hasLength(NumpyUnit unit) {
    return unit != NumpyUnit.YEAR && unit != NumpyUnit.MONTH && unit != NumpyUnit.GENERIC;
  }

  /**
   * Returns true if a column that is declared with one type may have values of another: both are
   * the same, but for {@code NOT NULL} and for the precision of times, which are cut to it.
   */
  static boolean takes(LogicalType declared, LogicalType values) {
    LogicalTypeRoot root = values.getTypeRoot();
    return root == LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE
        ? declared.is(root)
        : declared.copy(true).equals(values);
  }

  /** Returns the bytes of an element in memory, about. */
  static int width(DataType type) {
    return type instanceof VariableLengthType ? 16 : Math.max(1, type.itemSize());
  }

  /** Returns the values as a column of the declared type has them, by their places in C order. */
  static IntFunction<@Nullable Object> values(DecodedCells cells, LogicalType declared) {
    boolean[] missing = cells.missing();
    IntFunction<@Nullable Object> all = all(cells, declared);
    return missing == null ? all : place -> missing[place] ? null : all.apply(place);
  }

  private static IntFunction<@Nullable Object> all(DecodedCells cells, LogicalType declared) {
    NdArray values = cells.values();
    DataType type = values.dataType();
    TimeCoding texts = cells.texts();
    if (texts != null) {
      long[] counts = values.toLongArray();
      return place -> StringData.fromString(texts.text(counts[place]));
    } else if (type instanceof BoolType) {
      boolean[] flags = values.toBooleanArray();
      return place -> flags[place];
    } else if (type instanceof IntegerType) {
      return integers(values, declared.getTypeRoot());
    } else if (type instanceof FloatType floats) {
      if (floats.bits() == 64) {
        double[] doubles = values.toDoubleArray();
        return place -> doubles[place];
      }
      float[] singles =
          (type.equals(DataTypes.FLOAT32) ? values : values.cast(DataTypes.FLOAT32)).toFloatArray();
      return place -> singles[place];
    } else if (type instanceof Datetime64Type time) {
      long[] counts = values.toLongArray();
      int kept = BigInteger.TEN.pow(9 - ((TimestampType) declared).getPrecision()).intValue();
      return place -> timestamp(time, counts[place], kept);
    }
    NdArray flat = flat(values);
    if (type instanceof StringType || type instanceof FixedLengthUtf32Type) {
      return place -> StringData.fromString(flat.getString(place));
    } else if (type instanceof BytesType || type instanceof NullTerminatedBytesType) {
      return place -> flat.getByteString(place).toByteArray();
    }
    return place -> flat.getRaw(place).toByteArray();
  }

  private static IntFunction<@Nullable Object> integers(NdArray values, LogicalTypeRoot root) {
    if (root == LogicalTypeRoot.DECIMAL) {
      NdArray flat = flat(values);
      return place -> DecimalData.fromBigDecimal(new BigDecimal(flat.getBigInteger(place)), 20, 0);
    }
    long[] longs =
        (values.dataType().equals(DataTypes.INT64) ? values : values.cast(DataTypes.INT64))
            .toLongArray();
    return switch (root) {
      case TINYINT -> place -> (byte) longs[place];
      case SMALLINT -> place -> (short) longs[place];
      case INTEGER -> place -> (int) longs[place];
      default -> place -> longs[place];
    };
  }

  private static NdArray flat(NdArray values) {
    return values.reshape(Shape.of(values.shape().elementCountUpTo(Integer.MAX_VALUE)));
  }

  /**
   * Returns a time.
   *
   * @param kept the nanoseconds of the last digit that is kept
   */
  private static TimestampData timestamp(Datetime64Type type, long count, int kept) {
    long finer = perNano(type.unit());
    Instant time =
        finer == 1
            ? type.toInstant(count)
            : Instant.EPOCH.plusNanos(
                Math.floorDiv(Math.multiplyExact(count, (long) type.scaleFactor()), finer));
    int nanos = time.getNano() - time.getNano() % kept;
    long millis = Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1000L), nanos / MILLI);
    return TimestampData.fromEpochMillis(millis, nanos % MILLI);
  }

  /** Returns how many units a nanosecond has; 1 for units that are not finer. */
  private static long perNano(NumpyUnit unit) {
    return switch (unit) {
      case PICOSECOND -> 1_000L;
      case FEMTOSECOND -> 1_000_000L;
      case ATTOSECOND -> 1_000_000_000L;
      default -> 1L;
    };
  }
}
