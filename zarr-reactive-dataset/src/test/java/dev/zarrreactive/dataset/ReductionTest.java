package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.test.StepVerifier;

/** Statistics over dimensions against sums over all elements, and what cannot be done. */
class ReductionTest {
  private static final List<String> NAMES = List.of("a", "b", "c");

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private int created;
  private ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  private Variable variable(ArrayMetadataBuilder metadata, NdArray data, ZarrOptions options) {
    String name = "v" + created++;
    hierarchy = Zarr.hierarchy(store, options);
    await(hierarchy.createGroup(name));
    await(
        hierarchy
            .createArray(name + "/x", metadata.build())
            .flatMap(array -> array.write(Selection.all(), data)));
    return requireNonNull(await(Dataset.open(hierarchy, name))).variable("x");
  }

  private static NdArray random(Random random, DataType type, Shape shape) {
    int[] values =
        random
            .ints(shape.elementCount().intValueExact(), -9, 100)
            .map(value -> value < 0 ? missing(type) : value)
            .toArray();
    return NdArray.ofInts(DataTypes.INT32, shape, values).cast(type);
  }

  private static int missing(DataType type) {
    return type.name().startsWith("u") ? 250 : -9;
  }

  private static Variable selected(Random random, Variable whole) {
    Variable part = whole;
    for (String name : NAMES) {
      long extent = part.shape().extent(part.dimensions().indexOf(name));
      String selection =
          switch (random.nextInt(7)) {
            case 0 -> Integer.toString(random.nextInt((int) extent));
            case 1 -> "::" + (1 + random.nextInt(3));
            case 2 ->
                "[" + random.nextInt((int) extent) + "," + random.nextInt((int) extent) + ",0]";
            case 3 -> random.nextInt((int) extent) + ":";
            default -> ":";
          };
      part = part.isel(name, selection);
    }
    return part;
  }

  @Property(tries = 150)
  void statistics_are_those_of_all_elements(@ForAll long seed, @ForAll boolean isSharded) {
    Random random = new Random(seed);
    Shape shape = Shape.of(1 + random.nextInt(9), 1 + random.nextInt(12), 1 + random.nextInt(50));
    DataType type =
        List.of(
                DataTypes.INT16,
                DataTypes.FLOAT32,
                DataTypes.FLOAT64,
                DataTypes.INT32,
                DataTypes.INT8,
                DataTypes.UINT8,
                DataTypes.UINT16)
            .get(random.nextInt(7));
    String fill = "'_FillValue': " + missing(type);
    List<String> attributes =
        List.of(
            "{" + fill + ", 'scale_factor': 0.25}",
            "{" + fill + ", 'scale_factor': -0.5, 'add_offset': 273.15}",
            "{" + fill + ", 'add_offset': -7}",
            "{" + fill + "}",
            "{'_FillValue': 70000}",
            "{'valid_max': 60}",
            "{}");
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(shape, type)
            .chunkShape(1 + random.nextInt(4), 1 + random.nextInt(8), 1 + random.nextInt(60))
            .dimensionNames("a", "b", "c")
            .attributes(Json.object(attributes.get(random.nextInt(attributes.size()))));
    if (isSharded) {
      metadata = metadata.chunkShape(2, 3, 8).shardShape(4, 6, 16);
    }
    Variable part =
        selected(random, variable(metadata, random(random, type, shape), ZarrOptions.defaults()));
    Set<String> over = new LinkedHashSet<>(part.dimensions());
    over.removeIf(name -> random.nextBoolean());
    if (over.isEmpty()) {
      over.addAll(part.dimensions());
    }
    boolean keeps = random.nextInt(4) == 0;
    Reduction reduction = part.over(over.toArray(String[]::new));
    Map<Statistic, NdArray> found =
        requireNonNull(
            await((keeps ? reduction.keepingMissing() : reduction).statistics(Statistic.values())));
    Model model = new Model(part, requireNonNull(await(part.read())), over);
    assertThat(reduction.dimensions()).isEqualTo(model.kept);
    found.forEach(
        (statistic, values) -> {
          assertThat(values.shape()).isEqualTo(model.shape());
          double[] theirs = values.cast(DataTypes.FLOAT64).toDoubleArray();
          for (int cell = 0; cell < theirs.length; cell++) {
            double expected = model.of(statistic, cell, keeps);
            if (Double.isNaN(expected)) {
              assertThat(theirs[cell]).as(statistic + " " + cell).isNaN();
            } else {
              assertThat(theirs[cell])
                  .as(statistic + " " + cell)
                  .isCloseTo(expected, within(1e-11 * Math.max(1, Math.abs(expected))));
            }
          }
        });
  }

  /** All values of each cell, in lists. */
  private static final class Model {
    final List<String> kept;
    private final long[] extents;
    private final List<List<Double>> cells = new ArrayList<>();

    Model(Variable part, NdArray values, Set<String> over) {
      List<String> names = part.dimensions();
      kept = names.stream().filter(name -> !over.contains(name)).toList();
      extents =
          kept.stream().mapToLong(name -> values.shape().extent(names.indexOf(name))).toArray();
      double[] all = values.cast(DataTypes.FLOAT64).toDoubleArray();
      int count = (int) Arrays.stream(extents).reduce(1, (a, b) -> a * b);
      IntStream.range(0, count).forEach(cell -> cells.add(new ArrayList<>()));
      for (int i = 0; i < all.length; i++) {
        int rest = i;
        int cell = 0;
        int stride = 1;
        for (int d = names.size() - 1; d >= 0; d--) {
          int extent = (int) values.shape().extent(d);
          if (kept.contains(names.get(d))) {
            cell += rest % extent * stride;
            stride *= extent;
          }
          rest /= extent;
        }
        cells.get(cell).add(all[i]);
      }
    }

    Shape shape() {
      return Shape.of(extents);
    }

    double of(Statistic statistic, int cell, boolean keeps) {
      double[] there =
          cells.get(cell).stream().filter(v -> !v.isNaN()).mapToDouble(v -> v).toArray();
      if (statistic == Statistic.COUNT) {
        return there.length;
      }
      boolean isMissing = keeps && there.length < cells.get(cell).size();
      double sum = Arrays.stream(there).sum();
      double mean = sum / there.length;
      double variance =
          Arrays.stream(there).map(v -> (v - mean) * (v - mean)).average().orElse(Double.NaN);
      double value =
          switch (statistic) {
            case SUM -> sum;
            case MEAN -> mean;
            case MIN -> Arrays.stream(there).min().orElse(Double.NaN);
            case MAX -> Arrays.stream(there).max().orElse(Double.NaN);
            case VARIANCE -> variance;
            default -> Math.sqrt(variance);
          };
      return isMissing ? Double.NaN : value;
    }
  }

  private Variable doubles(String attributes, ZarrOptions options, int chunk, double... values) {
    return variable(
        ArrayMetadata.v3(Shape.of(values.length), DataTypes.FLOAT64)
            .chunkShape(chunk)
            .dimensionNames("a")
            .attributes(Json.object(attributes)),
        NdArray.ofDoubles(Shape.of(values.length), values),
        options);
  }

  /** Their sums, their squares and their distances from the mean are exact. */
  @Example
  void statistics_of_integers_of_16_bits_are_exact_at_their_ends() {
    int[] values = new int[1 << 16];
    Arrays.setAll(values, i -> i % 2 == 0 ? Short.MIN_VALUE : Short.MAX_VALUE);
    values[7] = 5;
    Variable ends =
        variable(
            ArrayMetadata.v3(Shape.of(values.length), DataTypes.INT16)
                .chunkShape(values.length)
                .dimensionNames("a")
                .attributes(Json.object("{'_FillValue': 5, 'add_offset': 1e6}")),
            NdArray.ofInts(DataTypes.INT32, Shape.of(values.length), values).cast(DataTypes.INT16),
            ZarrOptions.defaults());
    Map<Statistic, NdArray> found =
        requireNonNull(await(ends.over().statistics(Statistic.values())));
    long low = 1 << 15;
    long high = low - 1;
    double sum = (double) (low * Short.MIN_VALUE + high * Short.MAX_VALUE);
    assertThat(found.get(Statistic.COUNT).getLong()).isEqualTo(65535);
    assertThat(found.get(Statistic.SUM).getDouble()).isEqualTo(sum + 65535e6);
    assertThat(found.get(Statistic.MIN).getDouble()).isEqualTo(1e6 + Short.MIN_VALUE);
    assertThat(found.get(Statistic.MAX).getDouble()).isEqualTo(1e6 + Short.MAX_VALUE);
    assertThat(found.get(Statistic.VARIANCE).getDouble()).isCloseTo(low * high, within(1e-6));
  }

  @Example
  void sums_of_chunks_keep_what_rounding_cuts_off() {
    double[] values = new double[3000];
    Arrays.fill(values, 1.0);
    values[0] = 1e16;
    values[2999] = -1e16;
    Variable variable = doubles("{}", ZarrOptions.defaults(), 1, values);
    assertThat(requireNonNull(await(variable.over().sum())).getDouble()).isEqualTo(2998);
    double infinite = Double.POSITIVE_INFINITY;
    assertThat(
            requireNonNull(
                    await(doubles("{}", ZarrOptions.defaults(), 1, 1, infinite, 2).over("a").sum()))
                .getDouble())
        .isEqualTo(infinite);
  }

  @Example
  void types_are_those_of_the_values_or_wider() {
    Shape shape = Shape.of(3);
    Variable shorts =
        variable(
            ArrayMetadata.v3(shape, DataTypes.UINT16).dimensionNames("a"),
            NdArray.ofInts(DataTypes.INT32, shape, 1, 65535, 7).cast(DataTypes.UINT16),
            ZarrOptions.defaults());
    Map<Statistic, NdArray> all =
        requireNonNull(await(shorts.over("a").statistics(Statistic.values())));
    assertThat(all.get(Statistic.MAX)).isEqualTo(NdArray.scalar(DataTypes.UINT16, 65535));
    assertThat(all.get(Statistic.SUM)).isEqualTo(NdArray.scalar(DataTypes.INT64, 65543));
    assertThat(all.get(Statistic.COUNT)).isEqualTo(NdArray.scalar(DataTypes.INT64, 3));
    assertThat(requireNonNull(all.get(Statistic.MEAN)).dataType()).isEqualTo(DataTypes.FLOAT64);
    Variable flags =
        variable(
            ArrayMetadata.v3(shape, DataTypes.BOOL).dimensionNames("a"),
            NdArray.ofBooleans(shape, true, false, true),
            ZarrOptions.defaults());
    assertThat(requireNonNull(await(flags.over().sum())).getLong()).isEqualTo(2);
    assertThat(requireNonNull(await(flags.over().min())).getBoolean()).isFalse();
  }

  @Example
  void what_cannot_be_exact_or_does_not_fit_is_refused() {
    Variable large =
        variable(
            ArrayMetadata.v3(Shape.of(2), DataTypes.INT64).dimensionNames("a"),
            NdArray.ofLongs(DataTypes.INT64, Shape.of(2), 1, (1L << 53) + 1),
            ZarrOptions.defaults());
    refused(large.over(), "beyond 2^53");
    refused(
        doubles("{'units': 'days since 2000-01-01'}", ZarrOptions.defaults(), 2, 1).over(),
        "statistics are of numbers");
    ZarrOptions small = ZarrOptions.defaults().withMaxInFlightBytes(3_000);
    Variable cells =
        variable(
            ArrayMetadata.v3(Shape.of(2, 500), DataTypes.INT8)
                .chunkShape(1, 10)
                .dimensionNames("a", "b"),
            NdArray.filled(
                Shape.of(2, 500), dev.zarrreactive.datatype.FillValue.of(DataTypes.INT8, 3)),
            small);
    refused(cells.over("a"), "take 4000 bytes, more than the 3000 of maxInFlightBytes");
    assertThat(requireNonNull(await(cells.over("b").mean())).toDoubleArray()).containsExactly(3, 3);
    assertThatIllegalArgumentException().isThrownBy(() -> cells.over("time"));
  }

  /** Sums and extremes of all cells take 40 kB; 20 kB may be in memory. */
  @Example
  void sums_that_do_not_fit_are_made_tile_by_tile_of_whole_chunks() {
    ZarrOptions small = ZarrOptions.defaults().withMaxInFlightBytes(20_000);
    int[] numbers = new Random(3).ints(6 * 40 * 25, -1000, 1000).toArray();
    Variable cells =
        variable(
            ArrayMetadata.v3(Shape.of(6, 40, 25), DataTypes.FLOAT64)
                .chunkShape(4, 8, 5)
                .dimensionNames("a", "b", "c"),
            NdArray.ofInts(DataTypes.INT32, Shape.of(6, 40, 25), numbers).cast(DataTypes.FLOAT64),
            small);
    store.counts().reset();
    Map<Statistic, NdArray> found =
        requireNonNull(await(cells.over("a").statistics(Statistic.SUM, Statistic.MAX)));
    assertThat(store.counts().total()).as("each of 50 chunks once").isEqualTo(50);
    double[] sums = requireNonNull(found.get(Statistic.SUM)).toDoubleArray();
    double[] greatest = requireNonNull(found.get(Statistic.MAX)).toDoubleArray();
    Variable weights = Variable.of("w", List.of("b"), NdArray.filled(Shape.of(40), two()));
    double[] weighted =
        requireNonNull(await(cells.over("a").weighted(weights).sum())).toDoubleArray();
    assertThat(sums).hasSize(1000);
    for (int cell = 0; cell < sums.length; cell++) {
      int at = cell;
      int[] its = IntStream.range(0, 6).map(a -> numbers[a * 1000 + at]).toArray();
      assertThat(sums[cell]).isEqualTo(Arrays.stream(its).sum());
      assertThat(weighted[cell]).isEqualTo(2.0 * Arrays.stream(its).sum());
      assertThat(greatest[cell]).isEqualTo(Arrays.stream(its).max().orElseThrow());
    }
  }

  private static dev.zarrreactive.datatype.FillValue two() {
    return dev.zarrreactive.datatype.FillValue.of(DataTypes.FLOAT64, 2);
  }

  private static List<String> starts(Dataset periods) {
    Variable time = periods.variable("time");
    return Arrays.stream(requireNonNull(await(time.read())).toLongArray())
        .mapToObj(count -> time.times().orElseThrow().text(count))
        .toList();
  }

  private static void refused(Reduction reduction, String part) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(reduction.mean()))
        .withMessageContaining(part)
        .withMessageContaining("/x");
  }

  @Example
  void a_cancel_ends_the_requests() {
    ZarrOptions options = ZarrOptions.defaults().withMaxConcurrency(2);
    Variable variable = doubles("{}", options, 1, new double[500]);
    store.counts().reset();
    HeldRequests held = store.hold(request -> request.target().contains("/c/"));
    StepVerifier.create(variable.over().mean())
        .then(() -> Waiting.eventually("chunks are asked for", () -> held.waiting() > 0))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    Waiting.eventually("the requests are cancelled", () -> held.waiting() == 0);
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
    store.behave();
  }

  @Property(tries = 100)
  void histograms_and_quantiles_are_those_of_sorted_values(@ForAll long seed) {
    Random random = new Random(seed);
    double[] values =
        random
            .doubles(1 + random.nextInt(300), -50, 50)
            .map(v -> v < -40 ? Double.NaN : v)
            .toArray();
    Variable variable =
        doubles("{}", ZarrOptions.defaults(), 1 + random.nextInt(40), values).isel("a", "::2");
    double[] sorted =
        IntStream.range(0, (values.length + 1) / 2)
            .mapToDouble(i -> values[2 * i])
            .filter(v -> !Double.isNaN(v))
            .sorted()
            .toArray();
    double[] edges = {
      -40, -1, 0, 30, sorted.length == 0 ? 50 : Math.max(31, sorted[sorted.length - 1])
    };
    long[] counts = requireNonNull(await(variable.histogram(edges)));
    for (int bin = 0; bin < counts.length; bin++) {
      double low = edges[bin];
      double high = edges[bin + 1];
      boolean isLast = bin == counts.length - 1;
      assertThat(counts[bin])
          .isEqualTo(
              Arrays.stream(sorted)
                  .filter(v -> v >= low && (isLast ? v <= high : v < high))
                  .count());
    }
    double[] wanted = {0, 0.1, 0.5, 0.99, 1};
    double[] found = requireNonNull(await(variable.quantiles(0.001, wanted)));
    for (int q = 0; q < wanted.length; q++) {
      if (sorted.length == 0) {
        assertThat(found[q]).isNaN();
      } else {
        double exact = sorted[(int) (wanted[q] * (sorted.length - 1))];
        assertThat(found[q]).isCloseTo(exact, within(1.0001e-3 * Math.abs(exact)));
      }
    }
  }

  @Example
  void distributions_check_their_arguments() {
    Variable variable = doubles("{}", ZarrOptions.defaults(), 1, 1, Double.POSITIVE_INFINITY);
    assertThatIllegalArgumentException().isThrownBy(() -> variable.histogram(1));
    assertThatIllegalArgumentException().isThrownBy(() -> variable.histogram(1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> variable.quantiles(0, 0.5));
    assertThatIllegalArgumentException().isThrownBy(() -> variable.quantiles(0.01, 1.5));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(variable.quantiles(0.01, 0.5)))
        .withMessageContaining("a value is Infinity");
  }

  @Example
  void periods_without_times_have_no_values_and_missing_times_are_in_none() {
    String name = "months";
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    await(hierarchy.createGroup(name));
    for (String array : List.of("time", "x")) {
      ArrayMetadata metadata =
          ArrayMetadata.v3(Shape.of(4), DataTypes.INT32)
              .chunkShape(3)
              .dimensionNames("time")
              .attributes(
                  Json.object(
                      array.equals("time")
                          ? "{'units': 'days since 2000-01-30', 'calendar': '360_day',"
                              + " '_FillValue': -1}"
                          : "{}"))
              .build();
      NdArray data = NdArray.ofInts(DataTypes.INT32, Shape.of(4), 60, 0, -1, 1);
      await(
          hierarchy
              .createArray(name + "/" + array, metadata)
              .flatMap(a -> a.write(Selection.all(), data)));
    }
    Dataset dataset = requireNonNull(await(Dataset.open(hierarchy, name)));
    Map<Statistic, Dataset> months =
        requireNonNull(
            await(
                dataset
                    .resample("time", CalendarPeriod.MONTH)
                    .statistics(List.of("x"), Statistic.values())));
    Dataset means = requireNonNull(months.get(Statistic.MEAN));
    assertThat(starts(means))
        .containsExactly("2000-01-01T00:00:00", "2000-02-01T00:00:00", "2000-03-01T00:00:00");
    assertThat(requireNonNull(await(means.variable("x").read())).toDoubleArray())
        .containsExactly(0, 1, 60);
    Dataset days = requireNonNull(await(dataset.resample("time", CalendarPeriod.DAY).mean("x")));
    assertThat(starts(days)).hasSize(61);
    assertThat(requireNonNull(await(days.variable("x").read())).toDoubleArray())
        .startsWith(0, 1, Double.NaN)
        .endsWith(60);
    NdArray sums =
        requireNonNull(
            await(
                dataset
                    .resample("time", CalendarPeriod.DAY)
                    .sum("x")
                    .flatMap(all -> all.variable("x").read())));
    assertThat(sums.dataType()).isEqualTo(DataTypes.INT64);
    assertThat(sums.toLongArray()).startsWith(0, 1, 0).endsWith(60);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dataset.resample("lat", CalendarPeriod.DAY));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> await(dataset.raw().resample("time", CalendarPeriod.DAY).mean("x")))
        .withMessageContaining("has no dates");
  }
}
