package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.dataset.CalendarPart;
import dev.zarrreactive.dataset.CalendarPeriod;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetReduction;
import dev.zarrreactive.dataset.ExactStatistics;
import dev.zarrreactive.dataset.LabelMethod;
import dev.zarrreactive.dataset.Statistic;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The samples of docs/datasets.md. */
class DatasetSamplesTest {
  @TempDir Path directory;
  private String location = "";

  @BeforeEach
  void write() {
    location = directory.toString();
    int[] hours = {1053288, 1053300, 1053312, 1053324}; // from 2020-02-28
    array(
        NdArray.ofInts(DataTypes.INT32, Shape.of(4), hours),
        "time",
        JsonObject.EMPTY.with("units", "hours since 1900-01-01"),
        "time");
    array(
        NdArray.ofDoubles(Shape.of(3), 49, 48, 47),
        "latitude",
        JsonObject.EMPTY.with("units", "degrees_north"),
        "latitude");
    array(
        NdArray.ofDoubles(Shape.of(2), 16, 17),
        "longitude",
        JsonObject.EMPTY.with("units", "degrees_east"),
        "longitude");
    short[] packed = new short[24];
    for (int i = 0; i < packed.length; i++) {
      packed[i] = (short) i;
    }
    packed[8] = -1;
    array(
        NdArray.ofShorts(DataTypes.INT16, Shape.of(4, 3, 2), packed),
        "t2m",
        JsonObject.EMPTY
            .with("units", "K")
            .with("scale_factor", new JsonNumber("0.5"))
            .with("add_offset", new JsonNumber("270.0"))
            .with("_FillValue", -1),
        "time",
        "latitude",
        "longitude");
  }

  private void array(NdArray data, String name, JsonObject attributes, String... dimensions) {
    ArrayMetadata array =
        ArrayMetadata.v3(data.shape(), data.dataType())
            .dimensionNames(dimensions)
            .attributes(attributes)
            .build();
    ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));
    hierarchy
        .createArray(name, array)
        .flatMap(created -> created.write(Selection.all(), data))
        .block();
  }

  @Test
  void selecting_places() {
    Dataset dataset = Dataset.open(Zarr.at(location)).block();
    // docs: datasets-places
    Mono<NdArray> atStations =
        dataset
            .selPoints(
                "station",
                Map.of("latitude", List.of(48.2, 47.1), "longitude", List.of(16.4, 15.6)),
                LabelMethod.NEAREST)
            .read("t2m");
    Mono<NdArray> between =
        dataset
            .interp("latitude", List.of(48.5, 47.25))
            .interp("longitude", List.of(16.5))
            .read("t2m");
    Mono<NdArray> north = dataset.sel(dataset.variable("latitude").greaterThan(47.5)).read("t2m");
    Mono<NdArray> greenwich = dataset.selAround("longitude", -20, 20).read("t2m");
    Variable celsius = dataset.variable("t2m").minus(273.15);
    Mono<Variable> february = celsius.sel(dataset.variable("time"), "2020-02-28");
    // docs: end
    NdArray all = dataset.variable("t2m").read().block();
    assertThat(atStations.block().toDoubleArray())
        .containsExactly(
            all.getDouble(0, 1, 0), all.getDouble(0, 2, 0),
            all.getDouble(1, 1, 0), all.getDouble(1, 2, 0),
            all.getDouble(2, 1, 0), all.getDouble(2, 2, 0),
            all.getDouble(3, 1, 0), all.getDouble(3, 2, 0));
    assertThat(between.block().shape()).isEqualTo(Shape.of(4, 2, 1));
    assertThat(between.block().getDouble(0, 0, 0)).isEqualTo(270.75);
    assertThat(north.block().shape()).isEqualTo(Shape.of(4, 2, 2));
    assertThat(greenwich.block()).isEqualTo(all);
    assertThat(february.block().read().block().shape()).isEqualTo(Shape.of(2, 3, 2));
  }

  @Test
  void opening_several_stores() {
    String january = directory.resolve("january").toString();
    String february = directory.resolve("february").toString();
    Dataset all = Dataset.open(Zarr.at(location)).block();
    all.sel("time", "2020-02-27", "2020-02-28").writeTo(Zarr.at(january)).block();
    all.selFrom("time", "2020-02-29").writeTo(Zarr.at(february)).block();
    Dataset control = all.isel("time", 0);
    Dataset warm = control.assign(control.variable("t2m").plus(2));
    // docs: datasets-several
    Mono<Dataset> record =
        Dataset.open(List.of(Zarr.at(february), Zarr.at(january)))
            .flatMap(air -> air.sel("time", "2020-02-28", "2020-02-29").dataset());
    Variable names =
        Variable.of(
            "member",
            List.of("member"),
            NdArray.ofStrings(DataTypes.STRING, Shape.of(2), "control", "warm"));
    Mono<Dataset> ensemble = Dataset.concat(names, List.of(control, warm));
    // docs: end
    assertThat(record.block().variable("t2m").read().block())
        .isEqualTo(all.sel("time", "2020-02-28", "2020-02-29").read("t2m").block());
    assertThat(ensemble.flatMap(members -> members.sel("member", "warm").read("t2m")).block())
        .isEqualTo(warm.variable("t2m").read().block());
  }

  @Test
  void opening() throws Exception {
    // docs: datasets-open
    Dataset dataset = Dataset.open(Zarr.at(location)).block();
    System.out.println(dataset);
    // docs: end
    String page = Files.readString(Pages.ROOT.resolve("docs/datasets.md"));
    assertThat(page).contains("```text\n" + dataset + "\n```");
  }

  @Test
  void selecting() {
    // docs: datasets-select
    Mono<NdArray> vienna =
        Dataset.open(Zarr.at(location))
            .flatMap(
                dataset ->
                    dataset
                        .sel("time", "2020-02-28", "2020-02-29T12")
                        .sel("latitude", 48.2, LabelMethod.NEAREST)
                        .isel("longitude", "0:2")
                        .read("t2m"));
    // docs: end
    NdArray values = vienna.block();
    assertThat(values.shape()).isEqualTo(Shape.of(4, 2));
    assertThat(values.toDoubleArray())
        .containsExactly(271, 271.5, Double.NaN, 274.5, 277, 277.5, 280, 280.5);
  }

  @Test
  void streaming() {
    // docs: datasets-stream
    Mono<Double> warmest =
        Dataset.open(Zarr.at(location))
            .flatMapMany(dataset -> dataset.sel("time", "2020-02-28").chunks("t2m"))
            .flatMapIterable(chunk -> ExactStatistics.of(chunk.data()).max().stream().toList())
            .map(NdArray::getDouble)
            .reduce(Math::max);
    // docs: end
    assertThat(warmest.block()).isEqualTo(275.5);
  }

  @Test
  void pictures() {
    Dataset dataset = Dataset.open(Zarr.at(location)).block();
    // docs: datasets-picture
    Mono<Bytes> map = dataset.isel("time", 0).picture("t2m").png();
    Mono<Bytes> line = dataset.isel("latitude", 0).isel("longitude", 0).picture("t2m").png();
    // docs: end
    assertThat(map.block().toByteArray()).startsWith(0x89, 'P', 'N', 'G');
    assertThat(line.block().toByteArray()).startsWith(0x89, 'P', 'N', 'G');
  }

  @Test
  void aligning() {
    Dataset dataset = Dataset.open(Zarr.at(location)).block();
    // docs: datasets-blocks
    Mono<Double> warmestSouth =
        dataset
            .blocks("t2m")
            .map(
                block -> {
                  NdArray latitudes = block.coordinates().get("latitude");
                  double south = ExactStatistics.of(latitudes).min().get().getDouble();
                  NdArray warmth = block.values().get("t2m");
                  return south > 47.5 ? 0 : ExactStatistics.of(warmth).mean().getAsDouble();
                })
            .reduce(Math::max);
    // docs: end
    assertThat(warmestSouth.block()).isBetween(275.0, 277.0);
  }

  @Test
  void reducing() {
    Dataset dataset = Dataset.open(Zarr.at(location)).block();
    // docs: datasets-reduce
    Variable t2m = dataset.variable("t2m");
    Mono<NdArray> map = t2m.over("time").mean();
    Mono<Map<Statistic, NdArray>> series =
        t2m.over("latitude", "longitude").statistics(Statistic.MIN, Statistic.MAX, Statistic.COUNT);
    Mono<Dataset> days = dataset.resample("time", CalendarPeriod.DAY).mean("t2m");
    Mono<long[]> histogram = t2m.histogram(270, 275, 280, 285);
    Mono<double[]> quartiles = t2m.quantiles(0.001, 0.25, 0.5, 0.75);
    // docs: end
    assertThat(map.block().toDoubleArray()[0]).isEqualTo((270 + 273 + 276 + 279) / 4.0);
    assertThat(series.block().get(Statistic.COUNT).toLongArray()).containsExactly(6, 5, 6, 6);
    assertThat(days.block().variable("time").read().block().getInstant(1))
        .isEqualTo("2020-02-29T00:00:00Z");
    assertThat(days.block().variable("t2m").shape()).isEqualTo(Shape.of(2, 3, 2));
    assertThat(histogram.block()).containsExactly(9, 10, 4);
    assertThat(quartiles.block()[1]).isBetween(275.0, 277.0);
  }

  @Test
  void calculating() {
    Dataset dataset = Dataset.open(Zarr.at(location)).block();
    // docs: datasets-formulas
    Variable kelvin = dataset.variable("t2m");
    Variable celsius = kelvin.minus(273.15).named("celsius");
    Variable frost = celsius.where(celsius.lessThan(0)).named("frost");
    Dataset both = dataset.assign(celsius, frost);
    Mono<NdArray> coldest =
        both.sel("time", "2020-02-28").variable("frost").flatMap(Variable::read);
    Mono<NdArray> daysOfFrost = celsius.lessThan(0).over("time").sum();
    // docs: end
    assertThat(coldest.block().getDouble(0, 0, 0)).isCloseTo(-3.15, within(1e-9));
    assertThat(daysOfFrost.block().toLongArray()).startsWith(2);
    assertThat(both.variable("frost").dimensions())
        .containsExactly("time", "latitude", "longitude");
  }

  @Test
  void grouping() {
    Dataset dataset = Dataset.open(Zarr.at(location)).block();
    String target = directory.resolve("anomalies").toString();
    // docs: datasets-groups
    DatasetReduction months = dataset.groupBy("time", CalendarPart.MONTH);
    Mono<Dataset> climatology = months.mean();
    Mono<Dataset> anomalies =
        climatology.flatMap(months::minus).flatMap(each -> each.writeTo(Zarr.at(target)));
    Variable weights = dataset.variable("latitude").map(y -> Math.cos(Math.toRadians(y)));
    Mono<Dataset> region = dataset.over("latitude", "longitude").weighted(weights).mean("t2m");
    // docs: end
    assertThat(climatology.block().variable("month").read().block().toLongArray())
        .containsExactly(2);
    Dataset written = anomalies.block();
    assertThat(written.variable("t2m").isStored()).isTrue();
    assertThat(written.variable("time").read().block())
        .isEqualTo(dataset.variable("time").read().block());
    assertThat(written.variable("t2m").read().block().getDouble(0, 0, 0)).isEqualTo(270 - 274.5);
    assertThat(region.block().variable("t2m").read().block().shape()).isEqualTo(Shape.of(4));
    assertThat(region.block().variable("t2m").attributes().toString())
        .contains("latitude: longitude: mean");
  }

  @Test
  void columns() {
    Dataset dataset = Dataset.open(Zarr.at(location)).block();
    String target = directory.resolve("columns").toString();
    // docs: datasets-columns
    Mono<Dataset> quartiles = dataset.over("time").quantiles(new double[] {0.25, 0.75}, "t2m");
    Mono<Dataset> medians = dataset.groupBy("time", CalendarPart.HOUR).median("t2m");
    Variable smooth = dataset.variable("t2m").rolling("time", 3).centred().atLeast(2).mean();
    Variable warmth = dataset.variable("t2m").minus(270).cumulative("time").sum();
    Mono<Dataset> written = dataset.assign(smooth.named("smooth")).writeTo(Zarr.at(target));
    Mono<Dataset> histograms =
        dataset.over("time").histogram(new double[] {270, 275, 280, 285}, "t2m");
    Mono<Dataset> lastOfDays = dataset.resample("time", CalendarPeriod.DAY).last("t2m");
    Mono<NdArray> whenWarmest = dataset.variable("t2m").over("time").argMax();
    // docs: end
    Variable quarters = quartiles.block().variable("t2m");
    assertThat(quarters.dimensions()).containsExactly("quantile", "latitude", "longitude");
    assertThat(quarters.read().block().getDouble(0, 0, 0)).isEqualTo(272.25);
    assertThat(medians.block().variable("t2m").read().block().getDouble(1, 0, 0))
        .isEqualTo((273 + 279) / 2.0);
    NdArray smoothed = written.block().variable("smooth").read().block();
    assertThat(smoothed.getDouble(0, 0, 0)).isEqualTo(271.5);
    assertThat(smoothed.getDouble(1, 0, 0)).isEqualTo(273);
    assertThat(warmth.read().block().getDouble(3, 0, 0)).isEqualTo(3 + 6 + 9);
    assertThat(histograms.block().variable("t2m").shape()).isEqualTo(Shape.of(3, 2, 3));
    assertThat(lastOfDays.block().variable("t2m").read().block().getDouble(0, 0, 0)).isEqualTo(273);
    assertThat(whenWarmest.block().toLongArray()).containsOnly(3);
  }

  @Test
  void dating() {
    Dataset dataset = Dataset.open(Zarr.at(location)).block();
    // docs: datasets-dates
    Variable time = dataset.variable("time");
    TimeCoding coding = time.times().orElseThrow();
    Mono<List<CalendarDate>> dates =
        time.read()
            .map(counts -> Arrays.stream(counts.toLongArray()).mapToObj(coding::date).toList());
    // docs: end
    assertThat(dates.block().toString())
        .isEqualTo(
            "[2020-02-28T00:00:00, 2020-02-28T12:00:00, 2020-02-29T00:00:00, 2020-02-29T12:00:00]");
  }

  @Test
  void writing_and_appending() {
    String target = directory.resolve("new").toString();
    // docs: datasets-write
    List<Instant> times =
        List.of(Instant.parse("2020-03-01T00:00:00Z"), Instant.parse("2020-03-01T06:00:00Z"));
    NdArray kelvin = NdArray.ofDoubles(Shape.of(2, 3), 271.3, 272, 273.15, 274, Double.NaN, 276);
    Mono<Dataset> written =
        Dataset.builder()
            .coordinate("time", times, time -> time.times("hours since 2000-01-01"))
            .coordinate(
                "lat", List.of(50.0, 49.0, 48.0), lat -> lat.attribute("units", "degrees_north"))
            .variable(
                "t2m",
                List.of("time", "lat"),
                kelvin,
                t2m ->
                    t2m.packed(DataTypes.INT16, 0.01, 273.15)
                        .missing(-32768)
                        .attribute("units", "K")
                        .chunkShape(24, 3))
            .attribute("title", "Two times")
            .write(Zarr.at(target));
    // docs: end
    assertThat(written.block().sizes()).containsEntry("time", 2L);
    // docs: datasets-append
    Mono<Void> appended =
        Dataset.builder()
            .coordinate("time", List.of(Instant.parse("2020-03-01T12:00:00Z")))
            .variable(
                "t2m", List.of("time", "lat"), NdArray.ofDoubles(Shape.of(1, 3), 271, 272, 273))
            .appendTo(Zarr.at(target), "time");
    // docs: end
    appended.block();
    Variable t2m = Dataset.open(Zarr.at(target)).block().variable("t2m");
    assertThat(t2m.shape()).isEqualTo(Shape.of(3, 3));
    assertThat(t2m.read("1:,0").block().toDoubleArray())
        .containsExactly(new double[] {274, 271}, within(0.0051));
    assertThat(t2m.raw().dataType()).isEqualTo(DataTypes.INT16);
  }

  @Test
  void memory_that_is_used_again() {
    // docs: datasets-memory
    Mono<Double> lastOfEach =
        Dataset.open(Zarr.at(location))
            .map(dataset -> dataset.variable("t2m"))
            .flatMap(
                t2m -> {
                  ByteBuffer memory = ByteBuffer.allocate(3 * 2 * Double.BYTES);
                  return Flux.range(0, 4)
                      .concatMap(step -> t2m.readInto(Selection.parse(step + ""), memory), 0)
                      .map(values -> values.getDouble(values.limit() - Double.BYTES))
                      .reduce(Double::sum);
                });
    // docs: end
    assertThat(lastOfEach.block()).isEqualTo(4 * 270 + 0.5 * (5 + 11 + 17 + 23));
  }

  @Test
  void copying() {
    String target = directory.resolve("copy").toString();
    // docs: datasets-copy
    Mono<Dataset> copy =
        Dataset.open(Zarr.at(location))
            .flatMap(dataset -> dataset.sel("time", "2020-02-28").writeTo(Zarr.at(target)));
    // docs: end
    assertThat(copy.block().sizes()).containsEntry("time", 2L);
  }

  @Test
  void tasks_of_xarray() {
    // docs: datasets-tasks
    Mono<Dataset> opened = Dataset.open(Zarr.at(location));
    Mono<String> printed = opened.map(Dataset::toString);
    Mono<NdArray> nearest =
        opened.flatMap(ds -> ds.sel("latitude", 48.2, LabelMethod.NEAREST).read("t2m"));
    Mono<NdArray> february = opened.flatMap(ds -> ds.sel("time", "2020-02", "2020-03").read("t2m"));
    Mono<NdArray> values = opened.flatMap(ds -> ds.variable("t2m").read());
    Mono<NdArray> mean = opened.flatMap(ds -> ds.variable("t2m").over("time").mean());
    Mono<Dataset> months =
        opened.flatMap(ds -> ds.resample("time", CalendarPeriod.MONTH).mean("t2m"));
    Flux<Bytes> csv = opened.flatMapMany(ds -> encoded(ds.variable("t2m"), Encodings.csv()));
    Flux<Bytes> npy = opened.flatMapMany(ds -> encoded(ds.variable("t2m"), Encodings.npy()));
    // docs: end
    assertThat(printed.block()).contains("t2m");
    assertThat(values.block().shape()).isEqualTo(Shape.of(4, 3, 2));
    assertThat(mean.block().toDoubleArray()).hasSize(6).startsWith(274.5);
    assertThat(months.block().variable("t2m").shape()).isEqualTo(Shape.of(1, 3, 2));
    assertThat(Bytes.join(npy.collectList().block()).toByteArray())
        .startsWith(0x93, 'N', 'U', 'M', 'P', 'Y')
        .hasSizeGreaterThan(24 * Double.BYTES);
    assertThat(nearest.block().shape()).isEqualTo(Shape.of(4, 2));
    assertThat(february.block().shape()).isEqualTo(Shape.of(4, 3, 2));
    assertThat(
            new String(Bytes.join(csv.collectList().block()).toByteArray(), StandardCharsets.UTF_8))
        .startsWith("time,latitude,longitude,value\r\n0,0,0,270.0\r\n");
  }

  // docs: datasets-encoded
  static Flux<Bytes> encoded(Variable variable, Encoding encoding) {
    return variable
        .array()
        .encode(Selection.all(), variable.decoding().before(encoding, true), 1 << 16);
  }

  // docs: end
}
