package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single elements: exact, or refused with the name of the right accessor. */
class NdArrayAccessTest {

  @Provide
  Arbitrary<DataType> integerTypes() {
    return Arbitraries.of(types(IntegerType.class));
  }

  @Provide
  Arbitrary<DataType> floatTypes() {
    return Arbitraries.of(types(FloatType.class)).filter(type -> type.itemSize() > 1);
  }

  private static List<DataType> types(Class<? extends DataType> kind) {
    return DataTypes.named().stream().filter(kind::isInstance).toList();
  }

  @Property
  void integers_are_exact_wherever_every_value_of_the_type_fits(
      @ForAll("integerTypes") DataType type, @ForAll @Size(8) byte[] bits) {
    IntegerType integers = (IntegerType) type;
    NdArray array = one(type, bits);
    BigInteger value = value(integers, bits);

    assertThat(array.getBigInteger()).isEqualTo(value);
    expect(fits(integers, Byte.SIZE), value, array, () -> (long) array.getByte());
    expect(fits(integers, Short.SIZE), value, array, () -> (long) array.getShort());
    expect(fits(integers, Integer.SIZE), value, array, () -> (long) array.getInt());
    expect(fits(integers, Long.SIZE), value, array, array::getLong);
    expect(!integers.signed(), value.longValue(), array, array::getUnsignedLong);
    expect(
        integers.bits() <= 16,
        value,
        array,
        () -> new BigDecimal(array.getFloat()).longValueExact());
    expect(
        integers.bits() <= 32,
        value,
        array,
        () -> new BigDecimal(array.getDouble()).longValueExact());
    assertThat(array.toJson(0)).hasToString(value.toString());
  }

  private static boolean fits(IntegerType type, int bits) {
    return type.min().bitLength() < bits && type.max().bitLength() < bits;
  }

  /** The value by definition: bits as a number in base 256, two's complement. */
  private static BigInteger value(IntegerType type, byte[] bits) {
    byte[] bigEndian = new byte[type.itemSize()];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[bigEndian.length - 1 - i] = bits[i];
    }
    BigInteger range = BigInteger.ONE.shiftLeft(type.bits());
    BigInteger value = new BigInteger(1, bigEndian).mod(range);
    return type.signed() && value.testBit(type.bits() - 1) ? value.subtract(range) : value;
  }

  private static void expect(
      boolean allowed, Number value, NdArray array, Supplier<Long> accessor) {
    if (allowed) {
      assertThat(accessor.get()).isEqualTo(value.longValue());
    } else {
      assertThatThrownBy(accessor::get)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageStartingWith(array.dataType() + " cannot be read as a");
    }
  }

  @Property
  void floats_are_exact(@ForAll("floatTypes") DataType type, @ForAll @Size(8) byte[] bits) {
    NdArray array = one(type, bits);
    double value = array.getDouble();
    assertThat(array.bytes()).isEqualTo(Bytes.wrap(bits, 0, type.itemSize()));
    if (Double.isFinite(value)) {
      assertThat(new BigDecimal(value)).isEqualByComparingTo(definition((FloatType) type, bits));
    }
    if (type.itemSize() <= Float.BYTES) {
      assertThat(Double.compare(array.getFloat(), value)).isZero();
    } else {
      assertThatThrownBy(array::getFloat)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage(
              "float64 cannot be read as a float without loss; use getDouble or toDoubleArray");
    }
  }

  /** Sign, mantissa and exponent by the definition of IEEE 754. */
  private static BigDecimal definition(FloatType type, byte[] bits) {
    BigInteger raw = value(new IntegerType(type.bits(), false), bits);
    int mantissaBits = type.format().mantissaBits();
    int exponentBits = type.bits() - 1 - mantissaBits;
    int bias = (1 << (exponentBits - 1)) - 1;
    BigInteger implicit = BigInteger.ONE.shiftLeft(mantissaBits);
    int field = raw.shiftRight(mantissaBits).intValue() & ((1 << exponentBits) - 1);
    BigInteger mantissa = raw.mod(implicit).add(field == 0 ? BigInteger.ZERO : implicit);
    int exponent = Math.max(field, 1) - bias - mantissaBits;
    BigDecimal power = BigDecimal.valueOf(2).pow(Math.abs(exponent));
    BigDecimal size = new BigDecimal(mantissa);
    size = exponent < 0 ? size.divide(power) : size.multiply(power);
    return raw.testBit(type.bits() - 1) ? size.negate() : size;
  }

  private static NdArray one(DataType type, byte[] bits) {
    return NdArray.wrap(type, Shape.SCALAR, Bytes.wrap(bits, 0, type.itemSize()));
  }

  @Test
  void indices_are_in_c_order() {
    NdArray array = NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 0, 1, 2, 3, 4, 5);
    assertThat(array.getInt(0, 2)).isEqualTo(2);
    assertThat(array.getInt(1, 0)).isEqualTo(3);
    assertThat(array.getLong(1, 2)).isEqualTo(5);
  }

  @Test
  void an_index_out_of_bounds_is_named() {
    NdArray array = NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 0, 1, 2, 3, 4, 5);
    assertThatThrownBy(() -> array.getInt(0, 3))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("index [0, 3] in an array of shape [2, 3]");
    assertThatThrownBy(() -> array.getInt(-1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> array.getInt(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("index [4] in an array of shape [2, 3]");
    assertThatThrownBy(() -> array.elements.intAt(6)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> array.elements.rawAt(-1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void an_index_out_of_bounds_never_reads_what_lies_beside_the_array() {
    byte[] larger = {1, 0, 2, 0, 3, 0, 4, 0};
    NdArray array = NdArray.wrap(DataTypes.INT16, Shape.of(2), Bytes.wrap(larger, 2, 4));
    assertThat(array.toIntArray()).containsExactly(2, 3);
    assertThatThrownBy(() -> array.elements.shortAt(2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    NdArray complex = NdArray.ofComplex(Shape.of(1), 1f, 2f);
    assertThatThrownBy(() -> complex.elements.imagAt(Integer.MIN_VALUE))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void uint64_is_read_as_bits_or_as_a_big_integer() {
    NdArray array = NdArray.ofLongs(DataTypes.UINT64, Shape.of(2), -1, 7);
    assertThat(Long.toUnsignedString(array.getUnsignedLong(0))).isEqualTo("18446744073709551615");
    assertThat(array.getBigInteger(0)).isEqualTo(new BigInteger("18446744073709551615"));
    assertThat(array.getBigInteger(1)).isEqualTo(BigInteger.valueOf(7));
    assertThatThrownBy(() -> array.getLong(1))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "uint64 cannot be read as a long without loss; use getUnsignedLong, getBigInteger or"
                + " asLongBuffer");
  }

  @Test
  void complex_numbers_have_two_parts() {
    NdArray single = NdArray.ofComplex(Shape.of(2), 1f, 2f, 3f, -0f);
    assertThat(single.dataType()).isEqualTo(DataTypes.COMPLEX64);
    assertThat(single.getReal(1)).isEqualTo(3.0);
    assertThat(Double.valueOf(single.getImag(1))).isEqualTo(Double.valueOf(-0.0));
    assertThat(single.toJson(1)).hasToString("[3.0,-0.0]");
    NdArray twice = NdArray.ofComplex(Shape.of(1), 1.5, Double.NaN);
    assertThat(twice.dataType()).isEqualTo(DataTypes.COMPLEX128);
    assertThat(twice.getReal(0)).isEqualTo(1.5);
    assertThat(twice.getImag(0)).isNaN();
  }

  @Test
  void raw_items_are_bytes() {
    NdArray array =
        NdArray.wrap(DataTypes.raw(24), Shape.of(2), Bytes.wrap(new byte[] {1, 2, 3, 4, 5, 6}));
    assertThat(array.getRaw(1)).isEqualTo(Bytes.wrap(new byte[] {4, 5, 6}));
    assertThat(array.toJson(1)).hasToString("[4,5,6]");
  }

  @Test
  void the_bits_of_every_type_can_be_had() {
    NdArray array = NdArray.ofFloats(DataTypes.FLOAT16, Shape.of(2), 1, -2);
    assertThat(array.getRaw(1)).isEqualTo(Bytes.wrap(new byte[] {0, (byte) 0xc0}));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bool | getBoolean or toBooleanArray",
        "int8 | getByte or toByteArray",
        "uint8 | getShort or toShortArray",
        "int16 | getShort or toShortArray",
        "uint16 | getInt or toIntArray",
        "int32 | getInt or toIntArray",
        "uint32 | getLong or toLongArray",
        "int64 | getLong or toLongArray",
        "int4 | getByte or toByteArray",
        "uint4 | getByte or toByteArray",
        "float16 | getFloat or toFloatArray",
        "float6_e2m3fn | getFloat or toFloatArray",
        "float32 | getFloat or toFloatArray",
        "complex64 | getReal and getImag, or toComplexDoubleArray",
        "r16 | getRaw or asByteBuffer",
      })
  void a_refusal_names_the_right_accessor(String name, String accessor) {
    NdArray array = NdArrayTest.zeros(name, Shape.of(1));
    String advice = "without loss; use " + accessor;
    // one accessor and one bulk copy that the type does not have, on empty arrays too
    if (name.equals("bool")) {
      assertThatThrownBy(() -> array.getInt(0))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageEndingWith(advice);
    } else {
      assertThatThrownBy(() -> array.getBoolean(0))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageEndingWith(advice);
    }
    assertThatThrownBy(
            () -> {
              if (name.startsWith("complex")) {
                NdArrayTest.zeros(name, Shape.of(0)).toDoubleArray();
              } else {
                NdArrayTest.zeros(name, Shape.of(0)).toComplexDoubleArray();
              }
            })
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageEndingWith(advice);
  }
}
