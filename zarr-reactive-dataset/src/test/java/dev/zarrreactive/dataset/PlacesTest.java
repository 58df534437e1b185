package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.test.StepVerifier;

/** Points, conditions, interpolation and longitudes, against loops over arrays. */
class PlacesTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final ZarrOptions options =
      ZarrOptions.defaults().withMaxInFlightBytes(1 << 14).withMaxConcurrency(3);
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store, options);
  private int groups;

  private static final List<String> NAMES = List.of("a", "b", "c");

  private Dataset dataset(NdArray values, long... chunk) {
    long[] extents = values.shape().toArray();
    NewDataset all = Dataset.builder();
    for (int d = 0; d < 3; d++) {
      long[] labels = LongStream.range(0, extents[d]).map(i -> 10 * i).toArray();
      all.coordinate(NAMES.get(d), NdArray.ofLongs(DataTypes.INT64, Shape.of(extents[d]), labels));
    }
    return requireNonNull(
        await(
            all.variable("v", NAMES, values, v -> v.chunkShape(chunk))
                .write(hierarchy, "g" + groups++)));
  }

  private static NdArray random(Random random, Shape shape) {
    double[] values = random.doubles(shape.elementCount().intValueExact(), -99, 99).toArray();
    return NdArray.ofDoubles(shape, values);
  }

  private long chunksAsked() {
    return store.counts().requests().stream()
        .filter(request -> request.target().contains("v/c/"))
        .count();
  }

  @Property(tries = 100)
  void points_have_the_values_of_a_loop(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = Shape.of(1 + random.nextInt(7), 1 + random.nextInt(7), 1 + random.nextInt(7));
    NdArray values = random(random, shape);
    Dataset whole =
        dataset(values, 1 + random.nextInt(4), 1 + random.nextInt(4), 1 + random.nextInt(4));
    int count = 1 + random.nextInt(6);
    int kept = random.nextInt(3);
    long[][] at = new long[3][];
    Arrays.setAll(
        at, d -> random.ints(count, 0, (int) shape.extent(d)).mapToLong(i -> i).toArray());
    List<String> inside =
        IntStream.range(0, 3).filter(d -> d != kept).mapToObj(NAMES::get).toList();
    Dataset points =
        requireNonNull(
            await(
                whole
                    .iselPoints(
                        "p",
                        Map.of(
                            inside.get(0), at[NAMES.indexOf(inside.get(0))],
                            inside.get(1), at[NAMES.indexOf(inside.get(1))]))
                    .dataset()));
    Variable v = points.variable("v");
    boolean isKeptFirst = kept == 0;
    assertThat(v.dimensions())
        .isEqualTo(isKeptFirst ? List.of("a", "p") : List.of("p", NAMES.get(kept)));
    int extent = (int) shape.extent(kept);
    double[] expected = new double[count * extent];
    for (int p = 0; p < count; p++) {
      for (int k = 0; k < extent; k++) {
        long[] index = {at[0][p], at[1][p], at[2][p]};
        index[kept] = k;
        expected[isKeptFirst ? k * count + p : p * extent + k] = values.getDouble(index);
      }
    }
    NdArray all =
        NdArray.ofDoubles(
            isKeptFirst ? Shape.of(extent, count) : Shape.of(count, extent), expected);
    assertThat(await(v.read())).isEqualTo(all);
    JoinedDatasetsTest.compareParts(random, v, all, v.dimensions());
    long[] labels =
        LongStream.of(at[NAMES.indexOf(inside.get(0))]).map(index -> 10 * index).toArray();
    assertThat(requireNonNull(await(points.variable(inside.get(0)).read())).toLongArray())
        .isEqualTo(labels);
    assertThat(points.variable(inside.get(0)).dimensions()).containsExactly("p");
  }

  private static double at(NdArray values, int d, double place, long... index) {
    long[] low = index.clone();
    long[] high = index.clone();
    low[d] = (long) Math.floor(place);
    high[d] = (long) Math.ceil(place);
    double some = values.getDouble(low);
    return low[d] == high[d] ? some : some + (values.getDouble(high) - some) * (place - low[d]);
  }

  @Property(tries = 100)
  void interpolated_values_are_those_of_a_loop(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = Shape.of(2 + random.nextInt(6), 2 + random.nextInt(6), 1 + random.nextInt(6));
    NdArray values = random(random, shape);
    Dataset whole =
        dataset(values, 1 + random.nextInt(4), 1 + random.nextInt(4), 1 + random.nextInt(4));
    double[] a = places(random, shape.extent(0));
    double[] b = places(random, shape.extent(1));
    Dataset between =
        requireNonNull(await(whole.interp("a", labels(a)).interp("b", labels(b)).dataset()));
    NdArray alongA =
        NdArray.ofDoubles(Shape.of(a.length, shape.extent(1), shape.extent(2)), loop(values, 0, a));
    NdArray both =
        NdArray.ofDoubles(Shape.of(a.length, b.length, shape.extent(2)), loop(alongA, 1, b));
    Variable v = between.variable("v");
    NdArray found = requireNonNull(await(v.read()));
    double[] ours = found.toDoubleArray();
    double[] theirs = both.toDoubleArray();
    for (int i = 0; i < ours.length; i++) {
      assertThat(Math.abs(ours[i] - theirs[i])).isLessThan(1e-9);
    }
    JoinedDatasetsTest.compareParts(random, v, found, NAMES);
    assertThat(requireNonNull(await(between.variable("a").read())).toDoubleArray())
        .isEqualTo(labels(a).stream().mapToDouble(x -> x).toArray());
  }

  private static double[] places(Random random, long extent) {
    return random
        .doubles(1 + random.nextInt(5), 0, extent - 1)
        .map(place -> random.nextInt(4) == 0 ? Math.rint(place) : place)
        .toArray();
  }

  private static List<Double> labels(double... places) {
    return DoubleStream.of(places).map(place -> 10 * place).boxed().toList();
  }

  private static double[] loop(NdArray values, int d, double... places) {
    long[] extents = values.shape().toArray();
    extents[d] = places.length;
    Shape shape = Shape.of(extents);
    double[] all = new double[shape.elementCount().intValueExact()];
    int[] next = {0};
    NdArray.scalar(DataTypes.FLOAT64, 0)
        .broadcastTo(shape)
        .forEachIndex(index -> all[next[0]++] = at(values, d, places[(int) index[d]], index));
    return all;
  }

  @Example
  void each_chunk_of_points_is_requested_once() {
    Dataset whole = dataset(random(new Random(1), Shape.of(20, 40, 40)), 5, 10, 10);
    long[] b = {0, 39, 5, 1, 38, 3, 0};
    long[] c = {0, 39, 15, 2, 30, 19, 9};
    Dataset points = requireNonNull(await(whole.iselPoints("p", Map.of("b", b, "c", c)).dataset()));
    store.counts().reset();
    Variable v = points.variable("v");
    assertThat(v.shape()).isEqualTo(Shape.of(20, 7));
    assertThat(store.counts().total()).isZero();
    await(v.read());
    assertThat(chunksAsked()).isEqualTo(3 * 4);
    store.counts().reset();
    await(v.plus(v).chunks().then());
    assertThat(chunksAsked()).isEqualTo(3 * 4);
    store.counts().reset();
    await(whole.interp("b", List.of(0.5, 389.0)).variable("v").flatMap(Variable::read));
    assertThat(chunksAsked()).isEqualTo(4 * 2 * 4);
    assertThat(
            store.counts().requests().stream().filter(r -> r.target().contains("v/c/")).distinct())
        .hasSize((int) chunksAsked());
  }

  @Example
  void a_cancel_ends_the_requests_of_all_points() {
    Dataset whole = dataset(random(new Random(1), Shape.of(20, 40, 40)), 5, 10, 10);
    HeldRequests held = store.hold(request -> request.target().contains("v/c/"));
    StepVerifier.create(
            whole
                .iselPoints("p", Map.of("b", new long[] {0, 39}, "c", new long[] {0, 39}))
                .read("v"))
        .then(() -> Waiting.eventually("chunks are asked for", () -> held.waiting() > 1))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    Waiting.eventually("the requests are cancelled", () -> held.waiting() == 0);
    StepVerifier.create(whole.interp("a", List.of(5)).read("v"))
        .then(() -> Waiting.eventually("chunks are asked for", () -> held.waiting() > 1))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    Waiting.eventually("the requests are cancelled", () -> held.waiting() == 0);
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
    store.behave();
  }

  @Example
  void several_labels_are_found_within_a_tolerance() {
    Dataset whole = dataset(random(new Random(1), Shape.of(3, 4, 5)), 2, 2, 2);
    NdArray all = requireNonNull(await(whole.variable("v").read()));
    assertThat(await(whole.sel("c", List.of(41, 9, 12), LabelMethod.NEAREST, 2).read("v")))
        .isEqualTo(all.slice(Selection.parse(":,:,[4,1,1]")));
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> await(whole.sel("c", List.of(41, 15), LabelMethod.NEAREST, 2).dataset()))
        .withMessage("the coordinate c has no label 15: the nearest is 20");
  }

  @Example
  void a_condition_is_calculated_when_the_selection_is_subscribed_to() {
    Dataset whole = dataset(random(new Random(1), Shape.of(3, 4, 5)), 2, 2, 2);
    NdArray all = requireNonNull(await(whole.variable("v").read()));
    store.counts().reset();
    DatasetSelection some = whole.sel(whole.variable("c").atLeast(20));
    assertThat(store.counts().total()).isZero();
    assertThat(await(some.read("v")))
        .isEqualTo(all.slice(Selection.parse(":,:,2:")).toContiguous());
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> await(some.sel(whole.variable("c").atLeast(20)).dataset()))
        .withMessageContaining("has the extent 5, but 3 are selected so far");
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> await(whole.sel(whole.variable("c")).dataset()))
        .withMessageContaining("a condition has booleans along one dimension");
    assertThat(requireNonNull(await(whole.sel(whole.variable("c").lessThan(0)).dataset())).sizes())
        .containsEntry("c", 0L);
  }

  @Example
  void a_variable_alone_is_selected_by_labels() {
    Dataset whole = dataset(random(new Random(1), Shape.of(3, 4, 5)), 2, 2, 2);
    Variable twice = whole.variable("v").times(2);
    NdArray all = requireNonNull(await(twice.read()));
    Variable c = whole.variable("c");
    assertThat(requireNonNull(await(await(twice.sel(c, 20)).read())))
        .isEqualTo(all.slice(Selection.parse(":,:,2")).toContiguous());
    assertThat(requireNonNull(await(await(twice.sel(c, 10, 30)).read())))
        .isEqualTo(all.slice(Selection.parse(":,:,1:4")).toContiguous());
    assertThat(
            requireNonNull(await(await(twice.sel(c, List.of(19, 1), LabelMethod.NEAREST)).read())))
        .isEqualTo(all.slice(Selection.parse(":,:,[2,0]")));
    assertThat(requireNonNull(await(await(whole.sel("c", 20).variable(twice.named("w"))).read())))
        .isEqualTo(all.slice(Selection.parse(":,:,2")).toContiguous());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> twice.isel("c", "1:").sel(c, 20))
        .withMessageContaining("select the same part of both");
  }

  @Example
  void a_region_goes_over_the_end_of_the_axis() {
    Dataset earth =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("lon", IntStream.range(0, 36).mapToObj(i -> 10 * i).toList())
                    .variable(
                        "v",
                        List.of("lon"),
                        NdArray.ofLongs(
                            DataTypes.INT64, Shape.of(36), LongStream.range(0, 36).toArray()))
                    .write(hierarchy, "earth")));
    for (double[] range : new double[][] {{350, 10}, {-10, 10}}) {
      Dataset part = requireNonNull(await(earth.selAround("lon", range[0], range[1]).dataset()));
      assertThat(requireNonNull(await(part.variable("lon").read())).toLongArray())
          .containsExactly(-10, 0, 10);
      assertThat(requireNonNull(await(part.variable("v").read())).toLongArray())
          .containsExactly(35, 0, 1);
      assertThat(requireNonNull(await(part.sel("lon", -10, 0).read("v"))).toLongArray())
          .containsExactly(35, 0);
    }
    assertThat(requireNonNull(await(earth.selAround("lon", -180, 180).read("v"))).toLongArray())
        .hasSize(36);
    assertThatIllegalArgumentException().isThrownBy(() -> earth.selAround("lon", 0, 361));
  }

  @Example
  void a_meridian_that_is_on_both_ends_of_the_axis_is_selected_once() {
    Dataset closed =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("lon", List.of(0, 90, 180, 270, 360))
                    .write(Zarr.hierarchy(MemoryStore.create()), "")));
    for (int[] range : new int[][] {{0, 360}, {-180, 180}, {-90, 90}}) {
      Dataset part = requireNonNull(await(closed.selAround("lon", range[0], range[1]).dataset()));
      assertThat(requireNonNull(await(part.variable("lon").read())).toLongArray())
          .isSorted()
          .doesNotHaveDuplicates()
          .hasSize(range[1] - range[0] == 360 ? 4 : 3);
    }
  }

  @Example
  void times_are_interpolated_at_instants() {
    Dataset whole =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate(
                        "time",
                        List.of(
                            Instant.parse("2020-01-01T00:00:00Z"),
                            Instant.parse("2020-01-01T06:00:00Z")),
                        time -> time.times("hours since 2000-01-01"))
                    .variable("v", List.of("time"), NdArray.ofDoubles(Shape.of(2), 0, 12))
                    .write(hierarchy, "times")));
    Dataset part =
        requireNonNull(
            await(
                whole
                    .interp(
                        "time",
                        List.of(
                            Instant.parse("2020-01-01T02:30:00Z"), "2020-01-01T06", "2021-01-01"))
                    .dataset()));
    assertThat(requireNonNull(await(part.variable("v").read())).toDoubleArray())
        .containsExactly(5, 12, Double.NaN);
    assertThat(requireNonNull(await(part.variable("time").read())).getInstant(0))
        .isEqualTo(Instant.parse("2020-01-01T02:30:00Z"));
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> await(whole.interp("time", List.of(5)).dataset()));
  }

  @Example
  void points_that_do_not_fit_are_refused() {
    Dataset whole = dataset(random(new Random(1), Shape.of(3, 4, 5)), 2, 2, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> whole.iselPoints("p", Map.of("a", new long[] {1}, "b", new long[] {1, 2})))
        .withMessageContaining("points have one label of each dimension");
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> await(whole.iselPoints("p", Map.of("a", new long[] {3})).dataset()))
        .withMessage("the index 3 is outside of a, which has 3");
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> await(whole.iselPoints("c", Map.of("a", new long[] {1})).dataset()))
        .withMessageContaining("the dimension of points cannot be c");
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(
            () ->
                await(whole.selPoints("p", Map.of("a", List.of(5)), LabelMethod.EXACT).dataset()));
    assertThat(
            requireNonNull(await(whole.iselPoints("p", Map.of("a", new long[] {-1})).dataset()))
                .sizes())
        .containsEntry("p", 1L);
  }

  @Example
  void the_ends_of_a_region_are_labels_of_the_axis_in_its_type() {
    double[] tenths = IntStream.range(0, 3600).mapToDouble(i -> i / 10.0).toArray();
    NdArray wide = NdArray.ofDoubles(Shape.of(3600), tenths);
    for (NdArray labels : List.of(wide, wide.cast(DataTypes.FLOAT32))) {
      Variable lon = Variable.of("lon", List.of("lon"), labels);
      Dataset earth =
          requireNonNull(
              await(
                  Dataset.builder()
                      .coordinate(lon)
                      .variable(lon.plus(0).named("v"))
                      .write(hierarchy, "earth" + groups++)));
      Dataset part = requireNonNull(await(earth.selAround("lon", -0.1, 0.3).dataset()));
      double[] there =
          requireNonNull(await(part.variable("v").read())).cast(DataTypes.FLOAT64).toDoubleArray();
      assertThat(there).hasSize(5);
      assertThat((float) there[0]).isEqualTo(359.9F);
      assertThat((float) there[4]).isEqualTo(0.3F);
      double[] moved =
          requireNonNull(await(part.variable("lon").read()))
              .cast(DataTypes.FLOAT64)
              .toDoubleArray();
      assertThat((float) moved[0]).isEqualTo(-0.1F);
      assertThat(moved).isSorted();
    }
  }
}
