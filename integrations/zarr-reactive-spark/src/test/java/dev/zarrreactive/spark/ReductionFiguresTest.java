package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How much faster reductions are where tasks compute them of blocks than where Spark computes them
 * of cells: the best of rounds in turns, over ten years in steps of six hours in memory. It checks
 * values, never times.
 */
@EnabledIfSystemProperty(
    named = "zarr.spark.figures",
    matches = "true",
    disabledReason = "figures are for a quiet machine: -Dzarr.spark.figures=true")
class ReductionFiguresTest {
  private static final int TIMES = 14_600;
  private static final int LATS = 37;
  private static final int LONS = 72;
  private static final int ROUNDS = Integer.getInteger("zarr.spark.rounds", 3);

  private static void write() {
    ZarrGroup group = requireNonNull(await(Zarr.at("memory:reductions").createGroup()));
    int[] hours = new int[TIMES];
    Arrays.setAll(hours, i -> 6 * i);
    label(group, "time", NdArray.ofInts(DataTypes.INT32, Shape.of(TIMES), hours));
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
                    ArrayMetadata.v3(Shape.of(TIMES, LATS, LONS), DataTypes.FLOAT32)
                        .chunkShape(365, LATS, LONS)
                        .dimensionNames("time", "lat", "lon")
                        .compressors(Codecs.zstd(3))
                        .build())));
    float[] values = new float[365 * LATS * LONS];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (Math.round(1000 * Math.sin(i * 1e-4)) / 8.0) + i % 7;
    }
    NdArray data = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(365, LATS, LONS), values);
    for (int i = 0; i < TIMES / 365; i++) {
      await(array.write(Selection.parse(i * 365 + ":" + (i + 1) * 365), data));
    }
  }

  private static void label(ZarrGroup group, String name, NdArray values) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(values.shape(), values.dataType())
            .dimensionNames(name)
            .attributes(
                name.equals("time")
                    ? JsonObject.EMPTY.with("units", "hours since 2010-01-01")
                    : JsonObject.EMPTY)
            .build();
    await(group.createArray(name, metadata).flatMap(array -> array.write(Selection.all(), values)));
  }

  private static double seconds(String sql, boolean isByBlock) {
    var conf = TestSpark.session().conf();
    conf.set("spark.sql.optimizer.excludedRules", isByBlock ? "" : CoordinateRule.class.getName());
    long begin = System.nanoTime();
    Dataset<Row> rows = TestSpark.session().sql(sql);
    assertThat(rows.collectAsList()).isNotEmpty();
    assertThat(rows.queryExecution().sparkPlan().toString().contains("PushedAggregates"))
        .as(sql)
        .isEqualTo(isByBlock);
    return (System.nanoTime() - begin) / 1e9;
  }

  @Test
  void reductions() {
    TestSpark.session();
    write();
    TestSpark.zarr().load("memory:reductions").createOrReplaceTempView("figures");
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put("sum", "sum(%s) FROM figures");
    queries.put("monthly mean", "avg(%s) FROM figures GROUP BY date_trunc('MONTH', time)");
    queries.put(
        "monthly mean of each cell",
        "avg(%s) FROM figures GROUP BY date_trunc('MONTH', time), lat, lon");
    queries.forEach(
        (name, query) -> {
          double before = Double.MAX_VALUE;
          double after = Double.MAX_VALUE;
          for (int round = 0; round < ROUNDS; round++) {
            // tasks take no sum of an expression
            before = Math.min(before, seconds("SELECT " + query.formatted("t + 0F"), false));
            after = Math.min(after, seconds("SELECT " + query.formatted("t"), true));
          }
          System.out.printf(
              "%s: of cells %.2f s, of blocks %.2f s, ratio %.1f%n",
              name, before, after, before / after);
        });
    TestSpark.session().conf().unset("spark.sql.optimizer.excludedRules");
  }
}
