package dev.zarrreactive.docs;

import static dev.zarrreactive.dataset.LabelMethod.NEAREST;
import static dev.zarrreactive.datatype.DataTypes.INT16;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.dataset.CalendarPart;
import dev.zarrreactive.dataset.CalendarPeriod;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetReduction;
import dev.zarrreactive.dataset.NewVariable;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** The samples of docs/science.md, with values that make_science.py has recorded of xarray. */
class ScienceSamplesTest {
  private static final JsonObject RECORDS = records();

  @TempDir Path directory;
  private String url = "";
  private Dataset ds;

  private static JsonObject records() {
    try (InputStream in =
        new GZIPInputStream(
            requireNonNull(
                ScienceSamplesTest.class.getResourceAsStream("/science/science.json.gz")))) {
      return (JsonObject)
          JsonDocument.parse(ByteBuffer.wrap(in.readAllBytes()), Location.UNKNOWN, 1L << 40)
              .value();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Writes the field of make_science.py, and opens it. */
  private static Dataset field(int first, int days, String location) {
    Instant begin = Instant.parse("2019-01-01T00:00:00Z");
    List<Instant> times =
        IntStream.range(first, first + days)
            .mapToObj(day -> begin.plus(day, ChronoUnit.DAYS))
            .toList();
    double[] data = new double[days * 12];
    for (int i = 0; i < data.length; i++) {
      int t = first + i / 12;
      int y = i / 4 % 3;
      int x = i % 4;
      data[i] = (t + y + x) % 17 == 0 ? Double.NaN : 250 + (t * 37 + y * 11 + x * 5) % 401 / 8.0;
    }
    return Dataset.builder()
        .coordinate("time", times, time -> time.times("days since 2019-01-01"))
        .coordinate("lat", List.of(49.0, 48.0, 47.0), v -> v.attribute("units", "degrees_north"))
        .coordinate(
            "lon", List.of(15.0, 16.0, 17.0, 18.0), v -> v.attribute("units", "degrees_east"))
        .variable(
            "t2m",
            List.of("time", "lat", "lon"),
            NdArray.ofDoubles(Shape.of(days, 3, 4), data),
            v -> v.attribute("units", "K").chunkShape(64, 2, 4))
        .write(Zarr.at(location))
        .block();
  }

  @BeforeEach
  void write() {
    url = directory.resolve("era.zarr").toString();
    ds = field(0, 400, url);
  }

  private static void compare(String name, NdArray values) {
    List<JsonValue> theirs =
        ((JsonArray) requireNonNull(((JsonObject) requireNonNull(RECORDS.get(name))).get("values")))
            .elements();
    double[] ours = values.cast(DataTypes.FLOAT64).toDoubleArray();
    assertThat(ours).as(name).hasSize(theirs.size());
    for (int i = 0; i < ours.length; i++) {
      if (theirs.get(i) instanceof JsonNumber number) {
        double value = number.toDouble();
        assertThat(ours[i])
            .as(name + " " + i)
            .isCloseTo(value, within(1e-13 * Math.max(300, Math.abs(value))));
      } else {
        assertThat(ours[i]).as(name + " " + i).isNaN();
      }
    }
  }

  private static void compare(String name, Variable variable) {
    JsonObject record = (JsonObject) requireNonNull(RECORDS.get(name));
    assertThat(variable.dimensions()).as(name).isEqualTo(record.list("dims").orElseThrow());
    compare(name, variable.read().block());
  }

  @Test
  void opening() {
    // docs: science-open
    Dataset ds = Dataset.open(Zarr.at(url)).block();
    System.out.println(ds);
    // docs: end
    assertThat(ds.toString()).contains("time: 400").contains("t2m      (time, lat, lon) float64");
  }

  @Test
  void one_point() {
    // docs: science-point
    Mono<NdArray> point =
        ds.sel("time", "2019-01").sel("lat", 48.2, NEAREST).sel("lon", 16.4, NEAREST).read("t2m");
    // docs: end
    compare("point", point.block());
  }

  @Test
  void means_of_months() {
    // docs: science-months
    Mono<Dataset> means = ds.resample("time", CalendarPeriod.MONTH).mean();
    // docs: end
    compare("months", means.block().variable("t2m"));
  }

  @Test
  void a_climatology_and_anomalies() {
    String target = directory.resolve("anomalies").toString();
    // docs: science-climatology
    Mono<Dataset> climatology = ds.groupBy("time", CalendarPart.MONTH).mean();
    // docs: end
    // docs: science-anomalies
    DatasetReduction months = ds.groupBy("time", CalendarPart.MONTH);
    Mono<Dataset> anomalies =
        months.mean().flatMap(months::minus).flatMap(each -> each.writeTo(Zarr.at(target)));
    // docs: end
    compare("climatology", climatology.block().variable("t2m"));
    compare("anomalies", anomalies.block().variable("t2m"));
  }

  @Test
  void a_mean_of_a_region() {
    // docs: science-region
    Variable weights = ds.variable("lat").map(lat -> Math.cos(Math.toRadians(lat)));
    Mono<Dataset> region = ds.over("lat", "lon").weighted(weights).mean();
    // docs: end
    compare("region", region.block().variable("t2m"));
  }

  @Test
  void pictures() {
    // docs: science-picture
    Mono<Bytes> map = ds.isel("time", 0).picture("t2m").png();
    // docs: end
    assertThat(map.block().toByteArray()).startsWith(0x89, 'P', 'N', 'G');
  }

  @Test
  void quantiles() {
    // docs: science-hot
    Mono<Dataset> hot = ds.over("time").quantile(0.9);
    // docs: end
    compare("hot", hot.block().variable("t2m"));
    // docs: science-quartiles
    Mono<NdArray> quartiles = ds.variable("t2m").over().quantiles(0.25, 0.5, 0.75);
    Mono<double[]> ofAnySize = ds.variable("t2m").quantiles(0.001, 0.25, 0.5, 0.75);
    // docs: end
    compare("quartiles", quartiles.block());
    double[] near = ofAnySize.block();
    double[] exact = quartiles.block().toDoubleArray();
    for (int i = 0; i < near.length; i++) {
      assertThat(near[i]).isCloseTo(exact[i], within(0.0011 * exact[i] + 0.125));
    }
  }

  @Test
  void running_means() {
    // docs: science-smooth
    Variable smooth = ds.variable("t2m").rolling("time", 7).centred().mean();
    // docs: end
    compare("smooth", smooth);
  }

  @Test
  void days_of_frost() {
    // docs: science-frost
    Mono<NdArray> frost = ds.variable("t2m").lessThan(273.15).over("time").sum();
    // docs: end
    compare("frost", frost.block());
  }

  @Test
  void appending() {
    Dataset run = field(400, 30, directory.resolve("run").toString());
    // docs: science-append
    Mono<Void> appended = run.appendTo(Zarr.at(url), "time");
    // docs: end
    appended.block();
    Dataset all = Dataset.open(Zarr.at(url)).block();
    compare("appended", all.isel("time", "398:402").variable("t2m"));
  }

  @Test
  void packing() {
    String target = directory.resolve("packed").toString();
    // docs: science-packed
    UnaryOperator<NewVariable> packing = t2m -> t2m.packed(INT16, 0.01, 273.15).missing(-32768);
    Mono<Dataset> packed = ds.writeTo(Zarr.at(target), Map.of("t2m", packing));
    // docs: end
    compare("packed", packed.block().isel("time", "0:20").variable("t2m"));
  }
}
