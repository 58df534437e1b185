package dev.zarrreactive.arrow;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.arrow.ImageKind.Missing;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.RawBytesType;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** Finds the kind of column that a variable becomes. */
final class ColumnKinds {
  private static final ArrowType TEXT = ArrowType.Utf8.INSTANCE;
  private static final ArrowType BYTES = ArrowType.Binary.INSTANCE;

  /** A unit of Arrow, and how many of it a unit of NumPy is. */
  private record ArrowUnit(TimeUnit unit, long factor) {}

  private ColumnKinds() {}

  /** The indices of a dimension that has no coordinate. */
  static ColumnKind ofIndex() {
    return integers(64, true);
  }

  /**
   * Returns the kind of a variable.
   *
   * @throws UnsupportedFeatureException if Arrow has no type for the values
   */
  static ColumnKind of(Variable variable) {
    TimeCoding times = variable.times().orElse(null);
    DataType type = variable.dataType();
    if (times != null && !(type instanceof TimeType)) {
      return new ByteKind(TEXT, (flat, i) -> date(times, flat.getLong(i)));
    }
    ColumnKind kind = of(type, isNanMissing(variable));
    if (kind == null) {
      throw new UnsupportedFeatureException(
          "the variable "
              + variable.name()
              + " has values of "
              + type.name()
              + ", which Arrow has no type for: leave it out of the variables of the table",
          variable.isStored()
              ? Location.ofNode(variable.array().path().toString())
              : Location.UNKNOWN);
    }
    return kind;
  }

  /** Returns false if a NaN is a value that was stored as such. */
  private static boolean isNanMissing(Variable variable) {
    return !variable.isStored()
        || !variable.decoding().isIdentity()
        || variable.decoding().isNanMissing();
  }

  private static byte @Nullable [] date(TimeCoding times, long count) {
    return count == TimeType.NAT ? null : times.text(count).getBytes(StandardCharsets.UTF_8);
  }

  private static @Nullable ColumnKind of(DataType type, boolean isNanMissing) {
    if (type instanceof BoolType) {
      return new BitKind();
    } else if (type instanceof IntegerType integer) {
      int bits = Math.max(8, integer.bits());
      ColumnKind kind = integers(bits, integer.signed());
      return bits == integer.bits()
          ? kind
          : new ConvertedKind(
              kind, data -> data.cast(integer.signed() ? DataTypes.INT8 : DataTypes.UINT8));
    } else if (type instanceof FloatType) {
      return floats(type, isNanMissing);
    } else if (type instanceof TimeType time) {
      return times(time);
    } else if (type instanceof StringType || type instanceof FixedLengthUtf32Type) {
      return new ByteKind(TEXT, (flat, i) -> flat.getString(i).getBytes(StandardCharsets.UTF_8));
    } else if (type instanceof BytesType || type instanceof NullTerminatedBytesType) {
      return new ByteKind(BYTES, (flat, i) -> flat.getByteString(i).toByteArray());
    } else if (type instanceof JsonType) {
      return new ByteKind(
          TEXT, (flat, i) -> flat.toJson(i).toString().getBytes(StandardCharsets.UTF_8));
    } else if (type instanceof RawType || type instanceof RawBytesType) {
      int size = type.itemSize();
      return new ImageKind(new ArrowType.FixedSizeBinary(size), size, Missing.NOTHING);
    } else if (type instanceof ComplexType complex) {
      return complex(complex, isNanMissing);
    } else if (type instanceof StructType struct) {
      return struct(struct);
    }
    return null;
  }

  private static ColumnKind integers(int bits, boolean isSigned) {
    return new ImageKind(new ArrowType.Int(bits, isSigned), bits / 8, Missing.NOTHING);
  }

  private static ColumnKind floats(DataType type, boolean isNanMissing) {
    if (type.equals(DataTypes.FLOAT64)) {
      return new ImageKind(
          new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
          8,
          isNanMissing ? Missing.NAN_OF_8_BYTES : Missing.NOTHING);
    } else if (type.equals(DataTypes.FLOAT16)) {
      return new ImageKind(
          new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
          2,
          isNanMissing ? Missing.NAN_OF_2_BYTES : Missing.NOTHING);
    }
    ImageKind floats =
        new ImageKind(
            new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
            4,
            isNanMissing ? Missing.NAN_OF_4_BYTES : Missing.NOTHING);
    return type.equals(DataTypes.FLOAT32)
        ? floats
        : new ConvertedKind(floats, data -> data.cast(DataTypes.FLOAT32));
  }

  private static @Nullable ColumnKind times(TimeType type) {
    ArrowUnit unit = unit(type);
    if (unit == null) {
      return null;
    }
    ImageKind kind =
        new ImageKind(
            type instanceof Datetime64Type
                ? new ArrowType.Timestamp(unit.unit(), null)
                : new ArrowType.Duration(unit.unit()),
            8,
            Missing.NOT_A_TIME);
    return unit.factor() == 1
        ? kind
        : new ConvertedKind(kind, data -> multiplied(data, type, unit.factor()));
  }

  private static NdArray multiplied(NdArray data, TimeType type, long factor) {
    long[] counts = data.toLongArray();
    for (int i = 0; i < counts.length; i++) {
      try {
        counts[i] = counts[i] == TimeType.NAT ? counts[i] : Math.multiplyExact(counts[i], factor);
      } catch (ArithmeticException e) {
        throw new InvalidInputException(
            "a timestamp of Arrow counts at most 2^63 seconds, and the time "
                + counts[i]
                + " of "
                + type.name()
                + " is beyond",
            e);
      }
    }
    return NdArray.ofLongs(DataTypes.INT64, Shape.of(counts.length), counts);
  }

  /** Returns null for a unit without a length, and for one that Arrow cannot express. */
  private static @Nullable ArrowUnit unit(TimeType type) {
    long scale = type.scaleFactor();
    return switch (type.unit()) {
      case WEEK -> new ArrowUnit(TimeUnit.SECOND, 7 * 86_400 * scale);
      case DAY -> new ArrowUnit(TimeUnit.SECOND, 86_400 * scale);
      case HOUR -> new ArrowUnit(TimeUnit.SECOND, 3600 * scale);
      case MINUTE -> new ArrowUnit(TimeUnit.SECOND, 60 * scale);
      case SECOND -> new ArrowUnit(TimeUnit.SECOND, scale);
      case MILLISECOND -> new ArrowUnit(TimeUnit.MILLISECOND, scale);
      case MICROSECOND -> new ArrowUnit(TimeUnit.MICROSECOND, scale);
      case NANOSECOND -> new ArrowUnit(TimeUnit.NANOSECOND, scale);
      default -> null;
    };
  }

  private static ColumnKind complex(ComplexType type, boolean isNanMissing) {
    DataType part =
        type.component().equals(DataTypes.FLOAT64) ? DataTypes.FLOAT64 : DataTypes.FLOAT32;
    ColumnKind floats = floats(part, isNanMissing);
    return new StructKind(
        List.of(
            new StructKind.Part("real", floats, data -> part(data, part, NdArray::getReal)),
            new StructKind.Part("imaginary", floats, data -> part(data, part, NdArray::getImag))));
  }

  private static NdArray part(
      NdArray data, DataType type, ToDoubleBiFunction<NdArray, long[]> component) {
    int count = (int) data.shape().elementCountUpTo(Integer.MAX_VALUE);
    NdArray flat = data.reshape(Shape.of(count));
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = component.applyAsDouble(flat, new long[] {i});
    }
    NdArray doubles = NdArray.ofDoubles(Shape.of(count), values);
    return type.equals(DataTypes.FLOAT64) ? doubles : doubles.cast(type);
  }

  private static @Nullable ColumnKind struct(StructType type) {
    List<StructKind.Part> parts = new ArrayList<>();
    for (StructField field : type.fields()) {
      ColumnKind kind = of(field.dataType(), false);
      if (kind == null) {
        return null;
      }
      parts.add(
          new StructKind.Part(field.name(), kind, data -> data.field(field.name()).toContiguous()));
    }
    return new StructKind(List.copyOf(parts));
  }
}
