package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Bulk copies give what the single accessors give, or refuse where they refuse. */
class NdArrayBulkTest {
  @org.junit.jupiter.api.Test
  void doubles_become_the_nearest_floats_and_counts_become_instants() {
    NdArray doubles = NdArray.ofDoubles(Shape.of(2, 2), 0.1, 1e300, Double.NaN, -0.0);
    assertThat(doubles.transpose().toNearestFloatArray())
        .containsExactly(0.1f, Float.NaN, Float.POSITIVE_INFINITY, -0.0f);
    NdArray times =
        NdArray.ofLongs(DataTypes.datetime64(NumpyUnit.SECOND, 1), Shape.of(2, 1), 0, 86400);
    assertThat(times.transpose().toInstantArray())
        .containsExactly(Instant.EPOCH, Instant.parse("1970-01-02T00:00:00Z"));
  }

  @Provide
  Arbitrary<DataType> types() {
    return Arbitraries.of(DataTypes.named());
  }

  @Property
  void copies_hold_the_values_of_the_single_accessors(
      @ForAll("types") DataType type, @ForAll @Size(min = 1, max = 80) byte[] bits) {
    int count = bits.length / type.itemSize();
    int offset = bits.length % type.itemSize();
    NdArray array =
        NdArray.wrap(type, Shape.of(count), Bytes.wrap(bits, offset, count * type.itemSize()));
    compareCopies(count, array);
    compareCopies(count / 2, array.slice(shape -> everySecond(count / 2)));
  }

  private static ResolvedSelection everySecond(int count) {
    return new ResolvedSelection.Orthogonal(List.of(new Axis.Range(1, count, 2, false)));
  }

  private static void compareCopies(int count, NdArray array) {
    compare(count, i -> array.getBoolean(i), () -> boxed(array.toBooleanArray()));
    compare(count, i -> array.getByte(i), () -> boxed(array.toByteArray()));
    compare(count, i -> array.getShort(i), () -> boxed(array.toShortArray()));
    compare(count, i -> array.getInt(i), () -> boxed(array.toIntArray()));
    compare(count, i -> array.getLong(i), () -> boxed(array.toLongArray()));
    compare(count, i -> array.getFloat(i), () -> boxed(array.toFloatArray()));
    compare(count, i -> array.getDouble(i), () -> boxed(array.toDoubleArray()));
    compare(
        2 * count,
        i -> i % 2 == 0 ? array.getReal(i / 2) : array.getImag(i / 2),
        () -> boxed(array.toComplexDoubleArray()));
  }

  private interface Copy {
    Object[] get();
  }

  private static void compare(int count, IntFunction<Object> single, Copy copy) {
    if (count == 0) {
      return;
    }
    Object[] expected = new Object[count];
    try {
      for (int i = 0; i < count; i++) {
        expected[i] = single.apply(i);
      }
    } catch (UnsupportedOperationException e) {
      assertThatThrownBy(copy::get).isInstanceOf(UnsupportedOperationException.class);
      return;
    }
    assertThat(copy.get()).isEqualTo(expected);
  }

  private static Object[] boxed(Object primitives) {
    Object[] boxes = new Object[java.lang.reflect.Array.getLength(primitives)];
    for (int i = 0; i < boxes.length; i++) {
      boxes[i] = java.lang.reflect.Array.get(primitives, i);
    }
    return boxes;
  }

  @Property
  void what_is_put_in_comes_out_bit_for_bit(@ForAll float[] floats, @ForAll double[] doubles) {
    assertThat(NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(floats.length), floats).toFloatArray())
        .isEqualTo(floats);
    assertThat(NdArray.ofDoubles(Shape.of(doubles.length), doubles).toDoubleArray())
        .isEqualTo(doubles);
    double[] pairs = java.util.Arrays.copyOf(doubles, doubles.length / 2 * 2);
    assertThat(NdArray.ofComplex(Shape.of(pairs.length / 2), pairs).toComplexDoubleArray())
        .isEqualTo(pairs);
  }

  @Test
  void complex_parts_come_in_turn() {
    NdArray array = NdArray.ofComplex(Shape.of(2), 1f, 2f, 3f, 4f);
    assertThat(array.toComplexFloatArray()).containsExactly(1, 2, 3, 4);
    assertThat(array.toComplexDoubleArray()).containsExactly(1, 2, 3, 4);
    assertThatThrownBy(() -> NdArray.ofComplex(Shape.of(0), new double[0]).toComplexFloatArray())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("complex128 cannot be read as complex numbers of floats");
  }

  @Test
  void unsigned_values_widen() {
    NdArray bytes = NdArray.ofBytes(DataTypes.UINT8, Shape.of(2), (byte) -1, (byte) 1);
    assertThat(bytes.toShortArray()).containsExactly(255, 1);
    assertThat(bytes.toFloatArray()).containsExactly(255, 1);
    assertThatThrownBy(bytes::toByteArray).isInstanceOf(UnsupportedOperationException.class);
    NdArray ints = NdArray.ofInts(DataTypes.UINT32, Shape.of(1), -1);
    assertThat(ints.toLongArray()).containsExactly(4294967295L);
    assertThat(ints.toDoubleArray()).containsExactly(4294967295.0);
  }

  @Test
  void views_show_the_bits() {
    assertThat(NdArray.ofInts(DataTypes.UINT32, Shape.of(2), -1, 7).asIntBuffer().get(0))
        .isEqualTo(-1);
    assertThat(NdArray.ofShorts(DataTypes.FLOAT16, Shape.of(1), (short) 9).asShortBuffer().get(0))
        .isEqualTo((short) 9);
    assertThat(NdArray.ofLongs(DataTypes.UINT64, Shape.of(1), -3).asLongBuffer().get(0))
        .isEqualTo(-3);
    assertThat(NdArray.ofComplex(Shape.of(1), 1f, 2f).asFloatBuffer().get(1)).isEqualTo(2);
    assertThat(NdArray.ofComplex(Shape.of(1), 1d, 2d).asDoubleBuffer().get(1)).isEqualTo(2);
    assertThat(NdArray.ofInts(DataTypes.INT32, Shape.of(1), 258).asByteBuffer().order())
        .isEqualTo(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void views_are_read_only_and_of_their_type_only() {
    NdArray array = NdArray.ofInts(DataTypes.INT32, Shape.of(1), 258);
    assertThatThrownBy(() -> array.asIntBuffer().put(0, 1))
        .isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> array.asByteBuffer().put(0, (byte) 1))
        .isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(array::asFloatBuffer)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("int32 cannot be read as floats without loss; use getInt or toIntArray");
  }

  @Test
  void a_copy_is_a_copy() {
    NdArray array = NdArray.ofBytes(DataTypes.INT8, Shape.of(1), (byte) 1);
    array.toByteArray()[0] = 9;
    assertThat(array.getByte(0)).isEqualTo((byte) 1);
  }
}
