package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import java.util.List;

/** The data types without a configuration, and data types by name. */
public final class DataTypes {
  /** {@code bool}. */
  public static final DataType BOOL = new BoolType();

  /** {@code int2}. */
  public static final DataType INT2 = new IntegerType(2, true);

  /** {@code int4}. */
  public static final DataType INT4 = new IntegerType(4, true);

  /** {@code int8}. */
  public static final DataType INT8 = new IntegerType(8, true);

  /** {@code int16}. */
  public static final DataType INT16 = new IntegerType(16, true);

  /** {@code int32}. */
  public static final DataType INT32 = new IntegerType(32, true);

  /** {@code int64}. */
  public static final DataType INT64 = new IntegerType(64, true);

  /** {@code uint2}. */
  public static final DataType UINT2 = new IntegerType(2, false);

  /** {@code uint4}. */
  public static final DataType UINT4 = new IntegerType(4, false);

  /** {@code uint8}. */
  public static final DataType UINT8 = new IntegerType(8, false);

  /** {@code uint16}. */
  public static final DataType UINT16 = new IntegerType(16, false);

  /** {@code uint32}. */
  public static final DataType UINT32 = new IntegerType(32, false);

  /** {@code uint64}. */
  public static final DataType UINT64 = new IntegerType(64, false);

  /** {@code float16}. */
  public static final DataType FLOAT16 = new FloatType(FloatFormat.FLOAT16);

  /** {@code float32}. */
  public static final DataType FLOAT32 = new FloatType(FloatFormat.FLOAT32);

  /** {@code float64}. */
  public static final DataType FLOAT64 = new FloatType(FloatFormat.FLOAT64);

  /** {@code bfloat16}. */
  public static final DataType BFLOAT16 = new FloatType(FloatFormat.BFLOAT16);

  /** {@code float8_e3m4}. */
  public static final DataType FLOAT8_E3M4 = new FloatType(FloatFormat.FLOAT8_E3M4);

  /** {@code float8_e4m3}. */
  public static final DataType FLOAT8_E4M3 = new FloatType(FloatFormat.FLOAT8_E4M3);

  /** {@code float8_e4m3fn}, which is unregistered: TensorStore writes it. */
  public static final DataType FLOAT8_E4M3FN = new FloatType(FloatFormat.FLOAT8_E4M3FN);

  /** {@code float8_e5m2}. */
  public static final DataType FLOAT8_E5M2 = new FloatType(FloatFormat.FLOAT8_E5M2);

  /** {@code float8_e4m3fnuz}. */
  public static final DataType FLOAT8_E4M3FNUZ = new FloatType(FloatFormat.FLOAT8_E4M3FNUZ);

  /** {@code float8_e4m3b11fnuz}. */
  public static final DataType FLOAT8_E4M3B11FNUZ = new FloatType(FloatFormat.FLOAT8_E4M3B11FNUZ);

  /** {@code float8_e5m2fnuz}. */
  public static final DataType FLOAT8_E5M2FNUZ = new FloatType(FloatFormat.FLOAT8_E5M2FNUZ);

  /** {@code float8_e8m0fnu}. */
  public static final DataType FLOAT8_E8M0FNU = new FloatType(FloatFormat.FLOAT8_E8M0FNU);

  /** {@code float6_e2m3fn}. */
  public static final DataType FLOAT6_E2M3FN = new FloatType(FloatFormat.FLOAT6_E2M3FN);

  /** {@code float6_e3m2fn}. */
  public static final DataType FLOAT6_E3M2FN = new FloatType(FloatFormat.FLOAT6_E3M2FN);

  /** {@code float4_e2m1fn}. */
  public static final DataType FLOAT4_E2M1FN = new FloatType(FloatFormat.FLOAT4_E2M1FN);

  /** {@code complex64}. */
  public static final DataType COMPLEX64 = complex(FloatFormat.FLOAT32);

  /** {@code complex128}. */
  public static final DataType COMPLEX128 = complex(FloatFormat.FLOAT64);

  /** {@code string}. */
  public static final StringType STRING = new StringType();

  /** {@code bytes}. */
  public static final BytesType BYTES = new BytesType(BytesType.NAME);

  private DataTypes() {}

  /** Returns the complex numbers of two floats of a format, such as {@code complex_bfloat16}. */
  public static DataType complex(FloatFormat parts) {
    return new ComplexType(new FloatType(parts));
  }

  /** Returns the raw type {@code r<bits>}. */
  public static DataType raw(int bits) {
    return new RawType(bits);
  }

  /**
   * Returns {@code numpy.datetime64}: counts of {@code scaleFactor} units since the beginning of
   * 1970.
   */
  public static Datetime64Type datetime64(NumpyUnit unit, int scaleFactor) {
    return new Datetime64Type(unit, scaleFactor);
  }

  /** Returns {@code numpy.timedelta64}: counts of {@code scaleFactor} units. */
  public static Timedelta64Type timedelta64(NumpyUnit unit, int scaleFactor) {
    return new Timedelta64Type(unit, scaleFactor);
  }

  /** Returns {@code fixed_length_utf32}: texts of up to {@code codePoints} code points. */
  public static DataType fixedLengthUtf32(int codePoints) {
    return new FixedLengthUtf32Type(Math.multiplyExact(Integer.BYTES, codePoints));
  }

  /** Returns {@code struct}: items of these fields. */
  public static StructType struct(StructField... fields) {
    return new StructType(List.of(fields));
  }

  /** Returns {@code zarrs.optional}: elements of a type, each of which may be missing. */
  public static OptionalType optional(DataType inner) {
    return DataTypesByName.optional("zarrs.optional", inner);
  }

  /**
   * The data types of fixed length without a configuration, except {@code r<N>}, sorted by name.
   */
  public static List<DataType> named() {
    return DataTypesByName.withoutConfiguration();
  }

  /** The data types of variable length that metadata can name, sorted by name. */
  public static List<VariableLengthType> ofVariableLength() {
    return DataTypesByName.ofVariableLength();
  }

  /**
   * Returns the data type that metadata name.
   *
   * @throws dev.zarrreactive.error.UnknownExtensionException if the name is unknown
   * @throws dev.zarrreactive.error.MetadataException if its configuration is wrong, or {@code
   *     must_understand} is false, which the specification forbids
   */
  public static DataType parse(NamedConfiguration extension) {
    extension.requireUnderstanding("a data type");
    return DataTypesByName.parse(extension);
  }
}
