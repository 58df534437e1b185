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
import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.CfCalendar;
import dev.zarrreactive.cf.CfFlags;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.UnfinishedWriteException;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class NewDatasetTest {
  private final MemoryStore store = MemoryStore.create();
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  private static final Instant DAY = Instant.parse("2020-02-28T00:00:00Z");

  static NdArray numbers(int... shape) {
    long[] extents = Arrays.stream(shape).asLongStream().toArray();
    int count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    return NdArray.ofDoubles(
        Shape.of(extents), IntStream.range(0, count).mapToDouble(i -> 270 + i * 0.25).toArray());
  }

  static List<Instant> hours(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(hour -> DAY.plus(Duration.ofHours(hour)))
        .toList();
  }

  /** Describes a dataset with every kind of variable, which also the test with xarray reads. */
  static NewDataset everything(int format) {
    double[] gaps = numbers(4, 3, 2).toDoubleArray();
    gaps[5] = Double.NaN;
    return Dataset.builder()
        .zarrFormat(format)
        .attribute("title", "all kinds")
        .attribute("levels", List.of(1, 2.5))
        .coordinate(
            "time",
            hours(0, 4),
            time ->
                time.times("hours since 1900-01-01", CfCalendar.STANDARD)
                    .stored(DataTypes.INT32)
                    .attribute("bounds", "time_bnds"))
        .coordinate(
            "lat", List.of(50.0, 49.5, 49.0), lat -> lat.attribute("units", "degrees_north"))
        .coordinate("lon", List.of(16, 17), lon -> lon.attribute("units", "degrees_east"))
        .coordinate("height", List.of(), NdArray.scalar(DataTypes.FLOAT64, 2.0), h -> h)
        .coordinate(
            "area", List.of("lat", "lon"), numbers(3, 2), area -> area.attribute("units", "m2"))
        .variable(
            "time_bnds",
            List.of("time", "nv"),
            NdArray.ofInstants(
                DataTypes.datetime64(NumpyUnit.SECOND, 1),
                Shape.of(4, 2),
                Stream.concat(hours(0, 4).stream(), hours(1, 4).stream())
                    .sorted()
                    .toArray(Instant[]::new)))
        .variable(
            "t2m",
            List.of("time", "lat", "lon"),
            NdArray.ofDoubles(Shape.of(4, 3, 2), gaps),
            t2m ->
                t2m.packed(DataTypes.INT16, 0.25, 273.0)
                    .missing(-32768)
                    .attribute("units", "K")
                    .chunkShape(3, 2, 2))
        .variable("rain", List.of("time", "lat", "lon"), NdArray.ofDoubles(Shape.of(4, 3, 2), gaps))
        .variable(
            "masked",
            List.of("time", "lat", "lon"),
            NdArray.ofDoubles(Shape.of(4, 3, 2), gaps),
            masked -> masked.stored(DataTypes.FLOAT32).missing(-9999))
        .variable("zeros", List.of("lat"), NdArray.ofLongs(DataTypes.INT64, Shape.of(3), 0, 0, 0))
        .variable("land", List.of("lat"), NdArray.ofBooleans(Shape.of(3), true, false, true))
        .variable(
            "name", List.of("lon"), NdArray.ofStrings(DataTypes.STRING, Shape.of(2), "Wien", "ö"))
        .variable(
            "cover",
            List.of("lat"),
            NdArray.ofBytes(DataTypes.INT8, Shape.of(3), (byte) 1, (byte) 2, (byte) 1),
            cover ->
                cover.flags(
                    new CfFlags(
                        List.of(
                            new CfFlags.Flag("water", -1, 1), new CfFlags.Flag("wood", -1, 2)))))
        .variable(
            "age",
            List.of("lat"),
            NdArray.ofDurations(
                DataTypes.timedelta64(NumpyUnit.SECOND, 1),
                Shape.of(3),
                Duration.ofHours(1),
                Duration.ofDays(2),
                Duration.ZERO))
        .variable("count", List.of(), NdArray.scalar(DataTypes.INT32, 7));
  }

  private Dataset reopened() {
    return requireNonNull(await(Dataset.open(Zarr.hierarchy(store), "")));
  }

  private static NdArray read(Dataset dataset, String name) {
    return requireNonNull(await(dataset.variable(name).read()));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void values_are_read_as_they_were_written(int format) {
    await(everything(format).write(hierarchy, ""));
    Dataset dataset = reopened();
    assertThat(dataset.group().metadata().consolidated()).isNotNull();
    assertThat(dataset.sizes())
        .containsOnlyKeys("time", "lat", "lon", "nv")
        .containsEntry("time", 4L);
    assertThat(dataset.coordinates())
        .containsOnlyKeys("time", "lat", "lon", "height", "area", "time_bnds");
    assertThat(dataset.variable("t2m").dimensions()).containsExactly("time", "lat", "lon");
    double[] gaps = numbers(4, 3, 2).toDoubleArray();
    gaps[5] = Double.NaN;
    assertThat(read(dataset, "t2m").toDoubleArray()).containsExactly(gaps);
    assertThat(read(dataset, "rain").toDoubleArray()).containsExactly(gaps);
    assertThat(read(dataset, "masked").cast(DataTypes.FLOAT64).toDoubleArray())
        .containsExactly(gaps);
    assertThat(read(dataset, "time").getInstant(3)).isEqualTo(DAY.plus(Duration.ofHours(3)));
    assertThat(dataset.variable("time").raw().array().dataType()).isEqualTo(DataTypes.INT32);
    assertThat(read(dataset, "time_bnds").getInstant(3, 1)).isEqualTo(DAY.plusSeconds(4 * 3600));
    assertThat(dataset.variable("time_bnds").times().orElseThrow().units())
        .isEqualTo("hours since 1900-01-01");
    assertThat(read(dataset, "lat").toDoubleArray()).containsExactly(50, 49.5, 49);
    assertThat(read(dataset, "lon").toLongArray()).containsExactly(16, 17);
    assertThat(read(dataset, "zeros").toLongArray()).containsExactly(0, 0, 0);
    assertThat(read(dataset, "land").toBooleanArray()).containsExactly(true, false, true);
    assertThat(read(dataset, "name").toStringArray()).containsExactly("Wien", "ö");
    assertThat(read(dataset, "age").getDuration(1)).isEqualTo(Duration.ofDays(2));
    assertThat(read(dataset, "count").getInt()).isEqualTo(7);
    assertThat(dataset.variable("cover").flags().orElseThrow().meanings(2)).containsExactly("wood");
    assertThat(dataset.attributes().string("title")).hasValue("all kinds");
    assertThat(dataset.variable("t2m").attributes().string("coordinates")).hasValue("area height");
    assertThat(dataset.variable("t2m").array().chunkGrid().largestChunkShape())
        .isEqualTo(Shape.of(3, 2, 2));
    NdArray selected =
        requireNonNull(await(dataset.sel("time", "2020-02-28T02").sel("lat", 49.5).read("t2m")));
    assertThat(selected).isEqualTo(read(dataset, "t2m").slice(selection("2,1")));
  }

  private static Selection selection(String selection) {
    return Selection.parse(selection);
  }

  @Test
  void names_and_fill_values_are_those_of_xarray() {
    await(everything(2).write(hierarchy, ""));
    Variable zeros = reopened().variable("zeros");
    assertThat(zeros.array().attributes().list("_ARRAY_DIMENSIONS")).hasValue(List.of("lat"));
    assertThat(zeros.array().metadata().document().get("fill_value")).isEqualTo(JsonNull.NULL);
    assertThat(await(zeros.array().chunkExists(0))).isTrue();
    MemoryStore other = MemoryStore.create();
    Dataset v3 = requireNonNull(await(everything(3).write(Zarr.hierarchy(other), "")));
    assertThat(v3.variable("t2m").array().metadata().dimensionNames())
        .containsExactly("time", "lat", "lon");
    assertThat(v3.variable("masked").attributes().string("_FillValue")).hasValue("AAAAAICHw8A=");
    assertThat(v3.variable("t2m").attributes().integer("_FillValue")).hasValue(-32768);
  }

  @Test
  void streams_are_encoded_block_by_block() {
    int rows = 1000;
    List<Long> sizes = Collections.synchronizedList(new ArrayList<>());
    Flux<NdArray> blocks =
        Flux.range(0, rows / 10)
            .map(i -> NdArray.ofDoubles(Shape.of(10, 64), new double[640]))
            .doOnRequest(sizes::add);
    ZarrOptions options = ZarrOptions.defaults().withMaxInFlightBytes(1 << 20);
    Dataset dataset =
        requireNonNull(
            await(
                Dataset.builder()
                    .dimension("row", rows)
                    .dimension("column", 64)
                    .variable(
                        "a",
                        List.of("row", "column"),
                        DataTypes.FLOAT64,
                        blocks,
                        a -> a.packed(DataTypes.INT16, 0.1, 1).chunkShape(100, 64))
                    .write(Zarr.hierarchy(store, options), "")));
    assertThat(sizes).isNotEmpty().allMatch(demand -> demand < 100);
    assertThat(ExactStatistics.of(read(dataset, "a")).max().orElseThrow().getDouble())
        .isEqualTo(0.0);
    assertThat(dataset.sizes()).containsEntry("row", 1000L);
  }

  @Test
  void a_stream_with_too_few_rows_or_a_wrong_value_is_refused() {
    NewDataset few =
        Dataset.builder()
            .dimension("x", 4)
            .variable(
                "a",
                List.of("x"),
                DataTypes.FLOAT64,
                Flux.just(numbers(3)),
                UnaryOperator.identity());
    assertThatExceptionOfType(UnfinishedWriteException.class)
        .isThrownBy(() -> await(few.write(hierarchy, "few")));
    NewDataset wrong =
        Dataset.builder().variable("a", List.of("x"), numbers(3), a -> a.stored(DataTypes.INT8));
    assertThatExceptionOfType(UnfinishedWriteException.class)
        .isThrownBy(() -> await(wrong.write(hierarchy, "wrong")))
        .withStackTraceContaining("a: the value 270.0 at [0] of the block does not fit int8");
  }

  @Test
  void variables_that_contradict_each_other_are_refused_before_anything_is_written() {
    NewDataset twice = Dataset.builder().coordinate("x", List.of(1, 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> twice.coordinate("x", List.of(1, 2)))
        .withMessageContaining("two variables of the name x");
    twice.variable("a", List.of("x"), numbers(3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> await(twice.write(hierarchy, "")))
        .withMessageContaining("the dimension x has the extent 3 in a, but 2 in x");
    NewDataset unknown =
        Dataset.builder()
            .variable("a", List.of("x"), DataTypes.FLOAT64, Flux.empty(), UnaryOperator.identity());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> await(unknown.write(hierarchy, "")))
        .withMessageContaining("the extent of x in a is unknown");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dataset.builder().variable("a", List.of("x"), numbers(3, 2)))
        .withMessageContaining("the shape [3, 2], but dimensions [x]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dataset.builder().coordinate("x", List.of(1, "a")))
        .withMessageContaining("several kinds");
    assertThat(await(store.list())).isEmpty();
  }

  @Test
  void an_existing_dataset_is_kept() {
    await(Dataset.builder().coordinate("x", List.of(1)).write(hierarchy, "d"));
    assertThatExceptionOfType(NodeExistsException.class)
        .isThrownBy(
            () -> await(Dataset.builder().coordinate("x", List.of(2)).write(hierarchy, "d")));
  }

  @Test
  void dates_of_a_model_are_counted_in_its_calendar() {
    List<CalendarDate> dates =
        List.of(
            CalendarDate.of(CfCalendar.DAYS_360, 2000, 2, 30),
            CalendarDate.of(CfCalendar.DAYS_360, 2000, 3, 1));
    Dataset dataset =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate(
                        "time",
                        dates,
                        time -> time.times("days since 2000-01-01", CfCalendar.DAYS_360))
                    .write(hierarchy, "")));
    assertThat(read(dataset.raw(), "time").toLongArray()).containsExactly(59, 60);
    assertThat(requireNonNull(await(dataset.sel("time", dates.get(0)).dataset())).sizes())
        .isEmpty();
    await(
        Dataset.builder()
            .coordinate("time", List.of(CalendarDate.of(CfCalendar.DAYS_360, 2000, 3, 2)))
            .appendTo(hierarchy, "", "time"));
    assertThat(read(reopened().raw(), "time").toLongArray()).containsExactly(59, 60, 61);
  }

  @Test
  void days_without_settings_are_seconds_since_1970() {
    Dataset dataset =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("time", List.of(LocalDate.of(2020, 2, 29)))
                    .write(hierarchy, "")));
    assertThat(dataset.variable("time").times().orElseThrow())
        .hasToString("seconds since 1970-01-01, proleptic_gregorian");
    assertThat(requireNonNull(await(dataset.sel("time", "2020-02").dataset())).sizes())
        .containsEntry("time", 1L);
  }

  private static NewDataset hoursOf(int from, int count) {
    return Dataset.builder()
        .coordinate("time", hours(from, count))
        .variable(
            "t2m",
            List.of("lat", "time"),
            NdArray.filled(Shape.of(2, count), FillValue.of(DataTypes.FLOAT64, 270.0 + from)));
  }

  private static NewDataset base(int format) {
    return Dataset.builder()
        .zarrFormat(format)
        .coordinate("lat", List.of(1.5, 2.5))
        .coordinate("time", hours(0, 2), time -> time.times("hours since 2000-01-01"))
        .variable(
            "t2m",
            List.of("lat", "time"),
            NdArray.filled(Shape.of(2, 2), FillValue.of(DataTypes.FLOAT64, 270.0)),
            t2m -> t2m.packed(DataTypes.INT16, 0.5, 0).missing(-1).chunkShape(1, 4));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void an_append_makes_all_variables_longer(int format) {
    await(base(format).write(hierarchy, "d"));
    await(hoursOf(2, 3).appendTo(hierarchy, "d", "time"));
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.hierarchy(store), "d")));
    assertThat(dataset.sizes()).containsEntry("time", 5L).containsEntry("lat", 2L);
    assertThat(dataset.group().metadata().consolidated()).isNotNull();
    assertThat(read(dataset, "t2m").toDoubleArray())
        .containsExactly(270, 270, 272, 272, 272, 270, 270, 272, 272, 272);
    assertThat(read(dataset, "time").getInstant(4)).isEqualTo(DAY.plusSeconds(4 * 3600));
    assertThat(read(dataset.raw(), "t2m").dataType()).isEqualTo(DataTypes.INT16);
  }

  @Test
  void concurrent_appends_take_rows_of_their_own_in_all_variables() {
    await(base(3).write(hierarchy, "d"));
    int appends = 20;
    Mono<Void> all =
        Flux.range(1, appends)
            .flatMap(
                i ->
                    hoursOf(2 * i, 2)
                        .consolidated(i % 2 == 0)
                        .inAnyOrder(true)
                        .appendTo(Zarr.hierarchy(store), "d", "time"),
                appends)
            .then();
    await(all);
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.hierarchy(store), "d")));
    assertThat(dataset.sizes()).containsEntry("time", 2L + 2 * appends);
    NdArray time = read(dataset, "time");
    NdArray t2m = read(dataset, "t2m");
    List<Instant> times = new ArrayList<>();
    for (int i = 0; i < 2 + 2 * appends; i++) {
      Instant instant = time.getInstant(i);
      times.add(instant);
      long from = Duration.between(DAY, instant).toHours() / 2 * 2;
      assertThat(t2m.getDouble(0, i)).isEqualTo(270.0 + from);
      assertThat(t2m.getDouble(1, i)).isEqualTo(270.0 + from);
    }
    assertThat(times).containsExactlyInAnyOrderElementsOf(hours(0, 2 + 2 * appends));
  }

  @Test
  void an_append_that_does_not_fit_changes_nothing() {
    await(base(3).write(hierarchy, "d"));
    refused(
        Dataset.builder().coordinate("time", hours(2, 1)), "the variable t2m has the dimension");
    refused(
        hoursOf(2, 1).variable("rain", List.of("time"), numbers(1)),
        "the dataset has no variable rain");
    refused(hoursOf(2, 1).coordinate("lat", List.of(1.5, 2.75)), "the labels of lat are others");
    refused(hoursOf(2, 1).coordinate("lat", List.of(2.5, 1.5)), "the labels of lat are others");
    refused(
        Dataset.builder()
            .coordinate("time", hours(2, 1))
            .variable("t2m", List.of("lat", "time"), numbers(3, 1)),
        "the dimension lat of t2m has the extent 2, found 3");
    refused(
        Dataset.builder()
            .coordinate("time", hours(2, 1))
            .variable("t2m", List.of("lat", "time"), NdArray.ofDoubles(Shape.of(2, 1), 270, 1e9)),
        "t2m: the value 1.0E9 at [1, 0] of the block does not fit int16");
    refused(
        Dataset.builder()
            .coordinate("time", List.of(DAY.plusSeconds(1)))
            .variable("t2m", List.of("lat", "time"), numbers(2, 1)),
        "is no whole number in \"hours since 2000-01-01\"");
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.hierarchy(store), "d")));
    assertThat(dataset.sizes()).containsEntry("time", 2L);
    assertThat(dataset.group().metadata().consolidated()).isNotNull();
  }

  @Test
  void an_append_takes_labels_that_the_dataset_has() {
    await(base(3).write(hierarchy, "d"));
    await(
        hoursOf(2, 1)
            .coordinate("lat", List.of(1.5000001, 2.5))
            .coordinate("lon", List.of(7.0))
            .appendTo(hierarchy, "d", "time"));
    Dataset dataset = requireNonNull(await(Dataset.open(hierarchy, "d")));
    assertThat(dataset.sizes()).containsEntry("time", 3L);
    assertThat(read(dataset, "lat").toDoubleArray()).containsExactly(1.5, 2.5);
  }

  @Test
  void times_that_step_back_or_are_there_already_are_refused_with_their_labels() {
    await(base(3).write(hierarchy, "d"));
    refused(
        hoursOf(1, 2),
        "the time 2020-02-28T01:00:00 cannot follow 2020-02-28T01:00:00, the last one of the"
            + " dataset: it is there already");
    refused(
        hoursOf(-5, 2),
        "the time 2020-02-27T19:00:00 cannot follow 2020-02-28T01:00:00, the last one of the"
            + " dataset: it steps back");
    refused(
        Dataset.builder()
            .coordinate("time", List.of(DAY.plusSeconds(7200), DAY.plusSeconds(7200)))
            .variable("t2m", List.of("lat", "time"), numbers(2, 2)),
        "the time 2020-02-28T02:00:00 cannot follow 2020-02-28T02:00:00: it is there already");
    assertThat(requireNonNull(await(Dataset.open(hierarchy, "d"))).sizes())
        .containsEntry("time", 2L);
    await(hoursOf(-5, 2).inAnyOrder(true).appendTo(hierarchy, "d", "time"));
    Dataset dataset = requireNonNull(await(Dataset.open(hierarchy, "d")));
    assertThat(read(dataset, "time").getInstant(2)).isEqualTo(DAY.minusSeconds(5 * 3600));
  }

  @Test
  void times_that_descend_go_on_downwards() {
    await(
        Dataset.builder()
            .coordinate("time", List.of(DAY, DAY.minusSeconds(60)))
            .write(hierarchy, "d"));
    refused(
        Dataset.builder().coordinate("time", List.of(DAY.plusSeconds(60))),
        "the time 2020-02-28T00:01:00 cannot follow 2020-02-27T23:59:00, the last one");
    await(
        Dataset.builder()
            .coordinate("time", List.of(DAY.minusSeconds(90), DAY.minusSeconds(120)))
            .appendTo(hierarchy, "d", "time"));
    assertThat(requireNonNull(await(Dataset.open(hierarchy, "d"))).sizes())
        .containsEntry("time", 4L);
  }

  @Test
  void texts_of_a_fixed_length_are_appended_to_those_of_another_one() {
    DataType wide = new FixedLengthUtf32Type(32);
    DataType narrow = new FixedLengthUtf32Type(16);
    await(
        Dataset.builder()
            .variable("name", List.of("x"), NdArray.ofStrings(narrow, Shape.of(1), "Oslo"))
            .write(hierarchy, "d"));
    await(
        Dataset.builder()
            .variable("name", List.of("x"), NdArray.ofStrings(wide, Shape.of(2), "Rom", "Wien"))
            .appendTo(hierarchy, "d", "x"));
    Dataset dataset = requireNonNull(await(Dataset.open(hierarchy, "d")));
    assertThat(read(dataset, "name").toStringArray()).containsExactly("Oslo", "Rom", "Wien");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                await(
                    Dataset.builder()
                        .variable(
                            "name",
                            List.of("x"),
                            NdArray.ofStrings(wide, Shape.of(2), "Rom", "Madrid"))
                        .appendTo(hierarchy, "d", "x")))
        .withMessageContaining(
            "name: the text \"Madrid\" at [1] of the block has 6 characters, and the array holds"
                + " texts of up to 4");
  }

  private void refused(NewDataset more, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> await(more.appendTo(hierarchy, "d", "time")))
        .withMessageContaining(message);
  }

  @Test
  void a_stream_is_appended_beside_its_coordinate() {
    await(
        Dataset.builder()
            .coordinate("time", hours(0, 2))
            .variable("a", List.of("time", "x"), numbers(2, 3))
            .write(hierarchy, "d"));
    await(
        Dataset.builder()
            .coordinate("time", hours(2, 4))
            .dimension("x", 3)
            .variable(
                "a",
                List.of("time", "x"),
                DataTypes.FLOAT64,
                Flux.just(numbers(1, 3), numbers(3, 3)),
                UnaryOperator.identity())
            .appendTo(hierarchy, "d", "time"));
    Dataset dataset = requireNonNull(await(Dataset.open(hierarchy, "d")));
    assertThat(read(dataset, "a").slice(selection("3:"))).isEqualTo(numbers(3, 3));
  }

  @Test
  void after_a_failed_append_the_next_one_is_told() {
    long hour = Duration.between(Instant.parse("2000-01-01T00:00:00Z"), DAY).toHours() + 2;
    await(base(3).write(hierarchy, "d"));
    await(
        hierarchy
            .openArray("d/time")
            .flatMap(t -> t.append(0, NdArray.ofLongs(DataTypes.INT64, Shape.of(1), hour))));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(hoursOf(3, 1).appendTo(hierarchy, "d", "time")))
        .withMessageContaining("it has 2 rows, but time has 3: an append has begun here")
        .withMessageContaining("inAnyOrder(true)")
        .withMessageContaining("d/t2m");
    await(hoursOf(3, 1).inAnyOrder(true).appendTo(hierarchy, "d", "time"));
    Dataset dataset = requireNonNull(await(Dataset.open(hierarchy, "d")));
    assertThat(read(dataset, "t2m").toDoubleArray())
        .containsExactly(270, 270, Double.NaN, 273, 270, 270, Double.NaN, 273);
    await(hierarchy.openArray("d/t2m").flatMap(a -> a.resize(Shape.of(2, 6))));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(hoursOf(4, 1).appendTo(hierarchy, "d", "time")))
        .withMessageContaining("it has 6 rows, but time has 4");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> await(hoursOf(4, 1).inAnyOrder(true).appendTo(hierarchy, "d", "time")))
        .withMessageContaining("it has 6 rows, but time had 4");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_selected_part_is_copied_with_its_packing(int format) {
    Dataset dataset = requireNonNull(await(everything(format).write(hierarchy, "all")));
    Dataset part =
        requireNonNull(
            await(
                dataset
                    .sel("time", "2020-02-28T01", "2020-02-28T02")
                    .sel("lat", 49.5)
                    .isel("lon", "0:2")
                    .writeTo(hierarchy, "part")));
    assertThat(part.sizes()).containsEntry("time", 2L).containsEntry("lon", 2L);
    assertThat(part.sizes()).doesNotContainKey("lat");
    assertThat(part.coordinates()).containsKeys("lat", "height", "area");
    assertThat(read(part, "lat").getDouble()).isEqualTo(49.5);
    assertThat(read(part, "t2m")).isEqualTo(read(dataset, "t2m").slice(selection("1:3,1")));
    assertThat(read(part.raw(), "t2m").dataType()).isEqualTo(DataTypes.INT16);
    assertThat(read(part, "name")).isEqualTo(read(dataset, "name"));
    assertThat(part.attributes().string("title")).hasValue("all kinds");
    Dataset lists =
        requireNonNull(await(dataset.sel("lat", List.of(49.0, 50.0)).writeTo(hierarchy, "lists")));
    assertThat(read(lists, "t2m")).isEqualTo(read(dataset, "t2m").slice(selection(":,[2,0]")));
    Dataset steps = requireNonNull(await(dataset.isel("time", "1::2").writeTo(hierarchy, "steps")));
    assertThat(read(steps, "t2m")).isEqualTo(read(dataset, "t2m").slice(selection("1::2")));
    assertThat(steps.variable("t2m").array().metadata().codecs())
        .isEqualTo(dataset.variable("t2m").array().metadata().codecs());
  }

  @Test
  void datasets_of_xarray_are_copied_whole() {
    for (String name : XarrayDatasets.names()) {
      Dataset dataset = XarrayDatasets.open(name);
      Dataset copy =
          requireNonNull(
              await(
                  dataset
                      .writeTo(hierarchy, name)
                      .flatMap(written -> Dataset.of(written.group(), CfRule.xarray()))));
      assertThat(copy.coordinates().keySet()).as(name).isEqualTo(dataset.coordinates().keySet());
      assertThat(copy.sizes()).as(name).isEqualTo(dataset.sizes());
      for (Variable variable : dataset.raw().variables().values()) {
        assertThat(read(copy.raw(), variable.name()))
            .as(name + " " + variable)
            .isEqualTo(await(variable.read()));
        assertThat(copy.variable(variable.name()).decoding().rules())
            .as(name + " " + variable)
            .isEqualTo(dataset.variable(variable.name()).decoding().rules());
      }
    }
  }

  @Test
  void a_part_of_another_dataset_is_appended_with_the_packing_that_is_there() {
    await(base(3).write(hierarchy, "d"));
    Dataset other =
        requireNonNull(
            await(
                Dataset.builder()
                    .coordinate("lat", List.of(1.5, 2.5))
                    .coordinate("time", hours(0, 6))
                    .variable("t2m", List.of("lat", "time"), numbers(2, 6))
                    .write(hierarchy, "other")));
    Dataset part = requireNonNull(await(other.isel("time", "2:4").select().dataset()));
    await(
        Dataset.builder()
            .coordinate(part.variable("time"))
            .variable(part.variable("t2m"))
            .appendTo(hierarchy, "d", "time"));
    Dataset dataset = requireNonNull(await(Dataset.open(hierarchy, "d")));
    assertThat(read(dataset, "t2m").toDoubleArray())
        .containsExactly(270, 270, 270.5, 271, 270, 270, 272, 272);
    assertThat(read(dataset, "time").getInstant(3)).isEqualTo(DAY.plusSeconds(3 * 3600));
  }
}
