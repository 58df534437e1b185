package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.partition.CountedStores;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums, counts and extremes of blocks, which tasks compute, are those that Spark computes. */
class ReductionsTest {
  /** The sums of these values are exact in any order. */
  private static final String ALL =
      "count(*), count(f), sum(v), sum(f), sum(d), avg(v), avg(p), avg(d), min(v), max(v), min(f),"
          + " max(f), min(d), max(d), min(time), max(time), max(lat), sum(height), max(height)";

  /** The squares of values that are as far from zero have no place for their fractions. */
  private static final double FAR = 1 << 30;

  @TempDir static Path directory;

  private static Dataset<Row> memory;

  @BeforeAll
  static void write() {
    TestSpark.session();
    Years.write(directory.resolve("years.zarr"));
    ZarrGroup group =
        Objects.requireNonNull(
            await(Zarr.at(directory.resolve("years.zarr").toString()).openGroup()));
    Shape shape = Shape.of(Years.TIMES, Years.LATS, Years.STATIONS);
    int count = Years.TIMES * Years.LATS * Years.STATIONS;
    Random random = new Random(7);
    double[] doubles = new double[count];
    float[] floats = new float[count];
    int[] shorts = new int[count];
    double[] far = new double[count];
    for (int i = 0; i < count; i++) {
      doubles[i] = random.nextInt(400) == 0 ? Double.NaN : random.nextInt(2000) / 4.0 - 100;
      floats[i] = random.nextInt(4) == 0 ? -999 : random.nextInt(1000) / 8f;
      shorts[i] = random.nextInt(9) == 0 ? -5 : random.nextInt(100);
      far[i] = FAR + random.nextInt(1000) / 1024.0;
    }
    write(group, "far", of(shape, DataTypes.FLOAT64), NdArray.ofDoubles(shape, far));
    write(group, "d", of(shape, DataTypes.FLOAT64), NdArray.ofDoubles(shape, doubles));
    write(
        group,
        "f",
        of(shape, DataTypes.FLOAT32).attributes(JsonObject.EMPTY.with("_FillValue", -999)),
        NdArray.ofFloats(DataTypes.FLOAT32, shape, floats));
    write(
        group,
        "p",
        of(shape, DataTypes.INT16)
            .attributes(JsonObject.EMPTY.with("_FillValue", -5).with("add_offset", 10)),
        NdArray.ofInts(DataTypes.INT32, shape, shorts).cast(DataTypes.INT16));
    // a variable that lacks a dimension repeats, here in another order of the others
    int[] heights = new int[Years.LATS * Years.STATIONS];
    Arrays.setAll(heights, i -> 7 * i % 31);
    Shape plane = Shape.of(Years.STATIONS, Years.LATS);
    write(
        group,
        "height",
        ArrayMetadata.v3(plane, DataTypes.INT32).dimensionNames("station", "lat"),
        NdArray.ofInts(DataTypes.INT32, plane, heights));
    memory = Years.inMemory(directory.resolve("years.zarr")).cache();
  }

  private static ArrayMetadataBuilder of(Shape shape, dev.zarrreactive.datatype.DataType type) {
    return ArrayMetadata.v3(shape, type)
        .chunkShape(4, 8, 3)
        .dimensionNames("time", "lat", "station");
  }

  private static void write(
      ZarrGroup group, String name, ArrayMetadataBuilder metadata, NdArray values) {
    await(
        group
            .createArray(name, metadata.build())
            .flatMap(array -> array.write(Selection.all(), values)));
  }

  private static Dataset<Row> table() {
    return TestSpark.zarr()
        .option("split-bytes", "20000")
        .load(directory.resolve("years.zarr").toString())
        .selectExpr("*", "_index_time", "_index_lat", "_index_station");
  }

  /** Asks both tables, and returns the plan of the one that reads Zarr. */
  private static String check(String groups, String select, String condition) {
    List<List<String>> answers = new ArrayList<>();
    String plan = "";
    for (Dataset<Row> table : List.of(memory, table())) {
      table.createOrReplaceTempView("reduced");
      Dataset<Row> rows =
          TestSpark.session()
              .sql(
                  "SELECT "
                      + (groups.isEmpty() ? "" : groups + ", ")
                      + select
                      + " FROM reduced WHERE "
                      + condition
                      + (groups.isEmpty() ? "" : " GROUP BY " + groups));
      answers.add(rows.collectAsList().stream().map(Row::toString).sorted().toList());
      plan = rows.queryExecution().executedPlan().toString();
    }
    assertThat(answers.get(1))
        .as(groups + ": " + select + ": " + condition)
        .isEqualTo(answers.get(0))
        .isNotEmpty();
    return plan;
  }

  @Sampled
  @Test
  void groups_of_coordinates_have_the_numbers_that_spark_computes() {
    for (String groups :
        Cases.everyOther(
            3,
            List.of(
                "",
                "time",
                "lat",
                "station",
                "lat, station",
                "_index_lat",
                "year(time)",
                "year(time), month(time)",
                "date_trunc('MONTH', time)",
                "month(time), lat, station",
                "hour(time), round(lat)",
                "time, lat > 45",
                "quarter(time), upper(station), lat",
                "date_format(time, 'yyyy-MM')",
                "CAST(time AS DATE)"))) {
      assertThat(check(groups, ALL, "true")).as(groups).contains("PushedAggregates");
    }
  }

  @Test
  void groups_below_conditions_have_the_selected_cells_alone() {
    for (String condition :
        List.of(
            "year(time) = 2014 AND lat > 44",
            "month(time) IN (1, 2) AND station IN ('s1', 's4')",
            "_index_station % 2 = 0")) {
      assertThat(check("month(time)", ALL, condition)).contains("PushedAggregates");
    }
    check("month(time)", "coalesce(sum(v), 0)", "v > 100");
    check("", "sum(v), min(lat)", "lat > 99");
    check("", "coalesce(sum(f), -1), count(f)", "lat > 99");
  }

  /** Compares numbers up to their last digits: they are summed in another order. */
  private static void checkDeviations(String groups, String condition) {
    String select =
        "count(*), count(f), sum(v), avg(d), avg(p), max(lat), stddev(v), stddev_pop(f),"
            + " variance(d), var_pop(p), stddev(_index_time), var_pop(height)";
    List<List<Row>> answers = new ArrayList<>();
    for (Dataset<Row> table : List.of(memory, table())) {
      table.createOrReplaceTempView("reduced");
      String keys = groups.isEmpty() ? "" : groups + ", ";
      Dataset<Row> rows =
          TestSpark.session()
              .sql(
                  "SELECT CAST(struct("
                      + keys
                      + "0) AS STRING) AS key, "
                      + select
                      + " FROM reduced WHERE "
                      + condition
                      + (groups.isEmpty() ? "" : " GROUP BY " + groups)
                      + " ORDER BY key");
      answers.add(rows.collectAsList());
      assertThat(rows.queryExecution().executedPlan().toString().contains("PushedAggregates"))
          .as(groups)
          .isEqualTo(answers.size() == 2);
    }
    assertThat(answers.get(1)).as(groups).hasSameSizeAs(answers.get(0));
    for (int i = 0; i < answers.get(0).size(); i++) {
      Row expected = answers.get(0).get(i);
      Row found = answers.get(1).get(i);
      for (int column = 0; column < expected.length(); column++) {
        if (expected.get(column) instanceof Double number && Double.isFinite(number)) {
          assertThat(found.getDouble(column))
              .as(groups + " " + found + " " + column)
              .isCloseTo(number, within(1e-10 * (1 + Math.abs(number))));
        } else {
          assertThat(found.<Object>getAs(column)).isEqualTo(expected.<Object>getAs(column));
        }
      }
    }
  }

  @Sampled
  @Test
  void deviations_of_groups_are_those_that_spark_computes() {
    for (String groups :
        Cases.everyOther(
            2,
            List.of(
                "",
                "time",
                "lat, station",
                "date_trunc('MONTH', time)",
                "month(time), lat, station",
                "round(lat), upper(station)",
                "CAST(lat AS DOUBLE), _index_station"))) {
      checkDeviations(groups, "true");
    }
    checkDeviations("", "lat > 99");
    checkDeviations("month(time)", "_index_time = 3 AND station = 's1' AND lat > 54");
  }

  @Test
  void spark_puts_sums_and_deviations_together_as_users_have_it() {
    TestSpark.asUsersHaveIt(true);
    try {
      assertThat(check("month(time), lat, station", ALL, "year(time) = 2014"))
          .contains("PushedAggregates");
      checkDeviations("month(time)", "year(time) = 2014 AND lat > 44");
    } finally {
      TestSpark.asUsersHaveIt(false);
    }
  }

  @Test
  void deviations_keep_their_digits_far_from_zero() {
    List<Row> rows = table().groupBy("lat").agg(Map.of("far", "var_pop")).collectAsList();
    assertThat(rows).hasSize(Years.LATS);
    Map<Float, List<BigDecimal>> values = new HashMap<>();
    for (Row row : memory.select("lat", "far").collectAsList()) {
      values
          .computeIfAbsent(row.getFloat(0), lat -> new ArrayList<>())
          .add(new BigDecimal(row.getDouble(1)));
    }
    for (Row row : rows) {
      List<BigDecimal> of = Objects.requireNonNull(values.get(row.getFloat(0)));
      BigDecimal count = BigDecimal.valueOf(of.size());
      BigDecimal sum = of.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
      BigDecimal squares =
          of.stream().map(value -> value.multiply(value)).reduce(BigDecimal.ZERO, BigDecimal::add);
      double expected =
          squares
              .multiply(count)
              .subtract(sum.multiply(sum))
              .divide(count.multiply(count), MathContext.DECIMAL128)
              .doubleValue();
      assertThat(row.getDouble(1)).isCloseTo(expected, within(expected * 1e-7));
    }
  }

  @Sampled
  @Test
  void what_tasks_do_not_compute_spark_does() {
    for (String select :
        Cases.everyOther(
            2,
            List.of(
                "round(skewness(v), 6)",
                "round(stddev(v), 6), round(kurtosis(v), 6)",
                "round(stddev(DISTINCT v), 6)",
                "round(stddev(v * 2), 6)",
                "round(stddev(v) FILTER (WHERE v > 9), 6)",
                "count(DISTINCT v)",
                "sum(v * 2)",
                "max(station)",
                "sum(v) FILTER (WHERE v > 9)"))) {
      assertThat(check("year(time)", select, "true")).as(select).doesNotContain("PushedAggregates");
    }
    assertThat(check("time, lat, station", "sum(v)", "true")).doesNotContain("PushedAggregates");
  }

  @Test
  void a_mean_reads_each_chunk_once_and_no_other_variable() {
    Dataset<Row> table = Years.counted(directory.resolve("years.zarr"));
    CountedStores.reset();
    Row row = TestSpark.only(table.where("year(time) = 2014").selectExpr("avg(v)"));
    assertThat(row)
        .isEqualTo(TestSpark.only(memory.where("year(time) = 2014").selectExpr("avg(v)")));
    // 24 of the times are in 2014
    assertThat(CountedStores.chunks("v")).hasSize(6 * 4 * 2).doesNotHaveDuplicates();
    assertThat(CountedStores.chunks("d")).isEmpty();
  }
}
