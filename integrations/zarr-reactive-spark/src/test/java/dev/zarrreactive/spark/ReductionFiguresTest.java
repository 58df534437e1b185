package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * How much faster reductions are where tasks compute them of blocks than where Spark computes them
 * of cells, and how they compare with xarray and dask, where a Python has these: the best of rounds
 * in turns, over years in steps of six hours in files. It checks values, never times.
 */
@EnabledIfSystemProperty(
    named = "zarr.spark.figures",
    matches = "true",
    disabledReason = "figures are for a quiet machine: -Dzarr.spark.figures=true")
@ExtendWith(AsUsersHaveIt.class)
class ReductionFiguresTest {
  private static final int LATS = 37;
  private static final int LONS = 72;
  private static final int CHUNK = 365;
  private static final int ROUNDS = Integer.getInteger("zarr.spark.rounds", 5);

  @TempDir static Path directory;

  private static Path write(int times) {
    Path location = directory.resolve("of-" + times + ".zarr");
    ZarrGroup group = requireNonNull(await(Zarr.at(location.toString()).createGroup()));
    int[] hours = new int[times];
    Arrays.setAll(hours, i -> 6 * i);
    label(group, "time", NdArray.ofInts(DataTypes.INT32, Shape.of(times), hours));
    double[] lats = new double[LATS];
    Arrays.setAll(lats, i -> 60 - i);
    label(group, "lat", NdArray.ofDoubles(Shape.of(LATS), lats));
    double[] lons = new double[LONS];
    Arrays.setAll(lons, i -> i);
    label(group, "lon", NdArray.ofDoubles(Shape.of(LONS), lons));
    ZarrArray array =
        requireNonNull(
            await(
                group.createArray(
                    "t",
                    ArrayMetadata.v3(Shape.of(times, LATS, LONS), DataTypes.FLOAT32)
                        .chunkShape(CHUNK, LATS, LONS)
                        .dimensionNames("time", "lat", "lon")
                        .compressors(Codecs.zstd(3))
                        .build())));
    float[] values = new float[CHUNK * LATS * LONS];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (Math.round(1000 * Math.sin(i * 1e-4)) / 8.0) + i % 7;
    }
    NdArray data = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(CHUNK, LATS, LONS), values);
    for (int i = 0; i < times / CHUNK; i++) {
      await(array.write(Selection.parse(i * CHUNK + ":" + (i + 1) * CHUNK), data));
    }
    await(group.consolidate());
    return location;
  }

  private static void label(ZarrGroup group, String name, NdArray values) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(values.shape(), values.dataType())
            .chunkShape((int) values.shape().extent(0))
            .dimensionNames(name)
            .attributes(
                name.equals("time")
                    ? JsonObject.EMPTY.with("units", "hours since 2010-01-01")
                    : JsonObject.EMPTY)
            .build();
    await(group.createArray(name, metadata).flatMap(array -> array.write(Selection.all(), values)));
  }

  /** The seconds of a reduction, and the sum of its numbers. */
  private record Measured(double seconds, double sum) {
    static Measured best(@Nullable Measured before, Measured now) {
      if (before == null) {
        return now;
      }
      assertThat(now.sum).isCloseTo(before.sum, within(1e-6 * Math.abs(before.sum)));
      return now.seconds < before.seconds ? now : before;
    }
  }

  /** Sums up what a reduction has, so that no row of it is brought to the driver. */
  private static Measured measured(String select, boolean isByBlock) {
    long begin = System.nanoTime();
    Dataset<Row> rows = TestSpark.session().sql("SELECT sum(r) FROM (SELECT " + select + ")");
    double sum = rows.collectAsList().get(0).getDouble(0);
    double seconds = (System.nanoTime() - begin) / 1e9;
    assertThat(rows.queryExecution().sparkPlan().toString().contains("PushedAggregates"))
        .as(select)
        .isEqualTo(isByBlock);
    return new Measured(seconds, sum);
  }

  /** A Python with xarray, which waits for names of reductions. */
  private static final class Xarray implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter names;

    private Xarray(Process process) {
      this.process = process;
      this.answers = process.inputReader(StandardCharsets.UTF_8);
      this.names = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    }

    static @Nullable Xarray start(Path location) throws IOException {
      String python = System.getProperty("ZARR_PYTHON", System.getenv("ZARR_PYTHON"));
      if (python == null || python.isEmpty()) {
        return null;
      }
      Path program = Path.of("examples", "figures.py").toAbsolutePath();
      return new Xarray(
          new ProcessBuilder(python, program.toString(), location.toString(), "2")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    }

    Measured measured(String name) throws IOException {
      names.println(name);
      String[] answer = requireNonNull(answers.readLine(), "xarray has failed").split(" ");
      return new Measured(Double.parseDouble(answer[0]), Double.parseDouble(answer[1]));
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private static void compare(Path location, List<String[]> queries) throws IOException {
    TestSpark.zarr().load(location.toString()).createOrReplaceTempView("figures");
    try (Xarray xarray = Xarray.start(location)) {
      for (String[] query : queries) {
        String name = query[0];
        Measured cells = null;
        Measured blocks = null;
        Measured alone = null;
        Measured flox = null;
        for (int round = 0; round < ROUNDS; round++) {
          // tasks take no sum of an expression; Spark sums FLOAT as DOUBLE in any case
          cells = Measured.best(cells, measured(query[1].formatted("CAST(t AS DOUBLE)"), false));
          blocks = Measured.best(blocks, measured(query[1].formatted("t"), true));
          if (xarray != null) {
            alone = Measured.best(alone, xarray.measured(name));
            flox = Measured.best(flox, xarray.measured(name + ", flox"));
          }
        }
        System.out.printf(
            "%s: of cells %.2f s, of blocks %.2f s, ratio %.1f%n",
            name, cells.seconds, blocks.seconds, cells.seconds / blocks.seconds);
        if (alone != null && flox != null) {
          assertThat(blocks.sum).isCloseTo(alone.sum, within(1e-4 * Math.abs(alone.sum)));
          System.out.printf(
              "%s: xarray and dask %.2f s, with flox %.2f s; Spark takes %.2f and %.2f times as"
                  + " long%n",
              name,
              alone.seconds,
              flox.seconds,
              blocks.seconds / alone.seconds,
              blocks.seconds / flox.seconds);
        }
      }
    }
  }

  @Test
  void means_of_ten_years() throws IOException {
    compare(
        write(40 * CHUNK),
        List.of(
            new String[] {
              "monthly mean", "avg(%s) AS r FROM figures GROUP BY date_trunc('MONTH', time)"
            },
            new String[] {
              "monthly mean of each cell",
              "avg(%s) AS r FROM figures GROUP BY date_trunc('MONTH', time), lat, lon"
            }));
  }

  @Test
  void a_sum_of_a_gigabyte() throws IOException {
    compare(write(256 * CHUNK), List.of(new String[][] {{"sum", "sum(%s) AS r FROM figures"}}));
  }
}
