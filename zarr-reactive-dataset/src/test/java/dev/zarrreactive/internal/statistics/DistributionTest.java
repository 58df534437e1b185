package dev.zarrreactive.internal.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class DistributionTest {
  private static final List<Double> ASKED = List.of(0.0, 1.0, 33.3, 50.0, 99.9, 100.0);

  private static Distribution measured(NdArray data, int bins, int mostKept) {
    Distribution distribution = new Distribution(data.dataType(), ASKED, bins, mostKept);
    int passes = 0;
    do {
      distribution.add(data, 1);
      assertThat(++passes).isLessThanOrEqualTo(5);
    } while (distribution.endPass());
    return distribution;
  }

  private static void check(NdArray data, double[] values, int kept) {
    Distribution distribution = measured(data, 7, kept);
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    for (double percentile : ASKED) {
      double place = (sorted.length - 1) * (percentile / 100);
      double lower = sorted[(int) place];
      double upper = sorted[Math.min(sorted.length - 1, (int) place + 1)];
      double expected = lower + (upper - lower) * (place - Math.floor(place));
      double error = Math.ulp(Math.max(Math.abs(lower), Math.abs(upper))) * 4;
      assertThat(distribution.percentile(percentile))
          .isCloseTo(expected, org.assertj.core.data.Offset.offset(error));
    }
    assertThat(LongStream.of(distribution.histogram()).sum()).isEqualTo(sorted.length);
  }

  @Property(tries = 100)
  void percentiles_are_those_of_sorted_elements_however_few_are_kept(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3000) int count) {
    Random random = new Random(seed);
    for (int kept : new int[] {1, 20, 100_000}) {
      double[] doubles =
          random.doubles(count).map(x -> (x - 0.5) * Math.exp(random.nextInt(40))).toArray();
      check(NdArray.ofDoubles(Shape.of(count), doubles), doubles, kept);
      double[] few = random.ints(count, -3, 3).asDoubleStream().toArray();
      check(NdArray.ofDoubles(Shape.of(count), few), few, kept);
      float[] floats = new float[count];
      double[] wide = new double[count];
      for (int i = 0; i < count; i++) {
        floats[i] = (float) doubles[i];
        wide[i] = floats[i];
      }
      check(NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(count), floats), wide, kept);
      int[] ints = random.ints(count).toArray();
      check(
          NdArray.ofInts(DataTypes.INT32, Shape.of(count), ints),
          Arrays.stream(ints).asDoubleStream().toArray(),
          kept);
      long[] longs = random.longs(count).toArray();
      check(
          NdArray.ofLongs(DataTypes.INT64, Shape.of(count), longs),
          Arrays.stream(longs).asDoubleStream().toArray(),
          kept);
      check(
          NdArray.ofLongs(DataTypes.UINT64, Shape.of(count), longs),
          Arrays.stream(longs)
              .mapToObj(Long::toUnsignedString)
              .mapToDouble(Double::parseDouble)
              .toArray(),
          kept);
      for (DataType small : List.of(DataTypes.INT8, DataTypes.UINT8, DataTypes.UINT16)) {
        long[] bytes = random.longs(count, 0, 100).toArray();
        check(
            NdArray.ofLongs(DataTypes.INT64, Shape.of(count), bytes).cast(small),
            Arrays.stream(bytes).asDoubleStream().toArray(),
            kept);
      }
    }
  }

  @Property(tries = 10)
  void times_have_percentiles_that_are_elements(@ForAll long seed) {
    long[] counts = new Random(seed).longs(501, Long.MIN_VALUE + 1, Long.MAX_VALUE).toArray();
    NdArray times =
        NdArray.ofLongs(DataTypes.datetime64(NumpyUnit.NANOSECOND, 1), Shape.of(501), counts);
    Arrays.sort(counts);
    for (int kept : new int[] {1, 1000}) {
      assertThat(measured(times, 0, kept).nearest(50)).isEqualTo(counts[250]);
    }
  }

  @Property(tries = 1)
  void infinities_are_elements_outside_of_the_histogram() {
    double[] values = {Double.NEGATIVE_INFINITY, 1, 2, 3, Double.POSITIVE_INFINITY};
    Distribution distribution = measured(NdArray.ofDoubles(Shape.of(5), values), 2, 1);
    assertThat(distribution.histogram()).containsExactly(1, 2);
    assertThat(distribution.percentile(100)).isInfinite();
    assertThat(distribution.percentile(50)).isEqualTo(2);
  }
}
