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
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.test.StepVerifier;

/** Exact quantiles along dimensions against sorted values, and what is read for them. */
class QuantileTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private ZarrHierarchy hierarchy = Zarr.hierarchy(store);
  private int groups;

  private Dataset dataset(
      Shape shape, long[] chunk, NdArray values, String attributes, long bytesInFlight) {
    hierarchy = Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(bytesInFlight));
    String group = "g" + groups++;
    await(hierarchy.createGroup(group));
    await(
        hierarchy
            .createArray(
                group + "/x",
                ArrayMetadata.v3(shape, values.dataType())
                    .chunkShape(chunk)
                    .dimensionNames(
                        List.of("a", "b", "c").subList(0, shape.rank()).toArray(String[]::new))
                    .attributes(Json.object(attributes))
                    .build())
            .flatMap(array -> array.write(Selection.all(), values)));
    return requireNonNull(await(Dataset.open(hierarchy, group)));
  }

  /** Returns the quantile as NumPy's formula has it. */
  private static double quantile(double q, boolean keeps, List<Double> values) {
    double[] sorted =
        values.stream().filter(v -> !v.isNaN()).mapToDouble(v -> v).sorted().toArray();
    if (sorted.length == 0 || (keeps && sorted.length < values.size())) {
      return Double.NaN;
    }
    double rank = q * (sorted.length - 1);
    int low = (int) Math.floor(rank);
    int high = Math.min(sorted.length - 1, low + 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (rank - low);
  }

  @Property(tries = 200)
  void quantiles_are_those_of_sorted_values(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = Shape.of(1 + random.nextInt(60), 1 + random.nextInt(9), 1 + random.nextInt(9));
    DataType type =
        List.of(
                DataTypes.INT16,
                DataTypes.FLOAT16,
                DataTypes.FLOAT32,
                DataTypes.FLOAT64,
                DataTypes.INT64)
            .get(random.nextInt(5));
    int most = random.nextBoolean() ? 3 : 1000; // few different values, or many
    int[] some = random.ints(shape.elementCount().intValueExact(), -1, most).toArray();
    NdArray values = NdArray.ofInts(DataTypes.INT32, shape, some).cast(type);
    Dataset dataset =
        dataset(
            shape,
            new long[] {1 + random.nextInt(20), 1 + random.nextInt(9), 1 + random.nextInt(9)},
            values,
            random.nextBoolean() ? "{'_FillValue': -1}" : "{'scale_factor': 0.5}",
            1L << (16 + random.nextInt(5)));
    dataset = random.nextBoolean() ? dataset : dataset.isel("a", "::2").isel("b", 0);
    int[] labels = random.ints(dataset.sizes().get("a"), 0, 4).toArray();
    Variable groupOf =
        Variable.of(
            "g", List.of("a"), NdArray.ofInts(DataTypes.INT32, Shape.of(labels.length), labels));
    Variable part = dataset.variable("x");
    NdArray wide = requireNonNull(await(part.read())).cast(DataTypes.FLOAT64);
    boolean keeps = random.nextInt(4) == 0;
    boolean isGrouped = random.nextInt(3) == 0;
    double[] wanted = {1, random.nextDouble(), 0.5, 0, random.nextDouble()};
    List<String> over = new ArrayList<>(part.dimensions());
    over.removeIf(name -> name.equals("a") ? isGrouped : random.nextBoolean());
    if (over.isEmpty() && !isGrouped) {
      over.add("c");
    }
    String[] names = over.toArray(String[]::new);
    DatasetReduction reduction =
        isGrouped ? dataset.assign(groupOf).groupBy("g").over(names) : dataset.over(names);
    reduction = keeps ? reduction.keepingMissing() : reduction;
    Variable found = requireNonNull(await(reduction.quantiles(wanted, "x"))).variable("x");
    Variable medians = requireNonNull(await(reduction.median("x"))).variable("x");
    int[] distinct = Arrays.stream(labels).distinct().sorted().toArray();
    List<List<Double>> cells = new ArrayList<>();
    List<String> kept = part.dimensions().stream().filter(name -> !over.contains(name)).toList();
    long[] extents =
        kept.stream()
            .mapToLong(
                name ->
                    isGrouped && name.equals("a")
                        ? distinct.length
                        : wide.shape().extent(part.dimensions().indexOf(name)))
            .toArray();
    int count = (int) Arrays.stream(extents).reduce(1, (x, y) -> x * y);
    for (int i = 0; i < count; i++) {
      cells.add(new ArrayList<>());
    }
    wide.forEachIndex(
        index -> {
          int cell = 0;
          for (int k = 0; k < kept.size(); k++) {
            int at = (int) index[part.dimensions().indexOf(kept.get(k))];
            boolean isGroup = isGrouped && kept.get(k).equals("a");
            cell =
                cell * (int) extents[k]
                    + (isGroup ? Arrays.binarySearch(distinct, labels[at]) : at);
          }
          cells.get(cell).add(wide.getDouble(index));
        });
    double[] all = requireNonNull(await(found.read())).toDoubleArray();
    double[] middle = requireNonNull(await(medians.read())).toDoubleArray();
    assertThat(all).hasSize(wanted.length * count);
    assertThat(middle).hasSize(count);
    for (int cell = 0; cell < count; cell++) {
      for (int q = 0; q < wanted.length; q++) {
        compare(all[q * count + cell], quantile(wanted[q], keeps, cells.get(cell)));
      }
      compare(middle[cell], quantile(0.5, keeps, cells.get(cell)));
    }
  }

  private static void compare(double found, double expected) {
    if (Double.isNaN(expected)) {
      assertThat(found).isNaN();
    } else {
      assertThat(found).isCloseTo(expected, within(1e-12 * Math.max(1, Math.abs(expected))));
    }
  }

  /** Columns that a bad choice of pivots would take a square of their length for. */
  @Example
  void long_columns_of_any_order_are_exact() {
    int size = 200_000;
    Random random = new Random(7);
    for (int kind = 0; kind < 5; kind++) {
      int of = kind;
      double[] values = new double[size];
      Arrays.setAll(
          values,
          i ->
              switch (of) {
                case 0 -> i;
                case 1 -> size - i;
                case 2 -> i % 2 == 0 ? i : size - i;
                case 3 -> i % 3;
                default -> random.nextGaussian();
              });
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      Variable line = Variable.of("x", List.of("a"), NdArray.ofDoubles(Shape.of(size), values));
      assertThat(requireNonNull(await(line.over().median())).getDouble())
          .isEqualTo((sorted[size / 2 - 1] + sorted[size / 2]) / 2);
      assertThat(requireNonNull(await(line.over().quantiles(0, 1))).toDoubleArray())
          .containsExactly(sorted[0], sorted[size - 1]);
    }
  }

  private Dataset field(long bytesInFlight) {
    double[] values = new double[40 * 100];
    Arrays.setAll(values, i -> 1 + i);
    Shape shape = Shape.of(40, 100);
    return dataset(
        shape,
        new long[] {4, 50},
        NdArray.ofDoubles(shape, values),
        "{'units': 'm'}",
        bytesInFlight);
  }

  private long chunksAsked() {
    return store.counts().requests().stream()
        .filter(request -> request.target().contains("/c/"))
        .count();
  }

  @Example
  void each_chunk_is_requested_once_where_columns_of_chunks_fit() {
    Dataset field = field(1 << 18);
    store.counts().reset();
    Dataset found =
        requireNonNull(await(field.over("a").quantiles(new double[] {0.25, 0.75}, "x")));
    assertThat(chunksAsked()).isEqualTo(20);
    assertThat(found.variable("x").dimensions()).containsExactly("quantile", "b");
    assertThat(found.coordinates()).containsKey("quantile");
    assertThat(found.variable("x").attributes()).isEqualTo(Json.object("{'units': 'm'}"));
    assertThat(requireNonNull(await(found.sel("quantile", 0.25).read("x"))).getDouble(3))
        .isEqualTo(4 + 975);
    assertThat(
            requireNonNull(await(field.over("a").median()))
                .variable("x")
                .attributes()
                .get("cell_methods"))
        .isEqualTo(new JsonString("a: median"));
  }

  /** Columns of any kind, in passes over chunks that are small beside them. */
  @Property(tries = 40)
  void columns_that_do_not_fit_into_memory_are_exact(@ForAll long seed) {
    Random random = new Random(seed);
    int rows = 300 + random.nextInt(100);
    int columns = 1 + random.nextInt(3);
    DataType type =
        List.of(DataTypes.FLOAT64, DataTypes.FLOAT32, DataTypes.INT32).get(random.nextInt(3));
    int kind = random.nextInt(4);
    double[] all = new double[rows * columns];
    for (int i = 0; i < all.length; i++) {
      double value =
          switch (kind) {
            case 0 -> random.nextGaussian() * 30 + 270;
            case 1 -> random.nextInt(3) - 1; // many equal ones
            case 2 -> Math.scalb(random.nextDouble() - 0.5, random.nextInt(40));
            default -> random.nextInt(9) == 0 ? Double.POSITIVE_INFINITY : -random.nextInt(1000);
          };
      boolean isWhole = type.equals(DataTypes.INT32);
      all[i] =
          isWhole
              ? (int) Math.max(-1e9, Math.min(1e9, value))
              : random.nextInt(20) == 0 ? Double.NaN : value;
    }
    Shape shape = Shape.of(rows, columns);
    NdArray values = NdArray.ofDoubles(shape, all).cast(type);
    // up to thirty passes: chunks of few rows would be read ten thousand times
    long[] chunk = {20 + random.nextInt(70), 1 + random.nextInt(columns)};
    Dataset dataset = dataset(shape, chunk, values, "{'units': 'm'}", 1000);
    boolean keeps = random.nextInt(5) == 0;
    double[] wanted = {random.nextDouble(), 0.5, random.nextInt(2)};
    boolean isAll = random.nextInt(3) == 0;
    Reduction reduction = isAll ? dataset.variable("x").over() : dataset.variable("x").over("a");
    NdArray found =
        requireNonNull(await((keeps ? reduction.keepingMissing() : reduction).quantiles(wanted)));
    NdArray doubles = values.cast(DataTypes.FLOAT64);
    for (int c = 0; c < (isAll ? 1 : columns); c++) {
      List<Double> its = new ArrayList<>();
      for (int r = 0; r < rows; r++) {
        for (int other = isAll ? 0 : c; other < (isAll ? columns : c + 1); other++) {
          its.add(doubles.getDouble(r, other));
        }
      }
      NdArray column =
          NdArray.ofDoubles(Shape.of(its.size()), its.stream().mapToDouble(v -> v).toArray());
      Reduction inMemory = Variable.of("y", List.of("a"), column).over();
      double[] expected =
          requireNonNull(await((keeps ? inMemory.keepingMissing() : inMemory).quantiles(wanted)))
              .toDoubleArray();
      for (int q = 0; q < wanted.length; q++) {
        double quantile = isAll ? found.getDouble(q) : found.getDouble(q, c);
        assertThat(quantile == expected[q] || (Double.isNaN(quantile) && Double.isNaN(expected[q])))
            .as("%s of column %s: %s, not %s", wanted[q], c, quantile, expected[q])
            .isTrue();
      }
    }
  }

  @Example
  void long_columns_are_read_in_a_few_passes() {
    int size = 100_000;
    Random random = new Random(11);
    double[] values = new double[size];
    Arrays.setAll(values, i -> 250 + 60 * random.nextDouble());
    Shape shape = Shape.of(size);
    Dataset dataset =
        dataset(shape, new long[] {5000}, NdArray.ofDoubles(shape, values), "{}", 160_000);
    store.counts().reset();
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    assertThat(requireNonNull(await(dataset.variable("x").over("a").median())).getDouble())
        .isEqualTo((sorted[size / 2 - 1] + sorted[size / 2]) / 2);
    assertThat(chunksAsked()).as("three passes of 20 chunks").isEqualTo(60);
    HeldRequests held = store.hold(request -> request.target().contains("/c/"));
    StepVerifier.create(dataset.over("a").median())
        .then(() -> Waiting.eventually("chunks are asked for", () -> held.waiting() > 0))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    Waiting.eventually("the requests are cancelled", () -> held.waiting() == 0);
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
    store.behave();
  }

  @Example
  void medians_of_groups_that_do_not_fit_into_memory_are_exact() {
    int size = 4000;
    double[] values = new double[size];
    long[] labels = new long[size];
    Arrays.setAll(values, i -> i * 7919 % size);
    Arrays.setAll(labels, i -> i % 3);
    Shape shape = Shape.of(size);
    Dataset dataset =
        dataset(shape, new long[] {100}, NdArray.ofDoubles(shape, values), "{}", 4096)
            .assign(
                Variable.of("kind", List.of("a"), NdArray.ofLongs(DataTypes.INT64, shape, labels)));
    NdArray found =
        requireNonNull(
            await(dataset.groupBy("kind").median("x").flatMap(its -> its.variable("x").read())));
    for (int kind = 0; kind < 3; kind++) {
      int its = kind;
      List<Double> members = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        if (labels[i] == its) {
          members.add(values[i]);
        }
      }
      assertThat(found.getDouble(kind)).isEqualTo(quantile(0.5, false, members));
    }
  }

  @Example
  void results_that_do_not_fit_are_refused() {
    Dataset field = field(1 << 12); // an eighth has room for one column of 40
    assertThat(requireNonNull(await(field.variable("x").over("a").median())).toDoubleArray())
        .startsWith(1951, 1952)
        .endsWith(2050);
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(field(300).variable("x").over("a").median()))
        .withMessageContaining("take 800 bytes, more than the 300 of maxInFlightBytes");
  }

  @Example
  void a_cancel_ends_the_requests() {
    Dataset field = field(1 << 16);
    HeldRequests held = store.hold(request -> request.target().contains("/c/"));
    StepVerifier.create(field.over("a").median())
        .then(() -> Waiting.eventually("chunks are asked for", () -> held.waiting() > 0))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    Waiting.eventually("the requests are cancelled", () -> held.waiting() == 0);
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
    store.behave();
  }

  @Example
  void what_has_no_quantiles_is_refused() {
    Variable x = field(1 << 16).variable("x");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> x.over("a").quantile(1.5))
        .withMessage("a quantile is from 0 to 1, not 1.5");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(x.over("a").weighted(x).median()))
        .withMessageContaining("weights are of sums and means, not of quantiles");
    Variable texts =
        Variable.of("s", List.of("a"), NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a"));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(texts.over().median()))
        .withMessageContaining("statistics are of numbers");
    Variable large =
        Variable.of(
            "l", List.of("a"), NdArray.ofLongs(DataTypes.INT64, Shape.of(2), 1, (1L << 53) + 1));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(large.over().median()))
        .withMessageContaining("2^53");
  }
}
