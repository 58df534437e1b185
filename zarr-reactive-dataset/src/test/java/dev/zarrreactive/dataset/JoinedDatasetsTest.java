package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.CfCalendar;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.test.StepVerifier;

/** Several datasets as one, against arrays that are put together by hand. */
class JoinedDatasetsTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final ZarrOptions options =
      ZarrOptions.defaults().withMaxInFlightBytes(1 << 14).withMaxConcurrency(3);
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store, options);
  private int groups;

  private Dataset write(UnaryOperator<NewDataset> variables) {
    String path = "g" + groups++;
    return requireNonNull(await(variables.apply(Dataset.builder()).write(hierarchy, path)));
  }

  private static NdArray doubles(Shape shape, double first) {
    double[] values = new double[shape.elementCount().intValueExact()];
    Arrays.setAll(values, i -> first + i);
    return NdArray.ofDoubles(shape, values);
  }

  /** Returns the arrays one after the other along a dimension. */
  private static NdArray naive(int dimension, List<NdArray> parts) {
    long[] extents = parts.get(0).shape().toArray();
    extents[dimension] = parts.stream().mapToLong(part -> part.shape().extent(dimension)).sum();
    double[] all = new double[Shape.of(extents).elementCount().intValueExact()];
    long before = 0;
    for (NdArray part : parts) {
      long from = before;
      part.forEachIndex(
          index -> {
            long at = 0;
            for (int d = 0; d < extents.length; d++) {
              at = at * extents[d] + index[d] + (d == dimension ? from : 0);
            }
            all[(int) at] = part.getDouble(index);
          });
      before += part.shape().extent(dimension);
    }
    return NdArray.ofDoubles(Shape.of(extents), all);
  }

  @Property(tries = 60)
  void values_are_those_of_arrays_one_after_the_other(@ForAll long seed) {
    Random random = new Random(seed);
    int dimension = random.nextInt(3);
    List<String> names = List.of("a", "b", "c");
    long[] extents = {1 + random.nextInt(6), 1 + random.nextInt(6), 1 + random.nextInt(6)};
    List<NdArray> parts = new ArrayList<>();
    List<Dataset> datasets = new ArrayList<>();
    int first = 0;
    for (int k = 0; k < 1 + random.nextInt(5); k++) {
      long[] its = extents.clone();
      its[dimension] = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(9);
      NdArray part = doubles(Shape.of(its), 1000 * k);
      long[] chunk = LongStream.of(its).map(extent -> 1 + random.nextInt(5)).toArray();
      int from = first;
      datasets.add(
          write(
              of ->
                  of.coordinate(
                          names.get(dimension),
                          NdArray.ofLongs(
                              DataTypes.INT64,
                              Shape.of(its[dimension]),
                              LongStream.range(from, from + its[dimension]).toArray()))
                      .variable("v", names, part, v -> v.chunkShape(chunk))));
      first += (int) its[dimension];
      parts.add(part);
    }
    NdArray expected = naive(dimension, parts);
    Dataset joined = requireNonNull(await(Dataset.concat(names.get(dimension), datasets)));
    Variable v = joined.variable("v");
    assertThat(v.dimensions()).isEqualTo(names);
    assertThat(v.shape()).isEqualTo(expected.shape());
    assertThat(await(v.read())).isEqualTo(expected);
    if (first > 0) {
      compareParts(random, v, expected, names);
      compareWritten(joined, expected);
    }
  }

  private static String part(Random random, long extent) {
    int kind = random.nextInt(4);
    if (kind == 0) {
      return Long.toString(random.nextInt((int) extent));
    } else if (kind == 1) {
      return random.nextInt((int) extent) + "::" + (1 + random.nextInt(3));
    }
    return kind == 2
        ? ":"
        : random.ints(1 + random.nextInt(5), 0, (int) extent).boxed().toList().toString();
  }

  static void compareParts(Random random, Variable v, NdArray expected, List<String> names) {
    Variable chain = v;
    NdArray cut = expected;
    for (int d = names.size() - 1; d >= 0; d--) {
      String its = part(random, cut.shape().extent(d));
      String selection = ":, ".repeat(d) + its;
      chain = chain.isel(names.get(d), its);
      cut = cut.slice(Selection.parse(selection)).toContiguous();
    }
    assertThat(await(chain.read())).isEqualTo(cut);
    for (boolean isInOrder : new boolean[] {true, false}) {
      double[] put = new double[cut.shape().elementCount().intValueExact()];
      Arrays.fill(put, -1e9);
      Shape shape = cut.shape();
      var chunks = isInOrder ? chain.chunksInOrder() : chain.chunks();
      for (Chunk chunk : requireNonNull(await(chunks.collectList()))) {
        place(chunk, shape, put);
      }
      assertThat(NdArray.ofDoubles(shape, put)).isEqualTo(cut);
    }
    Shape shape = expected.shape();
    String box =
        String.join(
            ", ",
            IntStream.range(0, shape.rank()).mapToObj(d -> part(random, shape.extent(d))).toList());
    NdArray boxed = expected.slice(Selection.parse(box)).toContiguous();
    assertThat(await(v.read(box))).as(box).isEqualTo(boxed);
    ByteBuffer target = ByteBuffer.allocate(boxed.bytes().size() + 9).position(5);
    assertThat(await(v.readInto(Selection.parse(box), target)))
        .isEqualTo(boxed.bytes().asByteBuffer());
    assertThat(target.position()).isEqualTo(5);
    long[][] points = new long[1 + random.nextInt(6)][];
    Arrays.setAll(
        points,
        p -> LongStream.of(shape.toArray()).map(extent -> random.nextInt((int) extent)).toArray());
    assertThat(await(v.read(Selection.points(points))))
        .isEqualTo(expected.slice(Selection.points(points)));
  }

  private static void place(Chunk chunk, Shape shape, double[] put) {
    ResolvedSelection place = chunk.selection();
    NdArray numbers =
        NdArray.ofLongs(DataTypes.INT64, shape, LongStream.range(0, put.length).toArray())
            .slice(any -> place);
    numbers.forEachIndex(
        index -> put[(int) numbers.getLong(index)] = chunk.data().getDouble(index));
  }

  private void compareWritten(Dataset joined, NdArray expected) {
    Dataset written = requireNonNull(await(joined.writeTo(hierarchy, "w" + groups++)));
    assertThat(await(written.variable("v").read())).isEqualTo(expected);
    NdArray means = requireNonNull(await(written.variable("v").over("b").mean()));
    assertThat(await(joined.variable("v").over("b").mean())).isEqualTo(means);
    assertThat(await(joined.variable("v").plus(joined.variable("v")).over().max()))
        .isEqualTo(await(written.variable("v").times(2).over().max()));
    long elements =
        requireNonNull(
            await(
                joined
                    .assign(joined.variable("v").plus(1).named("w"))
                    .blocks("v", "w")
                    .map(
                        block ->
                            requireNonNull(block.values().get("w"))
                                .shape()
                                .elementCount()
                                .longValue())
                    .reduce(Long::sum)));
    assertThat(elements).isEqualTo(expected.shape().elementCount().longValue());
  }

  private List<Dataset> years(int count) {
    List<Dataset> years = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      int year = k;
      years.add(
          write(
              of ->
                  of.coordinate(
                          "t",
                          NdArray.ofLongs(
                              DataTypes.INT64,
                              Shape.of(10),
                              LongStream.range(10L * year, 10L * year + 10).toArray()))
                      .coordinate("x", List.of(1.5, 2.5))
                      .variable(
                          "v",
                          List.of("t", "x"),
                          doubles(Shape.of(10, 2), 20 * year),
                          v -> v.chunkShape(4, 2))));
    }
    return years;
  }

  private long chunksAsked(String array) {
    return store.counts().requests().stream()
        .filter(request -> request.target().contains(array + "/c/"))
        .count();
  }

  @Example
  void each_chunk_is_requested_once_and_only_in_stores_that_are_selected() {
    List<Dataset> years = years(4);
    Dataset joined = requireNonNull(await(Dataset.concat("t", years)));
    store.counts().reset();
    Variable v = joined.variable("v");
    assertThat(v.shape()).isEqualTo(Shape.of(40, 2));
    assertThat(store.counts().total()).isZero();
    await(v.read());
    assertThat(chunksAsked("v")).isEqualTo(12);
    store.counts().reset();
    await(v.chunks().then());
    assertThat(chunksAsked("v")).isEqualTo(12);
    store.counts().reset();
    await(v.times(v).plus(v).over("t").mean());
    assertThat(chunksAsked("v")).isEqualTo(12);
    store.counts().reset();
    NdArray some = requireNonNull(await(joined.sel("t", 9, 12).read("v")));
    assertThat(some.toDoubleArray()).containsExactly(18, 19, 20, 21, 22, 23, 24, 25);
    assertThat(store.counts().requests())
        .allMatch(request -> request.target().matches(".*g[01]/v/c/[02]/0.*"));
    assertThat(chunksAsked("v")).isEqualTo(2);
  }

  @Example
  void a_cancel_ends_the_requests_of_all_stores() {
    List<Dataset> years = years(4);
    Dataset joined = requireNonNull(await(Dataset.concat("t", years)));
    HeldRequests held = store.hold(request -> request.target().contains("v/c/"));
    StepVerifier.create(joined.variable("v").read())
        .then(() -> Waiting.eventually("chunks are asked for", () -> held.waiting() > 2))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    Waiting.eventually("the requests are cancelled", () -> held.waiting() == 0);
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
    store.behave();
    store.counts().reset();
    HeldRequests labels = store.hold(request -> request.target().contains("t/c/"));
    List<Dataset> opened =
        IntStream.range(0, 4)
            .mapToObj(k -> requireNonNull(await(Dataset.open(hierarchy, "g" + k))))
            .toList();
    StepVerifier.create(Dataset.combine(opened))
        .then(() -> Waiting.eventually("labels are asked for", () -> labels.waiting() > 1))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    Waiting.eventually("the requests are cancelled", () -> labels.waiting() == 0);
    store.behave();
  }

  @Example
  void the_demand_bounds_what_is_read_of_the_stores() {
    Dataset joined = requireNonNull(await(Dataset.concat("t", years(30))));
    store.counts().reset();
    StepVerifier.create(joined.variable("v").chunksInOrder(), 1)
        .expectNextCount(1)
        .then(() -> assertThat(chunksAsked("v")).isLessThan(20))
        .thenCancel()
        .verify(Waiting.PATIENCE);
  }

  @Example
  void a_chain_of_datasets_is_ordered_by_its_coordinates() {
    List<Dataset> years = years(3);
    Dataset joined =
        requireNonNull(await(Dataset.combine(List.of(years.get(2), years.get(0), years.get(1)))));
    assertThat(requireNonNull(await(joined.variable("t").read())).toLongArray())
        .isEqualTo(LongStream.range(0, 30).toArray());
    assertThat(await(joined.variable("v").read())).isEqualTo(doubles(Shape.of(30, 2), 0));
    Dataset opened = requireNonNull(await(Dataset.open(hierarchy, List.of("g1", "g0"))));
    assertThat(opened.sizes()).isEqualTo(Map.of("t", 20L, "x", 2L));
    Dataset inOrder = requireNonNull(await(Dataset.open(hierarchy, List.of("g1", "g0"), "t")));
    assertThat(requireNonNull(await(inOrder.variable("t").read())).getLong(0)).isEqualTo(10);
  }

  @Example
  void tiles_of_two_dimensions_are_put_together() {
    NdArray whole = doubles(Shape.of(5, 7), 0);
    List<Dataset> tiles = new ArrayList<>();
    for (int[] y : new int[][] {{0, 2}, {2, 5}}) {
      for (int[] x : new int[][] {{4, 7}, {0, 4}}) {
        Selection box = Selection.parse(y[0] + ":" + y[1] + "," + x[0] + ":" + x[1]);
        tiles.add(
            write(
                of ->
                    of.coordinate("y", IntStream.range(y[0], y[1]).mapToObj(i -> 50.0 - i).toList())
                        .coordinate(
                            "x", IntStream.range(x[0], x[1]).mapToObj(i -> i * 2.0).toList())
                        .variable(
                            "z",
                            List.of("y", "x"),
                            whole.slice(box).toContiguous(),
                            z -> z.chunkShape(2, 2))));
      }
    }
    Dataset map = requireNonNull(await(Dataset.combine(tiles)));
    assertThat(await(map.variable("z").read())).isEqualTo(whole);
    assertThat(await(map.sel("y", 49.0, 47.0).sel("x", 6.0, 10.0).read("z")))
        .isEqualTo(whole.slice(Selection.parse("1:4,3:6")).toContiguous());
    compareParts(new Random(5), map.variable("z"), whole, List.of("y", "x"));
    store.counts().reset();
    await(map.variable("z").chunks().then());
    assertThat(chunksAsked("z")).isEqualTo(2 + 2 + 4 + 4);
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.combine(tiles.subList(0, 3))))
        .withMessageMatching(
            "no dataset begins at x 0.0, as /g1 in .* does and y 48.0, as /g2 in .* does; .*");
  }

  @Example
  void times_of_several_units_are_brought_together_exactly() {
    Dataset some =
        write(
            of ->
                of.coordinate(
                    "time",
                    List.of(
                        Instant.parse("2000-01-01T00:00:00Z"),
                        Instant.parse("2000-01-02T00:00:00Z")),
                    time -> time.times("days since 1999-12-31")));
    Dataset others =
        write(
            of ->
                of.coordinate(
                    "time",
                    List.of(
                        Instant.parse("2000-01-02T06:00:00.001Z"),
                        Instant.parse("2000-01-03T00:00:00Z")),
                    time -> time.times("milliseconds since 1970-01-01")));
    Dataset joined = requireNonNull(await(Dataset.combine(List.of(others, some))));
    Variable time = joined.variable("time");
    NdArray values = requireNonNull(await(time.read()));
    assertThat(IntStream.range(0, 4).mapToObj(values::getInstant).map(Instant::toString))
        .containsExactly(
            "2000-01-01T00:00:00Z",
            "2000-01-02T00:00:00Z",
            "2000-01-02T06:00:00.001Z",
            "2000-01-03T00:00:00Z");
    Dataset written = requireNonNull(await(joined.writeTo(hierarchy, "times")));
    assertThat(await(written.variable("time").read())).isEqualTo(values);
    assertThat(requireNonNull(await(joined.sel("time", "2000-01-02").dataset())).sizes())
        .isEqualTo(Map.of("time", 2L));
  }

  @Example
  void dates_of_a_models_calendar_are_brought_together() {
    List<Dataset> both = new ArrayList<>();
    for (String units : List.of("days since 1999-01-01", "hours since 1850-01-01")) {
      int year = 2000 + both.size();
      both.add(
          write(
              of ->
                  of.coordinate(
                      "time",
                      List.of(
                          CalendarDate.of(CfCalendar.DAYS_360, year, 2, 30),
                          CalendarDate.of(CfCalendar.DAYS_360, year, 12, 30)),
                      time -> time.times(units, CfCalendar.DAYS_360))));
    }
    Dataset joined = requireNonNull(await(Dataset.combine(List.of(both.get(1), both.get(0)))));
    Variable time = joined.variable("time");
    NdArray counts = requireNonNull(await(time.read()));
    assertThat(
            LongStream.of(counts.toLongArray())
                .mapToObj(count -> time.times().orElseThrow().date(count).toString()))
        .containsExactly(
            "2000-02-30T00:00:00",
            "2000-12-30T00:00:00",
            "2001-02-30T00:00:00",
            "2001-12-30T00:00:00");
    Dataset written = requireNonNull(await(joined.writeTo(hierarchy, "dates")));
    assertThat(await(written.variable("time").read())).isEqualTo(counts);
  }

  @Example
  void a_new_dimension_comes_first_and_may_have_labels() {
    List<Dataset> members =
        IntStream.range(0, 3)
            .mapToObj(
                k ->
                    write(
                        of ->
                            of.coordinate("x", List.of(1, 2))
                                .variable("v", List.of("x"), doubles(Shape.of(2), 10 * k))))
            .toList();
    Variable labels =
        Variable.of(
            "member",
            List.of("member"),
            NdArray.ofStrings(DataTypes.STRING, Shape.of(3), "a", "b", "c"));
    Dataset all = requireNonNull(await(Dataset.concat(labels, members)));
    assertThat(all.variable("v").dimensions()).containsExactly("member", "x");
    assertThat(await(all.variable("v").read()))
        .isEqualTo(NdArray.ofDoubles(Shape.of(3, 2), 0, 1, 10, 11, 20, 21));
    assertThat(requireNonNull(await(all.sel("member", "b").read("v"))).toDoubleArray())
        .containsExactly(10, 11);
    assertThat(
            requireNonNull(await(all.isel("x", 1).sel("member", List.of("c", "a", "c")).read("v")))
                .toDoubleArray())
        .containsExactly(21, 1, 21);
    List<Dataset> parts = IntStream.range(0, 2).mapToObj(k -> members.get(k).isel("x", k)).toList();
    Dataset stacked = requireNonNull(await(Dataset.concat("x", parts)));
    assertThat(requireNonNull(await(stacked.variable("x").read())).toLongArray())
        .containsExactly(1, 2);
    assertThat(requireNonNull(await(stacked.variable("v").read())).toDoubleArray())
        .containsExactly(0, 11);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dataset.concat(labels, members.subList(1, 3)))
        .withMessageContaining("has no label for each of 2 datasets");
  }

  @Example
  void texts_and_numbers_of_several_types_are_together() {
    Dataset some =
        write(
            of ->
                of.variable(
                        "s",
                        List.of("i"),
                        NdArray.ofStrings(DataTypes.STRING, Shape.of(2), "a", "bc"))
                    .variable(
                        "n",
                        List.of("i"),
                        NdArray.ofShorts(DataTypes.INT16, Shape.of(2), (short) 1, (short) 2)));
    Dataset others =
        write(
            of ->
                of.variable(
                        "s", List.of("i"), NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "d"))
                    .variable(
                        "n", List.of("i"), NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(1), 0.5f)));
    Dataset all = requireNonNull(await(Dataset.concat("i", List.of(some, others, some))));
    assertThat(requireNonNull(await(all.variable("s").read())).toStringArray())
        .containsExactly("a", "bc", "d", "a", "bc");
    assertThat(requireNonNull(await(all.isel("i", "[4, 2]").variable("s").read())).toStringArray())
        .containsExactly("bc", "d");
    assertThat(await(all.variable("n").read()))
        .isEqualTo(NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(5), 1, 2, 0.5f, 1, 2));
  }

  @Example
  void datasets_without_values_add_nothing() {
    Dataset some =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("t", List.of(1, 2))
                    .variable("v", List.of("t"), NdArray.ofDoubles(Shape.of(2), 1, 2))
                    .write(hierarchy, "some")));
    Dataset none =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("t", NdArray.ofLongs(DataTypes.INT64, Shape.of(0)))
                    .variable("v", List.of("t"), NdArray.ofDoubles(Shape.of(0)))
                    .write(hierarchy, "none")));
    Dataset later =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("t", List.of(3))
                    .variable("v", List.of("t"), NdArray.ofDoubles(Shape.of(1), 3))
                    .write(hierarchy, "later")));
    Dataset bare = requireNonNull(await(Dataset.builder().write(hierarchy, "bare")));
    Dataset all = requireNonNull(await(Dataset.combine(List.of(none, later, bare, some))));
    assertThat(requireNonNull(await(all.variable("v").read())).toDoubleArray())
        .containsExactly(1, 2, 3);
    assertThat(requireNonNull(await(Dataset.combine(List.of(none, none)))).sizes())
        .containsEntry("t", 0L);
    assertThat(requireNonNull(await(Dataset.combine(List.of(bare, some)))).sizes())
        .containsEntry("t", 2L);
  }

  @Example
  void variables_of_several_datasets_are_merged() {
    Dataset some =
        write(
            of ->
                of.coordinate("x", List.of(1, 2))
                    .variable("u", List.of("x"), doubles(Shape.of(2), 0)));
    Dataset others =
        write(
            of ->
                of.coordinate("x", List.of(1, 2))
                    .variable("v", List.of("x"), doubles(Shape.of(2), 5)));
    Dataset both = requireNonNull(await(Dataset.merge(List.of(some, others))));
    assertThat(both.dataVariables().keySet()).containsExactly("u", "v");
    assertThat(requireNonNull(await(both.sel("x", 2).read("v"))).getDouble()).isEqualTo(6);
    Dataset combined = requireNonNull(await(Dataset.combine(List.of(some, others))));
    assertThat(combined.dataVariables().keySet()).containsExactly("u", "v");
    Dataset shifted =
        write(
            of ->
                of.coordinate("x", List.of(1, 3))
                    .variable("w", List.of("x"), doubles(Shape.of(2), 5)));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.merge(List.of(some, shifted))))
        .withMessageContaining("x differs: it has 2 in /g0 in ")
        .withMessageContaining(", but 3 in /g2 in ");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.merge(List.of(some, some))))
        .withMessageContaining("both have the variable u");
  }

  @Example
  void an_error_of_one_store_names_it() throws IOException {
    Path root = Files.createTempDirectory("stores");
    List<Dataset> files = new ArrayList<>();
    for (String name : List.of("a.zarr", "b.zarr")) {
      ZarrHierarchy at = Zarr.hierarchy(FileSystemStore.open(root.resolve(name)));
      int from = files.size() * 2;
      files.add(
          requireNonNull(
              await(
                  Dataset.builder()
                      .coordinate("t", List.of(from, from + 1))
                      .variable("v", List.of("t"), doubles(Shape.of(2), from))
                      .write(at, ""))));
    }
    Dataset both = requireNonNull(await(Dataset.combine(files)));
    Files.write(root.resolve("b.zarr/v/c/0"), new byte[] {1, 2, 3});
    assertThatExceptionOfType(ZarrException.class)
        .isThrownBy(() -> await(both.variable("v").read()))
        .withMessageContaining("node /v")
        .withMessageContaining("key v/c/0")
        .withMessageContaining("b.zarr])");
    assertThatExceptionOfType(ZarrException.class)
        .isThrownBy(() -> await(both.variable("v").plus(1).over().mean()))
        .withMessageContaining("b.zarr])");
    assertThat(requireNonNull(await(both.sel("t", 0, 1).read("v"))).toDoubleArray()).hasSize(2);
  }

  @Example
  void datasets_that_do_not_go_together_are_refused_by_name() throws IOException {
    Path root = Files.createTempDirectory("joined");
    List<Dataset> files = new ArrayList<>();
    for (String name : List.of("one.zarr", "two.zarr")) {
      ZarrHierarchy at = Zarr.hierarchy(FileSystemStore.open(root.resolve(name)));
      boolean isFirst = files.isEmpty();
      files.add(
          requireNonNull(
              await(
                  Dataset.builder()
                      .coordinate("t", isFirst ? List.of(1, 2) : List.of(2, 3))
                      .variable(
                          "v",
                          List.of("t"),
                          doubles(Shape.of(2), 0),
                          v -> v.attribute("units", isFirst ? "K" : "degC"))
                      .write(at, ""))));
    }
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.concat("t", files)))
        .withMessageMatching("v has the units K in .*one.zarr.*, but degC in .*two.zarr.*");
    Dataset two = files.get(1).assign(files.get(0).variable("v").isel("t", ":"));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.combine(List.of(files.get(0), two))))
        .withMessageMatching(
            "the labels of t do not ascend or descend: 2 follows 2, in .*one.zarr.* and"
                + " .*two.zarr.*; select parts that do not overlap, or use concat");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.combine(List.of(files.get(0), files.get(0)))))
        .withMessageContaining("have equal coordinates");
    assertThatIllegalArgumentException().isThrownBy(() -> Dataset.combine(List.of()));
  }

  @Example
  void other_calendars_types_and_labels_are_refused() {
    Dataset some = times("standard");
    Dataset others = times("noleap");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.concat("time", List.of(some, others))))
        .withMessageContaining("time has the calendar standard in /g0 in")
        .withMessageContaining(", but noleap in /g1 in");
    Dataset texts = write(of -> of.coordinate("time", List.of("a", "b")));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.concat("time", List.of(some, texts))))
        .withMessageContaining("time has the type numpy.datetime64")
        .withMessageContaining(", but string in /g2 in");
    Dataset more =
        write(
            of ->
                of.coordinate("time", List.of("c"))
                    .coordinate("x", List.of(1, 2))
                    .variable("v", List.of("time", "x"), doubles(Shape.of(1, 2), 0)));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.concat("time", List.of(texts, more))))
        .withMessageContaining("/g3 in")
        .withMessageContaining(" has the variable v, and /g2 in");
    Dataset shifted =
        write(
            of ->
                of.coordinate("time", List.of("d"))
                    .coordinate("x", List.of(1, 3))
                    .variable("v", List.of("time", "x"), doubles(Shape.of(1, 2), 0)));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.concat("time", List.of(more, shifted))))
        .withMessageContaining("x differs: it has 2 in /g3 in");
    Dataset longer =
        write(
            of ->
                of.coordinate("time", List.of("d"))
                    .coordinate("x", List.of(1, 3, 4))
                    .variable("v", List.of("time", "x"), doubles(Shape.of(1, 3), 0)));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(Dataset.concat("time", List.of(more, longer))))
        .withMessageContaining("v has 2 of x in /g3 in")
        .withMessageContaining("but 3 in /g5 in");
  }

  private Dataset times(String calendar) {
    CfCalendar its = calendar.equals("noleap") ? CfCalendar.NO_LEAP : CfCalendar.STANDARD;
    return write(
        of ->
            of.coordinate(
                "time",
                List.of(CalendarDate.of(its, 2000, 1, 1)),
                time -> time.times("days since 1999-01-01", its)));
  }

  @Example
  void a_dimension_may_be_longer_than_a_list() {
    List<Dataset> both = new ArrayList<>();
    for (String name : List.of("long1", "long2")) {
      await(hierarchy.createGroup(name));
      await(
          hierarchy.createArray(
              name + "/v",
              ArrayMetadata.v3(Shape.of(2_000_000_000L), DataTypes.FLOAT64)
                  .chunkShape(100_000)
                  .fillValue(both.size())
                  .dimensionNames("t")
                  .build()));
      both.add(requireNonNull(await(Dataset.open(hierarchy, name))));
    }
    Variable v = requireNonNull(await(Dataset.concat("t", both))).variable("v");
    assertThat(v.shape()).isEqualTo(Shape.of(4_000_000_000L));
    assertThat(requireNonNull(await(v.read("1999999999:2000000001"))).toDoubleArray())
        .containsExactly(0, 1);
    assertThat(requireNonNull(await(v.chunksInOrder().take(1).single())).data().getDouble(0))
        .isZero();
  }

  @Example
  void the_meanings_of_flags_are_kept() {
    NdArray values = NdArray.ofBytes(DataTypes.INT8, Shape.of(1), (byte) 1);
    Dataset some =
        write(
            of ->
                of.variable(
                    "quality",
                    List.of("i"),
                    values,
                    quality ->
                        quality
                            .attribute("flag_meanings", "bad good")
                            .attribute("flag_values", List.of(0, 1))));
    Variable both =
        requireNonNull(await(Dataset.concat("i", List.of(some, some)))).variable("quality");
    assertThat(both.flags()).isEqualTo(some.variable("quality").flags());
    assertThat(both.flags()).isPresent();
  }

  @Example
  void missing_times_stay_missing() {
    Dataset some =
        write(
            of ->
                of.variable(
                    "start",
                    List.of("i"),
                    NdArray.ofLongs(
                        DataTypes.datetime64(dev.zarrreactive.datatype.NumpyUnit.SECOND, 1),
                        Shape.of(2),
                        TimeType.NAT,
                        5),
                    start -> start.missing(-1)));
    Dataset others =
        write(
            of ->
                of.variable(
                    "start",
                    List.of("i"),
                    NdArray.ofLongs(
                        DataTypes.datetime64(dev.zarrreactive.datatype.NumpyUnit.NANOSECOND, 1),
                        Shape.of(1),
                        7)));
    Dataset all = requireNonNull(await(Dataset.concat("i", List.of(some, others))));
    assertThat(requireNonNull(await(all.variable("start").read())).toLongArray())
        .containsExactly(TimeType.NAT, 5_000_000_000L, 7);
  }
}
