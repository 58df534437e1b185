package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values beside those of their groups, where labels have other types, are missing or too many. */
class GroupArithmeticTest {
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
  private int made;

  private Dataset dataset(String label, NdArray labels, double... values) {
    return requireNonNull(
        await(
            Dataset.builder()
                .coordinate(label, List.of("x"), labels, any -> any)
                .variable("v", List.of("x"), NdArray.ofDoubles(Shape.of(values.length), values))
                .write(hierarchy, "d" + made++)));
  }

  private Dataset groups(NdArray labels, String name, double... values) {
    return requireNonNull(
        await(
            Dataset.builder()
                .coordinate("kind", labels)
                .variable(name, List.of("kind"), NdArray.ofDoubles(Shape.of(values.length), values))
                .write(hierarchy, "g" + made++)));
  }

  private static NdArray wholes(long... labels) {
    return NdArray.ofLongs(DataTypes.INT64, Shape.of(labels.length), labels);
  }

  private static NdArray reals(double... labels) {
    return NdArray.ofDoubles(Shape.of(labels.length), labels);
  }

  private static double[] values(Dataset dataset) {
    return requireNonNull(await(dataset.variable("v").read())).toDoubleArray();
  }

  @Test
  void labels_are_equal_as_numbers() {
    Dataset dataset = dataset("kind", wholes(20, 30, 20), 1, 2, 3);
    Dataset means = groups(reals(30, 20.0), "v", 100, 10);
    assertThat(values(requireNonNull(await(dataset.groupBy("kind").minus(means)))))
        .containsExactly(-9, -98, -7);
    Dataset narrow = groups(wholes(20, 30).cast(DataTypes.INT8), "v", 10, 100);
    assertThat(values(requireNonNull(await(dataset.groupBy("kind").plus(narrow)))))
        .containsExactly(11, 102, 13);
  }

  @Test
  void values_of_a_group_that_the_others_lack_are_missing() {
    Dataset dataset = dataset("kind", wholes(20, 30, 40), 1, 2, 3);
    Dataset means = groups(wholes(40, 20), "v", 100, 10);
    assertThat(values(requireNonNull(await(dataset.groupBy("kind").minus(means)))))
        .containsExactly(-9, Double.NaN, -97);
  }

  @Test
  void values_of_groups_are_repeated_block_by_block() {
    int times = 2_000_000;
    long[] kinds = new long[times];
    Arrays.setAll(kinds, i -> i % 12);
    await(hierarchy.createGroup("large"));
    await(
        hierarchy.createArray(
            "large/v",
            ArrayMetadata.v3(Shape.of(times, 100, 100), DataTypes.FLOAT64)
                .chunkShape(10, 100, 100)
                .dimensionNames("x", "a", "b")
                .fillValue(FillValue.of(DataTypes.FLOAT64, 3.0))
                .build()));
    Dataset large =
        requireNonNull(await(Dataset.open(hierarchy, "large")))
            .assign(Variable.of("kind", List.of("x"), wholes(kinds)));
    double[] means = new double[12 * 100 * 100];
    Arrays.setAll(means, i -> i / 10_000);
    Dataset groups =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("kind", wholes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
                    .variable(
                        "v",
                        List.of("kind", "a", "b"),
                        NdArray.ofDoubles(Shape.of(12, 100, 100), means))
                    .write(hierarchy, "means")));
    Variable apart = requireNonNull(await(large.groupBy("kind").minus(groups))).variable("v");
    assertThat(apart.shape()).as("160 GB").isEqualTo(Shape.of(times, 100, 100));
    assertThat(requireNonNull(await(apart.read("1999995:,7,9"))).toDoubleArray())
        .containsExactly(0, -1, -2, -3, -4);
    assertThat(requireNonNull(await(apart.isel("x", "24:26").over().mean())).getDouble())
        .isEqualTo(2.5);
  }

  @Test
  void anomalies_whose_rows_are_large_are_written_chunk_by_chunk() {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    ZarrHierarchy small =
        Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(1 << 17));
    double[] values = new double[8 * 40 * 40];
    Arrays.setAll(values, i -> i % 991);
    Shape shape = Shape.of(8, 40, 40);
    Dataset dataset =
        requireNonNull(
                await(
                    Dataset.builder()
                        .variable(
                            "v",
                            List.of("x", "a", "b"),
                            NdArray.ofDoubles(shape, values),
                            v -> v.chunkShape(4, 10, 10))
                        .write(small, "d")))
            .assign(Variable.of("kind", List.of("x"), wholes(1, 2, 1, 2, 1, 2, 1, 2)));
    DatasetReduction kinds = dataset.groupBy("kind");
    Dataset means = requireNonNull(await(kinds.mean("v")));
    Dataset apart = requireNonNull(await(kinds.minus(means)));
    store.counts().reset();
    Dataset written = requireNonNull(await(apart.writeTo(small, "apart")));
    assertThat(
            store.counts().requests().stream()
                .filter(request -> request.target().contains("d/v/c/"))
                .count())
        .as("each of 32 chunks once, where a row of them takes 51 kB")
        .isEqualTo(32);
    assertThat(written.variable("v").array().chunkGrid().largestChunkShape())
        .isEqualTo(Shape.of(4, 10, 10));
    NdArray found = requireNonNull(await(written.variable("v").read()));
    assertThat(found).isEqualTo(await(apart.variable("v").read()));
    assertThat(found.getDouble(7, 39, 39))
        .isEqualTo(
            values[7 * 1600 + 1599]
                - (values[1600 + 1599]
                        + values[3 * 1600 + 1599]
                        + values[5 * 1600 + 1599]
                        + values[7 * 1600 + 1599])
                    / 4);
  }

  @Test
  void results_of_float32_are_float32_and_rounded_once() {
    float[] values = {0.1f, 1e8f, 0.7f, 3};
    Dataset dataset =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("kind", List.of("x"), wholes(1, 2, 1, 2), any -> any)
                    .variable(
                        "v", List.of("x"), NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(4), values))
                    .write(hierarchy, "floats")));
    DatasetReduction kinds = dataset.groupBy("kind");
    Dataset means = requireNonNull(await(kinds.mean()));
    assertThat(means.variable("v").dataType()).isEqualTo(DataTypes.FLOAT64);
    double[] mean = values(means);
    Variable apart = requireNonNull(await(kinds.minus(means))).variable("v");
    assertThat(apart.dataType()).isEqualTo(DataTypes.FLOAT32);
    assertThat(requireNonNull(await(apart.read())).toFloatArray())
        .containsExactly(
            (float) (values[0] - mean[0]),
            (float) (values[1] - mean[1]),
            (float) (values[2] - mean[0]),
            (float) (values[3] - mean[1]));
    Variable parts = requireNonNull(await(kinds.dividedBy(means))).variable("v");
    assertThat(requireNonNull(await(parts.read())).toFloatArray())
        .startsWith((float) (values[0] / mean[0]), (float) (values[1] / mean[1]));
  }

  @Test
  void positions_without_a_label_are_left_out() {
    Dataset dataset = dataset("kind", reals(20, Double.NaN, 30), 1, 2, 3);
    Dataset means = groups(reals(20, 30), "v", 10, 100);
    Dataset apart = requireNonNull(await(dataset.groupBy("kind").minus(means)));
    assertThat(apart.sizes()).containsEntry("x", 2L);
    assertThat(values(apart)).containsExactly(-9, -97);
  }

  @Test
  void variables_that_only_one_has_are_left_out() {
    Dataset dataset = dataset("kind", wholes(20, 30), 1, 2);
    Dataset means =
        groups(wholes(20, 30), "v", 10, 100)
            .assign(Variable.of("more", List.of("kind"), reals(1, 2)));
    Dataset apart = requireNonNull(await(dataset.groupBy("kind").minus(means)));
    assertThat(apart.dataVariables()).containsOnlyKeys("v");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> await(dataset.groupBy("kind").minus(groups(wholes(20, 30), "w", 1, 2))))
        .withMessageContaining("no data variable is in both: the other dataset has w")
        .withMessageContaining("and this one v");
  }

  @Test
  void times_are_equal_as_instants_whatever_their_units() {
    List<Instant> days =
        List.of(Instant.parse("2020-01-01T00:00:00Z"), Instant.parse("2020-02-01T00:00:00Z"));
    Dataset dataset =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate(
                        "time",
                        List.of(days.get(0), days.get(0).plusSeconds(86400), days.get(1)),
                        time -> time.times("hours since 2000-01-01"))
                    .variable("v", List.of("time"), reals(1, 2, 3))
                    .write(hierarchy, "hours")));
    Dataset means =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("time", days, time -> time.times("days since 1970-01-01"))
                    .variable("v", List.of("time"), reals(10, 100))
                    .write(hierarchy, "days")));
    assertThat(
            values(
                requireNonNull(await(dataset.resample("time", CalendarPeriod.MONTH).minus(means)))))
        .containsExactly(-9, -8, -97);
  }
}
