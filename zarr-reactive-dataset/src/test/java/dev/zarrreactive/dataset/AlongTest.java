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
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.test.StepVerifier;

/** Windows that roll, and what accumulates, against loops; and what is read for them. */
class AlongTest {
  private static final List<String> NAMES = List.of("a", "b", "c");

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private ZarrHierarchy hierarchy = Zarr.hierarchy(store);
  private int groups;

  private Variable variable(Shape shape, long[] chunk, NdArray values, long bytesInFlight) {
    hierarchy = Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(bytesInFlight));
    String group = "g" + groups++;
    await(hierarchy.createGroup(group));
    await(
        hierarchy
            .createArray(
                group + "/x",
                ArrayMetadata.v3(shape, values.dataType())
                    .chunkShape(chunk)
                    .dimensionNames(NAMES.subList(0, shape.rank()).toArray(String[]::new))
                    .attributes(Json.object("{'units': 'm', '_FillValue': 250}"))
                    .build())
            .flatMap(array -> array.write(Selection.all(), values)));
    return requireNonNull(await(Dataset.open(hierarchy, group))).variable("x");
  }

  private static NdArray random(Random random, DataType type, Shape shape) {
    int[] values =
        random
            .ints(shape.elementCount().intValueExact(), -9, 100)
            .map(value -> value < 0 ? 250 : value)
            .toArray();
    return NdArray.ofInts(DataTypes.INT32, shape, values).cast(type);
  }

  /** A result for each position of a column. */
  private interface Loop {
    double at(double[] column, int position);
  }

  private static NdArray loop(NdArray values, int dimension, Loop loop) {
    NdArray wide = values.cast(DataTypes.FLOAT64);
    double[] all = new double[wide.shape().elementCount().intValueExact()];
    int[] next = {0};
    wide.forEachIndex(
        index -> {
          double[] column = new double[(int) wide.shape().extent(dimension)];
          for (int i = 0; i < column.length; i++) {
            long[] place = index.clone();
            place[dimension] = i;
            column[i] = wide.getDouble(place);
          }
          all[next[0]++] = loop.at(column, (int) index[dimension]);
        });
    return NdArray.ofDoubles(wide.shape(), all);
  }

  private static double[] there(double[] column, int from, int to) {
    return Arrays.stream(column, Math.max(0, from), Math.min(column.length, to))
        .filter(value -> !Double.isNaN(value))
        .toArray();
  }

  private static double statistic(String how, double... values) {
    double mean = Arrays.stream(values).average().orElse(Double.NaN);
    return switch (how) {
      case "mean" -> mean;
      case "sum" -> Arrays.stream(values).sum();
      case "min" -> Arrays.stream(values).min().orElse(Double.NaN);
      case "max" -> Arrays.stream(values).max().orElse(Double.NaN);
      case "product" -> Arrays.stream(values).reduce(1, (a, b) -> a * b);
      case "std" ->
          Math.sqrt(
              Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(Double.NaN));
      default -> values.length;
    };
  }

  private static Variable rolled(Rolling rolling, String how) {
    return switch (how) {
      case "mean" -> rolling.mean();
      case "sum" -> rolling.sum();
      case "min" -> rolling.min();
      case "max" -> rolling.max();
      case "std" -> rolling.std();
      default -> rolling.count();
    };
  }

  @Property(tries = 80)
  void windows_and_sums_so_far_are_those_of_loops(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = Shape.of(1 + random.nextInt(7), 1 + random.nextInt(24), 1 + random.nextInt(12));
    long[] chunk = {1 + random.nextInt(4), 1 + random.nextInt(9), 1 + random.nextInt(9)};
    DataType type =
        List.of(DataTypes.INT16, DataTypes.FLOAT32, DataTypes.FLOAT64, DataTypes.UINT8)
            .get(random.nextInt(4));
    Variable whole =
        variable(shape, chunk, random(random, type, shape), 1L << (14 + random.nextInt(6)));
    Variable part = random.nextInt(3) > 0 ? whole : whole.isel("b", "1:").isel("a", "::2");
    part = random.nextInt(3) > 0 ? part : part.minus(3);
    if (part.shape().elementCountUpTo(1) == 0) {
      return;
    }
    int d = random.nextInt(3);
    NdArray values = requireNonNull(await(part.read()));
    int window = 1 + random.nextInt(9);
    int least = 1 + random.nextInt(window);
    boolean isCentred = random.nextBoolean();
    String how = List.of("mean", "sum", "min", "max", "std", "count").get(random.nextInt(6));
    Rolling rolling = part.rolling(NAMES.get(d), window).atLeast(least);
    int after = isCentred ? window - 1 - window / 2 : 0;
    compare(
        random,
        rolled(isCentred ? rolling.centred() : rolling, how),
        loop(
            values,
            d,
            (column, i) -> {
              double[] its = there(column, i + after - window + 1, i + after + 1);
              return its.length < least ? Double.NaN : statistic(how, its);
            }),
        d);
    String sum = List.of("sum", "product", "min", "max").get(random.nextInt(4));
    Cumulative cumulative = part.cumulative(NAMES.get(d));
    Variable soFar =
        switch (sum) {
          case "sum" -> cumulative.sum();
          case "product" -> cumulative.product();
          case "min" -> cumulative.min();
          default -> cumulative.max();
        };
    compare(
        random, soFar, loop(values, d, (column, i) -> statistic(sum, there(column, 0, i + 1))), d);
  }

  private void compare(Random random, Variable found, NdArray expected, int dimension) {
    assertClose(requireNonNull(await(found.read())), expected);
    assertThat(found.shape()).isEqualTo(expected.shape());
    Shape shape = expected.shape();
    long[] last = LongStream.range(0, 3).map(d -> shape.extent((int) d) - 1).toArray();
    String box =
        random.nextInt((int) last[0] + 1)
            + ", "
            + random.nextInt((int) last[1] + 1)
            + "::2, ["
            + last[2]
            + ", 0, 0]";
    NdArray part = expected.slice(Selection.parse(box)).toContiguous();
    assertClose(requireNonNull(await(found.read(box))), part);
    int bytes = part.shape().elementCount().intValueExact() * found.dataType().itemSize();
    ByteBuffer target = ByteBuffer.allocate(bytes + 9).position(5);
    ByteBuffer read = requireNonNull(await(found.readInto(Selection.parse(box), target)));
    byte[] copy = new byte[bytes];
    read.get(copy);
    assertClose(
        NdArray.wrap(found.dataType(), part.shape(), dev.zarrreactive.base.Bytes.wrap(copy)), part);
    Selection points = Selection.points(new long[][] {last, {0, last[1], 0}});
    assertClose(requireNonNull(await(found.read(points))), expected.slice(points).toContiguous());
    comparePieces(found, expected, ":, :, :");
    comparePieces(found, expected, box);
    String over = NAMES.get((dimension + random.nextInt(3)) % 3);
    assertClose(
        requireNonNull(await(found.over(over).max())),
        requireNonNull(await(Variable.of("y", NAMES, expected).over(over).max())));
    assertClose(
        requireNonNull(await(found.minus(found.isel("c", 0)).isel("b", "::2").read())),
        requireNonNull(
            await(
                Variable.of("y", NAMES, expected)
                    .minus(Variable.of("y", NAMES, expected).isel("c", 0))
                    .isel("b", "::2")
                    .read())));
  }

  private static void comparePieces(Variable found, NdArray expected, String box) {
    double[] put = new double[expected.shape().elementCount().intValueExact()];
    Arrays.fill(put, -1e9);
    NdArray numbers =
        NdArray.ofLongs(
            DataTypes.INT64, expected.shape(), LongStream.range(0, put.length).toArray());
    for (Chunk chunk : requireNonNull(await(found.chunks(Selection.parse(box)).collectList()))) {
      ResolvedSelection place = chunk.selection();
      NdArray its = numbers.slice(any -> place);
      NdArray data = chunk.data().cast(DataTypes.FLOAT64);
      its.forEachIndex(index -> put[(int) its.getLong(index)] = data.getDouble(index));
    }
    assertClose(
        NdArray.ofDoubles(expected.shape(), put).slice(Selection.parse(box)).toContiguous(),
        expected.slice(Selection.parse(box)).toContiguous());
  }

  private static void assertClose(NdArray found, NdArray expected) {
    assertThat(found.shape()).isEqualTo(expected.shape());
    double[] ours = found.cast(DataTypes.FLOAT64).toDoubleArray();
    double[] theirs = expected.cast(DataTypes.FLOAT64).toDoubleArray();
    for (int i = 0; i < ours.length; i++) {
      if (Double.isNaN(theirs[i])) {
        assertThat(ours[i]).as("value " + i).isNaN();
      } else {
        assertThat(ours[i])
            .as("value " + i)
            .isCloseTo(theirs[i], within(1e-9 * Math.max(1, Math.abs(theirs[i]))));
      }
    }
  }

  private Variable field(int rows, int chunk, long bytesInFlight) {
    double[] values = new double[rows * 100];
    Arrays.setAll(values, i -> 1000 + i / 100);
    Shape shape = Shape.of(rows, 100);
    return variable(shape, new long[] {chunk, 50}, NdArray.ofDoubles(shape, values), bytesInFlight);
  }

  private long chunksAsked() {
    return store.counts().requests().stream()
        .filter(request -> request.target().contains("/c/"))
        .count();
  }

  @Example
  void nothing_is_read_before_a_subscription_and_then_each_chunk_once() {
    Variable field = field(40, 4, 1 << 16);
    for (Variable each :
        List.of(
            field.rolling("a", 7).mean(),
            field.rolling("a", 6).centred().std(),
            field.cumulative("a").sum(),
            field.cumulative("b").max())) {
      store.counts().reset();
      assertThat(each.shape()).isEqualTo(Shape.of(40, 100));
      assertThat(store.counts().total()).isZero();
      assertThat(requireNonNull(await(each.chunks().collectList())).size()).isGreaterThan(2);
      assertThat(chunksAsked()).isEqualTo(20);
      store.counts().reset();
      await(each.over("a").mean());
      assertThat(chunksAsked()).isEqualTo(20);
    }
  }

  @Example
  void an_anomaly_from_a_running_mean_reads_each_chunk_once_where_columns_fit() {
    Variable field = field(40, 4, 1 << 20);
    store.counts().reset();
    Variable apart = field.minus(field.rolling("a", 3).centred().mean());
    NdArray values = requireNonNull(await(apart.read()));
    assertThat(values.getDouble(20, 7)).isZero();
    assertThat(values.getDouble(0, 7)).isNaN();
    assertThat(chunksAsked()).isBetween(20L, 2 * 20L); // reads at the same time share one
  }

  @Example
  void the_demand_bounds_what_is_read() {
    Variable field = field(400, 4, 1 << 16);
    store.counts().reset();
    StepVerifier.create(field.rolling("a", 5).centred().mean().chunks(), 1)
        .expectNextCount(1)
        .then(() -> assertThat(chunksAsked()).isLessThan(60))
        .thenCancel()
        .verify(Waiting.PATIENCE);
  }

  @Example
  void a_cancel_ends_the_requests_of_all_sources() {
    Variable field = field(40, 4, 1 << 16);
    HeldRequests held = store.hold(request -> request.target().contains("/c/"));
    StepVerifier.create(field.rolling("a", 5).mean().plus(field.cumulative("a").sum()).over().max())
        .then(() -> Waiting.eventually("chunks are asked for", () -> held.waiting() > 0))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    Waiting.eventually("the requests are cancelled", () -> held.waiting() == 0);
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
    store.behave();
  }

  @Example
  void a_failed_chunk_fails_the_read() {
    Variable field = field(40, 4, 1 << 16);
    store.fail(
        request -> request.target().contains("x/c/5"),
        () -> new IllegalStateException("no answer"));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> await(field.rolling("a", 5).mean().read()))
        .withMessageContaining("no answer");
    store.behave();
  }

  @Example
  void a_formula_of_sums_so_far_that_has_no_room_is_refused() {
    Variable field = field(400, 4, 5000);
    assertThat(requireNonNull(await(field.cumulative("a").sum().over("a").max())).getDouble(0))
        .isEqualTo(400 * 1000 + 399 * 200);
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(field.cumulative("a").sum().minus(field).over("a").max()))
        .withMessageContaining("the values along [a], which are needed together, take")
        .withMessageContaining("raise maxInFlightBytes");
  }

  @Example
  void infinite_and_missing_values_are_those_of_numpy() {
    double inf = Double.POSITIVE_INFINITY;
    double nan = Double.NaN;
    NdArray values = NdArray.ofDoubles(Shape.of(7), 1, inf, nan, 2, -inf, 3, 4);
    Variable line = Variable.of("x", List.of("a"), values);
    assertThat(requireNonNull(await(line.rolling("a", 2).sum().read())).toDoubleArray())
        .containsExactly(nan, inf, nan, nan, -inf, -inf, 7);
    assertThat(requireNonNull(await(line.cumulative("a").sum().read())).toDoubleArray())
        .containsExactly(1, inf, inf, inf, nan, nan, nan);
    assertThat(requireNonNull(await(line.rolling("a", 99).atLeast(1).max().read())).toDoubleArray())
        .containsExactly(1, inf, inf, inf, inf, inf, inf);
  }

  @Example
  void attributes_say_what_was_calculated_and_types_are_floats() {
    Variable field = field(8, 4, 1 << 16);
    Variable means = field.rolling("a", 3).mean();
    assertThat(means.attributes())
        .isEqualTo(
            Json.object("{'units': 'm', 'cell_methods': 'a: mean (comment: of 3 positions)'}"));
    assertThat(field.cumulative("b").sum().attributes().get("cell_methods"))
        .isEqualTo(new JsonString("b: sum (comment: up to each position)"));
    assertThat(field.cumulative("b").product().attributes().get("units")).isNull();
    assertThat(field.rolling("a", 3).count().attributes().members()).isEmpty();
    assertThat(means.toString()).isEqualTo("x (a, b) float64");
    Shape shape = Shape.of(3);
    Variable floats =
        variable(
            shape, new long[] {2}, NdArray.ofFloats(DataTypes.FLOAT32, shape, 1, 3, 2), 1 << 16);
    assertThat(floats.rolling("a", 2).max().dataType()).isEqualTo(DataTypes.FLOAT32);
    assertThat(floats.rolling("a", 2).mean().dataType()).isEqualTo(DataTypes.FLOAT64);
    assertThat(requireNonNull(await(floats.rolling("a", 2).max().read())))
        .isEqualTo(NdArray.ofFloats(DataTypes.FLOAT32, shape, Float.NaN, 3, 3));
  }

  @Example
  void chunks_in_order_are_in_c_order() {
    Variable field = field(40, 4, 1 << 14);
    for (Variable each : List.of(field.rolling("a", 3).mean(), field.cumulative("a").sum())) {
      List<Chunk> chunks = requireNonNull(await(each.chunksInOrder().collectList()));
      assertThat(chunks).hasSizeGreaterThan(1);
      for (int i = 1; i < chunks.size(); i++) {
        assertThat(Arrays.compare(chunks.get(i - 1).index(), chunks.get(i).index())).isNegative();
      }
    }
  }

  @Example
  void windows_go_over_the_ends_of_joined_parts() {
    Variable field = field(40, 4, 1 << 16);
    List<AssembledValues> parts =
        List.of(
            ConvertedValues.of(field.isel("a", "0:13").values()),
            ConvertedValues.of(field.isel("a", "13:").values()));
    Variable joined = new Variable("x", field.attributes(), JoinedValues.of("a", parts));
    assertThat(await(joined.rolling("a", 7).centred().mean().read()))
        .isEqualTo(await(field.rolling("a", 7).centred().mean().read()));
    assertThat(await(joined.cumulative("a").sum().minus(joined).read()))
        .isEqualTo(await(field.cumulative("a").sum().minus(field).read()));
    assertThat(await(joined.over("a").median())).isEqualTo(await(field.over("a").median()));
  }

  @Example
  void results_are_written_and_are_part_of_a_dataset() {
    Variable field = field(40, 4, 1 << 16);
    Variable means = field.rolling("a", 5).centred().mean().named("m");
    store.counts().reset();
    Dataset written =
        requireNonNull(
            await(
                Dataset.builder()
                    .variable(means)
                    .variable(field.cumulative("a").sum().named("sums"))
                    .write(hierarchy, "w")));
    assertThat(
            store.counts().requests().stream()
                .filter(request -> request.target().contains("/x/c/"))
                .count())
        .isBetween(20L, 2 * 20L);
    assertThat(await(written.variable("sums").read()))
        .isEqualTo(await(field.cumulative("a").sum().read()));
    assertThat(written.variable("m").array().metadata().chunkGrid().toString()).contains("4");
    assertThat(await(written.variable("m").read())).isEqualTo(await(means.read()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> written.appendTo(Zarr.at("elsewhere"), "time"))
        .withMessageContaining("has the dimensions [a, b], not time");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> written.writeTo(Zarr.at("elsewhere"), Map.of("t2m", each -> each)))
        .withMessageContaining("has no variable t2m");
    List<Double> firsts = new ArrayList<>();
    Dataset both = written.assign(means.named("n"));
    both.blocks("m", "n")
        .doOnNext(block -> firsts.add(block.values().get("n").getDouble(0, 0)))
        .then()
        .as(dev.zarrreactive.testing.Waiting::await);
    assertThat(firsts).isNotEmpty();
  }

  @Example
  void what_is_no_window_is_refused() {
    Variable field = field(8, 4, 1 << 16);
    assertThatIllegalArgumentException().isThrownBy(() -> field.rolling("time", 3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> field.rolling("a", 0))
        .withMessage("a window has at least one position, not 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> field.rolling("a", 3).atLeast(4))
        .withMessage("a window of 3 has from 1 to 3 values, not 4");
    Variable texts =
        Variable.of("s", List.of("a"), NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a"));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> texts.cumulative("a").sum())
        .withMessageContaining("statistics are of numbers");
    Variable large =
        Variable.of(
            "l", List.of("a"), NdArray.ofLongs(DataTypes.INT64, Shape.of(2), 1, (1L << 53) + 1));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(large.cumulative("a").sum().read()))
        .withMessageContaining("2^53");
  }

  @Example
  void deviations_of_values_whose_squares_are_too_large_are_there() {
    NdArray values = NdArray.ofDoubles(Shape.of(4), 1e300, 1e300, 1e300, Double.POSITIVE_INFINITY);
    Variable large = Variable.of("x", List.of("a"), values);
    assertThat(requireNonNull(await(large.rolling("a", 2).atLeast(1).std().read())).toDoubleArray())
        .containsExactly(0, 0, 0, Double.NaN);
  }

  @Example
  void a_window_that_does_not_fit_into_memory_is_refused() {
    Variable field = field(400, 4, 2_000);
    StepVerifier.create(field.rolling("a", 251).mean().chunks())
        .expectErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(UnsupportedFeatureException.class)
                    .hasMessageContaining("a window of 251 positions of a takes 2008 bytes")
                    .hasMessageContaining("2000 of maxInFlightBytes"))
        .verify();
  }
}
