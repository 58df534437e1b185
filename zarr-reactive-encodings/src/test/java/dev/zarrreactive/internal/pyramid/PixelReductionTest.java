package dev.zarrreactive.internal.pyramid;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.pyramid.Downsampling;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Cells of elements, against their definition. */
class PixelReductionTest {
  /** Returns cells by their definition, element by element. */
  private static Object[] naive(NdArray elements, int[] factors, Downsampling method) {
    Map<Integer, List<Object>> cells = new HashMap<>();
    PixelReduction reduction = new PixelReduction(method, Arrays.stream(factors).boxed().toList());
    Shape shape = reduction.shape(elements.shape());
    elements.forEachIndex(
        index -> {
          long cell = 0;
          for (int d = 0; d < index.length; d++) {
            cell = cell * shape.extent(d) + index[d] / factors[d];
          }
          Object value =
              elements.dataType().toString().startsWith("float")
                  ? (Object) elements.getDouble(index)
                  : elements.getBigInteger(index);
          cells.computeIfAbsent((int) cell, key -> new ArrayList<>()).add(value);
        });
    Object[] expected = new Object[cells.size()];
    for (int i = 0; i < expected.length; i++) {
      List<Object> members = requireNonNull(cells.get(i));
      expected[i] =
          switch (method) {
            case NEAREST -> members.get(0);
            case MODE -> mode(members);
            case MEAN -> mean(members);
          };
    }
    return expected;
  }

  private static Object mode(List<Object> members) {
    Object best = members.get(0);
    int times = 0;
    for (Object candidate : members) {
      int own = (int) members.stream().filter(candidate::equals).count();
      if (own > times) {
        best = candidate;
        times = own;
      }
    }
    return best;
  }

  private static Object mean(List<Object> members) {
    if (members.get(0) instanceof BigInteger) {
      BigInteger sum =
          members.stream().map(BigInteger.class::cast).reduce(BigInteger.ZERO, BigInteger::add);
      return new BigDecimal(sum)
          .divide(BigDecimal.valueOf(members.size()), 3, RoundingMode.FLOOR)
          .add(new BigDecimal("0.5"))
          .setScale(0, RoundingMode.FLOOR)
          .toBigInteger();
    }
    return members.stream()
        .mapToDouble(Double.class::cast)
        .filter(value -> !Double.isNaN(value))
        .average()
        .orElse(Double.NaN);
  }

  @Property(tries = 500)
  void a_cell_is_made_as_by_its_definition(@ForAll long seed) {
    Random random = new Random(seed);
    int rank = 1 + random.nextInt(4);
    long[] extents = new long[rank];
    int[] factors = new int[rank];
    int count = 1;
    for (int d = 0; d < rank; d++) {
      extents[d] = 1 + random.nextInt(d == rank - 1 ? 40 : 7);
      factors[d] = 1 + random.nextInt(3);
      count *= (int) extents[d];
    }
    Shape shape = Shape.of(extents);
    int few = 1 + random.nextInt(6);
    boolean areFew = random.nextBoolean();
    long[] bits = new long[count];
    for (int i = 0; i < count; i++) {
      bits[i] = areFew ? random.nextInt(few) : random.nextLong();
    }
    DataType[] types = {
      DataTypes.INT8,
      DataTypes.UINT8,
      DataTypes.INT16,
      DataTypes.UINT16,
      DataTypes.INT32,
      DataTypes.UINT32,
      DataTypes.INT64,
      DataTypes.UINT64,
      DataTypes.FLOAT64
    };
    DataType type = types[random.nextInt(types.length)];
    NdArray elements =
        switch (type.itemSize()) {
          case 1 -> NdArray.ofBytes(type, shape, bytes(bits));
          case 2 -> NdArray.ofShorts(type, shape, shorts(bits));
          case 4 ->
              NdArray.ofInts(type, shape, Arrays.stream(bits).mapToInt(b -> (int) b).toArray());
          default ->
              type.equals(DataTypes.FLOAT64)
                  ? NdArray.ofDoubles(
                      shape,
                      Arrays.stream(bits)
                          .mapToDouble(b -> b % 5 == 4 ? Double.NaN : (b % 1000) / 8.0)
                          .toArray())
                  : NdArray.ofLongs(type, shape, bits);
        };
    for (Downsampling method : Downsampling.values()) {
      NdArray reduced =
          new PixelReduction(method, Arrays.stream(factors).boxed().toList()).of(elements);
      assertThat(reduced.dataType()).isEqualTo(type);
      Object[] expected = naive(elements, factors, method);
      int[] at = {0};
      reduced.forEachIndex(
          index -> {
            Object want = expected[at[0]++];
            if (want instanceof Double number) {
              assertThat(reduced.getDouble(index)).isEqualTo(number);
            } else {
              assertThat(reduced.getBigInteger(index)).isEqualTo(want);
            }
          });
      assertThat(at[0]).isEqualTo(expected.length);
    }
  }

  private static byte[] bytes(long[] bits) {
    byte[] values = new byte[bits.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) bits[i];
    }
    return values;
  }

  private static short[] shorts(long[] bits) {
    short[] values = new short[bits.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) bits[i];
    }
    return values;
  }

  @Test
  void halves_of_bool_and_small_floats_are_in_their_type() {
    PixelReduction mean = new PixelReduction(Downsampling.MEAN, List.of(2));
    assertThat(
            mean.of(NdArray.ofBooleans(Shape.of(5), true, false, false, false, true))
                .toBooleanArray())
        .containsExactly(true, false, true);
    NdArray half =
        NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(3), 1, 2, Float.NaN).cast(DataTypes.FLOAT16);
    assertThat(mean.of(half).dataType()).isEqualTo(DataTypes.FLOAT16);
    assertThat(mean.of(half).toFloatArray()).containsExactly(1.5f, Float.NaN);
    assertThat(
            mean.of(NdArray.ofBytes(DataTypes.INT8, Shape.of(2), (byte) -1, (byte) -2)).getByte(0))
        .isEqualTo((byte) -1);
  }

  @Test
  void a_part_of_larger_memory_and_a_large_cell_are_reduced_too() {
    byte[] values = new byte[3 * 40_000];
    Arrays.fill(values, (byte) 200);
    NdArray elements = NdArray.ofBytes(DataTypes.UINT8, Shape.of(3, 40_000), values);
    NdArray row = elements.slice(Selection.parse("1,8:24"));
    assertThat(new PixelReduction(Downsampling.MEAN, List.of(2)).of(row).toShortArray())
        .containsOnly((short) 200)
        .hasSize(8);
    NdArray mean = new PixelReduction(Downsampling.MEAN, List.of(1, 40_000)).of(elements);
    assertThat(mean.toShortArray()).containsOnly((short) 200).hasSize(3);
  }
}
