package dev.zarrreactive.spark;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.partition.DecodedCells;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Makes columns of Spark from decoded arrays. */
final class CellValues {
  private static final BigInteger MICROS = BigInteger.valueOf(1_000_000);

  private CellValues() {}

  /** Decodes stored elements, and returns them as a column in C order. */
  static CellVector of(CfDecoding decoding, NdArray stored) {
    DecodedCells cells = DecodedCells.of(decoding, stored);
    TimeCoding times = cells.texts();
    return times == null
        ? of(cells.values(), cells.missing())
        : texts(times, cells.values().toLongArray(), cells.missing());
  }

  private static boolean @Nullable [] nulls(long[] counts) {
    boolean[] nulls = null;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == TimeType.NAT) {
        nulls = nulls == null ? new boolean[counts.length] : nulls;
        nulls[i] = true;
      }
    }
    return nulls;
  }

  private static CellVector texts(TimeCoding times, long[] counts, boolean @Nullable [] nulls) {
    Object[] texts = new Object[counts.length];
    for (int i = 0; i < counts.length; i++) {
      texts[i] = UTF8String.fromString(times.text(counts[i]));
    }
    return new CellVector.Objects(
        org.apache.spark.sql.types.DataTypes.StringType, texts, nulls, null);
  }

  /** Returns values as a column. */
  private static CellVector of(NdArray values, boolean @Nullable [] nulls) {
    DataType type = values.dataType();
    org.apache.spark.sql.types.DataType to = CellType.of(type);
    if (to == null) {
      throw new IllegalArgumentException("Spark has no type for " + type);
    } else if (type instanceof BoolType) {
      return new CellVector.Booleans(to, values.toBooleanArray(), nulls, null);
    } else if (type instanceof IntegerType) {
      return integers(values, to, nulls);
    } else if (type.equals(DataTypes.FLOAT64)) {
      return new CellVector.Doubles(to, values.bytes(), nulls, null);
    } else if (type instanceof FloatType) {
      NdArray floats = type.equals(DataTypes.FLOAT32) ? values : values.cast(DataTypes.FLOAT32);
      return new CellVector.Floats(to, floats.bytes(), nulls, null);
    } else if (type instanceof TimeType time) {
      return new CellVector.Longs(to, micros(values.toLongArray(), time), nulls, null);
    } else if (type instanceof ComplexType complex) {
      return complex(values, complex, to);
    } else if (type instanceof StructType struct) {
      List<CellVector> fields = new ArrayList<>();
      for (StructField field : struct.fields()) {
        NdArray part = values.field(field.name()).toContiguous();
        fields.add(
            of(part, part.dataType() instanceof TimeType ? nulls(part.toLongArray()) : null));
      }
      return new CellVector.Structs(to, fields, null, null);
    }
    return objects(values, to, nulls);
  }

  private static CellVector integers(
      NdArray values, org.apache.spark.sql.types.DataType to, boolean @Nullable [] nulls) {
    if (to instanceof org.apache.spark.sql.types.LongType) {
      NdArray longs =
          values.dataType().equals(DataTypes.INT64) ? values : values.cast(DataTypes.INT64);
      return new CellVector.Longs(to, longs.toLongArray(), nulls, null);
    } else if (to.equals(CellType.UINT64)) {
      NdArray flat = flat(values);
      Object[] all = new Object[(int) flat.shape().extent(0)];
      for (int i = 0; i < all.length; i++) {
        all[i] = Decimal.apply(new java.math.BigDecimal(flat.getBigInteger(i)), 20, 0);
      }
      return new CellVector.Objects(to, all, nulls, null);
    }
    NdArray ints =
        values.dataType().equals(DataTypes.INT32) ? values : values.cast(DataTypes.INT32);
    return new CellVector.Ints(to, ints.bytes(), nulls, null);
  }

  private static NdArray flat(NdArray values) {
    return values.reshape(Shape.of(values.shape().elementCountUpTo(Integer.MAX_VALUE)));
  }

  /** Returns counts of a unit as microseconds; finer ones are cut to the one before. */
  private static long[] micros(long[] counts, TimeType type) {
    long[] micros = new long[counts.length];
    BigInteger perSecond = perSecond(type);
    BigInteger seconds = secondsPerUnit(type);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == TimeType.NAT) {
        continue;
      }
      if (seconds.signum() > 0) {
        micros[i] =
            Math.multiplyExact(
                Math.multiplyExact(counts[i], seconds.longValue() * type.scaleFactor()),
                1_000_000L);
      } else if (perSecond.compareTo(MICROS) <= 0) {
        micros[i] =
            Math.multiplyExact(
                counts[i], MICROS.divide(perSecond).longValue() * type.scaleFactor());
      } else {
        long perMicro = perSecond.divide(MICROS).longValue();
        micros[i] =
            Math.floorDiv(Math.multiplyExact(counts[i], (long) type.scaleFactor()), perMicro);
      }
    }
    return micros;
  }

  /** Returns the number of units in a second; 1 for larger units. */
  private static BigInteger perSecond(TimeType type) {
    int digits =
        switch (type.unit()) {
          case MILLISECOND -> 3;
          case MICROSECOND -> 6;
          case NANOSECOND -> 9;
          case PICOSECOND -> 12;
          case FEMTOSECOND -> 15;
          case ATTOSECOND -> 18;
          default -> 0;
        };
    return BigInteger.TEN.pow(digits);
  }

  /** Returns the number of seconds in a unit; 0 for smaller units. */
  private static BigInteger secondsPerUnit(TimeType type) {
    long seconds =
        switch (type.unit()) {
          case WEEK -> 7 * 86_400;
          case DAY -> 86_400;
          case HOUR -> 3600;
          case MINUTE -> 60;
          case SECOND -> 1;
          default -> 0;
        };
    return BigInteger.valueOf(seconds);
  }

  private static CellVector complex(
      NdArray values, ComplexType type, org.apache.spark.sql.types.DataType to) {
    NdArray flat = flat(values);
    int count = (int) flat.shape().extent(0);
    double[] real = new double[count];
    double[] imaginary = new double[count];
    for (int i = 0; i < count; i++) {
      real[i] = flat.getReal(i);
      imaginary[i] = flat.getImag(i);
    }
    NdArray first = NdArray.ofDoubles(Shape.of(count), real);
    NdArray second = NdArray.ofDoubles(Shape.of(count), imaginary);
    boolean isDouble = type.component().equals(DataTypes.FLOAT64);
    return new CellVector.Structs(
        to,
        List.of(
            of(isDouble ? first : first.cast(DataTypes.FLOAT32), null),
            of(isDouble ? second : second.cast(DataTypes.FLOAT32), null)),
        null,
        null);
  }

  private static CellVector objects(
      NdArray values, org.apache.spark.sql.types.DataType to, boolean @Nullable [] nulls) {
    NdArray flat = flat(values);
    DataType type = values.dataType();
    Object[] all = new Object[(int) flat.shape().extent(0)];
    for (int i = 0; i < all.length; i++) {
      if (type instanceof StringType || type instanceof FixedLengthUtf32Type) {
        all[i] = UTF8String.fromBytes(flat.getString(i).getBytes(StandardCharsets.UTF_8));
      } else if (type instanceof BytesType || type instanceof NullTerminatedBytesType) {
        all[i] = flat.getByteString(i).toByteArray();
      } else {
        all[i] = flat.getRaw(i).toByteArray();
      }
    }
    return new CellVector.Objects(to, all, nulls, null);
  }
}
