package dev.zarrreactive.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.partition.CountedStores;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conditions of the table in {@code docs/spark.md}, and random ones: each reads its chunks. */
class FiltersTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "spark.md");

  @TempDir static Path directory;

  private static Path years;
  private static Dataset<Row> unpruned;

  @BeforeAll
  static void write() {
    TestSpark.session();
    years = directory.resolve("years.zarr");
    Years.write(years);
    unpruned = Years.inMemory(years).cache();
  }

  /**
   * Fails unless a condition selects what Spark selects by itself, from the chunks that have it.
   * Returns the number of these chunks.
   *
   * @param selected what Spark selects by itself
   */
  private static int check(Dataset<Row> table, String condition, List<Row> selected) {
    CountedStores.reset();
    Row found =
        TestSpark.only(
            table.where(condition).selectExpr("count(v)", "coalesce(sum(v), 0)", "min(lat)"));
    List<String> requested = CountedStores.chunks("v");
    assertThat(found.getLong(0)).as(condition).isEqualTo(selected.size());
    assertThat(found.getLong(1))
        .as(condition)
        .isEqualTo(selected.stream().mapToLong(row -> row.getInt(3)).sum());
    assertThat(found.<Object>getAs(2))
        .as(condition)
        .isEqualTo(selected.stream().map(row -> row.getFloat(4)).min(Float::compare).orElse(null));
    assertThat(requested).as(condition).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(requested)).as(condition).isEqualTo(Years.chunks(selected));
    return requested.size();
  }

  /**
   * Checks each of some conditions, which Spark decides by itself in one query. Returns the numbers
   * of their chunks.
   */
  private static List<Integer> check(
      Dataset<Row> table, Dataset<Row> memory, List<String> conditions) {
    List<String> columns =
        new ArrayList<>(List.of("_index_time", "_index_lat", "_index_station", "v", "lat"));
    int first = columns.size();
    for (String condition : conditions) {
      columns.add("(" + condition + ") AS c" + columns.size());
    }
    List<Row> rows = memory.selectExpr(columns.toArray(String[]::new)).collectAsList();
    List<Integer> chunks = new ArrayList<>();
    for (int i = 0; i < conditions.size(); i++) {
      int column = first + i;
      List<Row> selected =
          rows.stream().filter(row -> !row.isNullAt(column) && row.getBoolean(column)).toList();
      chunks.add(check(table, conditions.get(i), selected));
    }
    return chunks;
  }

  private static List<Row> rows(Dataset<Row> memory, String condition) {
    return memory
        .where(condition)
        .select("_index_time", "_index_lat", "_index_station", "v", "lat")
        .collectAsList();
  }

  /** Returns the conditions of one of the tables of the page, which begins after a mark. */
  static List<String> conditions(String mark) throws IOException {
    String page = Files.readString(PAGE);
    String table = page.substring(page.indexOf("<!-- " + mark + " -->"));
    List<String> conditions = new ArrayList<>();
    for (String line : table.substring(0, table.indexOf("\n\n", table.indexOf("|"))).split("\n")) {
      if (line.startsWith("|")) {
        Matcher code = Pattern.compile("`([^`]+)`").matcher(line);
        while (code.find()) {
          conditions.add(code.group(1));
        }
      }
    }
    return conditions;
  }

  @Test
  void each_condition_of_the_page_requests_the_chunks_with_a_selected_cell() throws Exception {
    List<String> conditions = conditions("filters");
    assertThat(conditions).hasSizeGreaterThan(25);
    List<Integer> chunks = check(Years.counted(years), unpruned, conditions);
    for (int i = 0; i < chunks.size(); i++) {
      assertThat(chunks.get(i))
          .as("%s is an example", conditions.get(i))
          .isBetween(1, 12 * 4 * 2 - 1);
    }
  }

  @Test
  void conditions_that_leave_out_no_chunk_are_warned_of() throws Exception {
    List<String> conditions = conditions("no-filters");
    assertThat(conditions).isNotEmpty();
    for (String condition : conditions) {
      try (Warnings warnings = Warnings.begin()) {
        Dataset<Row> table = Years.counted(years);
        CountedStores.reset();
        assertThat(table.where(condition).selectExpr("count(v)").collectAsList())
            .isEqualTo(unpruned.where(condition).selectExpr("count(v)").collectAsList());
        assertThat(CountedStores.chunks("v")).as(condition).hasSize(12 * 4 * 2);
        assertThat(warnings.texts())
            .as(condition)
            .singleElement()
            .asString()
            .contains("leaves out no chunk of zarr counted://")
            .contains("lat");
        Dataset<Row> next = table.where(condition).selectExpr("max(v)");
        next.collectAsList();
        next.collectAsList();
        assertThat(warnings.texts()).as("once for each query").hasSize(2);
      }
    }
    try (Warnings warnings = Warnings.begin()) {
      Years.counted(years).where("year(time) = 2014 AND v > lat").collectAsList();
      assertThat(warnings.texts()).isEmpty();
    }
  }

  @Test
  void a_time_of_the_client_is_compared_in_the_zone_of_the_session() {
    // as PySpark writes col("time") >= datetime(2015, 1, 1)
    java.sql.Timestamp instant =
        java.sql.Timestamp.from(java.time.Instant.parse("2015-01-01T03:30:00Z"));
    Dataset<Row> table = Years.counted(years);
    CountedStores.reset();
    Dataset<Row> after = table.where(functions.col("time").geq(functions.lit(instant)));
    long count = after.selectExpr("count(v)").collectAsList().get(0).getLong(0);
    assertThat(count)
        .isEqualTo(unpruned.where("time >= TIMESTAMP_NTZ '2015-01-01 00:00:00'").count());
    assertThat(new TreeSet<>(CountedStores.chunks("v")))
        .isEqualTo(Years.chunks(rows(unpruned, "time >= TIMESTAMP_NTZ '2015-01-01 00:00:00'")));
  }

  @Test
  void times_are_instants_where_the_option_says_so() {
    Dataset<Row> table = TestSpark.zarr().option("times", "timestamp").load("counted://" + years);
    assertThat(table.schema().apply("time").dataType().sql()).isEqualTo("TIMESTAMP");
    Dataset<Row> memory = Years.inMemory(years, "times", "timestamp");
    assertThat(memory.selectExpr("unix_micros(min(time))").collectAsList().get(0).getLong(0))
        .isEqualTo(java.time.Instant.parse("2014-01-01T00:00:00Z").toEpochMilli() * 1000);
    List<String> conditions =
        List.of(
            "time >= TIMESTAMP '2015-01-01 00:00:00'",
            "time < DATE '2014-03-01'",
            "year(time) = 2013",
            "hour(time) = 20",
            "date_trunc('MONTH', time) = TIMESTAMP '2014-03-01'");
    assertThat(check(table, memory, conditions)).allMatch(chunks -> chunks > 0);
  }

  /**
   * Returns a condition of one coordinate, or of two.
   *
   * @param isMixed true for one that may have two, which one mask decides
   */
  private static String random(Random random, boolean isMixed) {
    String condition = leaf(random);
    if (random.nextInt(3) == 0) {
      Random again = new Random(random.nextLong());
      int coordinate = again.nextInt(3);
      int other = isMixed ? again.nextInt(3) : coordinate;
      condition =
          "("
              + leaf(again, coordinate)
              + (random.nextBoolean() ? " AND " : " OR ")
              + leaf(again, other)
              + ")";
    }
    return random.nextInt(4) == 0 ? "NOT " + condition : condition;
  }

  private static String leaf(Random random) {
    return leaf(random, random.nextInt(3));
  }

  private static String leaf(Random random, int coordinate) {
    String operator = List.of("<", "<=", ">", ">=", "=", "<>", "<=>").get(random.nextInt(7));
    int month = 1 + random.nextInt(12);
    int day = 1 + random.nextInt(28);
    String date = "%d-%02d-%02d".formatted(2014 + random.nextInt(2), month, day);
    String time = date + " %02d:30:00".formatted(random.nextInt(24));
    return switch (coordinate) {
      case 0 ->
          switch (random.nextInt(12)) {
            case 0 -> "(time " + operator + " TIMESTAMP '" + time + "')";
            case 1 -> "(time " + operator + " TIMESTAMP_NTZ '" + time + "')";
            case 2 -> "(CAST(time AS DATE) " + operator + " DATE '" + date + "')";
            case 3 -> "(time " + operator + " DATE '" + date + "')";
            case 4 -> "(year(time) " + operator + " 2014)";
            case 5 -> "(month(time) " + operator + " " + month + ")";
            case 6 -> "(day(time) " + operator + " " + day + ")";
            case 7 -> "(hour(time) " + operator + " " + 6 * random.nextInt(4) + ")";
            case 8 -> "(date_trunc('MONTH', time) " + operator + " TIMESTAMP '" + date + "')";
            case 9 -> "(month(time) IN (" + month + ", " + day + "))";
            case 10 -> "(quarter(time) + day(time) " + operator + " " + day + ")";
            default ->
                "(time BETWEEN TIMESTAMP '" + time + "' AND TIMESTAMP '2015-06-01 00:00:00')";
          };
      case 1 ->
          switch (random.nextInt(4)) {
            case 0 -> "(lat " + operator + " " + (36 + random.nextInt(20)) + ")";
            case 1 -> "(round(lat) " + operator + " " + (36 + random.nextInt(20)) + ")";
            case 2 -> "(lat " + operator + " CAST(" + (55.5 - 2.5 * month) + " AS FLOAT))";
            default -> "(abs(lat - 45) < " + random.nextInt(10) + ")";
          };
      default ->
          switch (random.nextInt(4)) {
            case 0 -> "(station " + operator + " 's" + random.nextInt(7) + "')";
            case 1 -> "(station LIKE '%" + random.nextInt(7) + "')";
            case 2 -> "(upper(station) IN ('S1', 'S" + random.nextInt(7) + "'))";
            default -> "(CAST(substr(station, 2) AS INT) " + operator + " 3)";
          };
    };
  }

  @Sampled
  @Test
  void random_conditions_select_what_the_unpruned_table_has_from_its_chunks() {
    // another seed: -Dzarr.spark.seed=19
    Random random = new Random(Long.getLong("zarr.spark.seed", 18));
    Dataset<Row> table = Years.counted(years);
    int count = Cases.some(30, 1000);
    for (int from = 0; from < count; from += 50) {
      List<String> conditions = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + 50); i++) {
        List<String> parts = new ArrayList<>();
        for (int c = 0; c <= i % 3; c++) {
          parts.add(random(random, c == 0));
        }
        conditions.add(String.join(" AND ", parts));
      }
      check(table, unpruned, conditions);
    }
  }

  /** A small table on disk, on which Spark sees a selective condition. */
  private static Dataset<Row> small(String name, String values) {
    String file = directory.resolve(name).toString();
    TestSpark.session().sql(values).write().mode("overwrite").parquet(file);
    return TestSpark.session().read().parquet(file).where("name <> 'none'");
  }

  private static void checkJoin(Dataset<Row> joined, String condition) {
    CountedStores.reset();
    Row found = TestSpark.only(joined.selectExpr("count(v)", "sum(v)"));
    List<String> requested = CountedStores.chunks("v");
    List<Row> selected = rows(unpruned, condition);
    assertThat(found.getLong(0)).isEqualTo(selected.size());
    assertThat(found.getLong(1)).isEqualTo(selected.stream().mapToLong(row -> row.getInt(3)).sum());
    assertThat(new TreeSet<>(requested)).isEqualTo(Years.chunks(selected)).isNotEmpty();
  }

  @Test
  void joins_and_subqueries_on_floats_leave_out_chunks() {
    TestSpark.asUsersHaveIt(true);
    try {
      checkJoins();
    } finally {
      TestSpark.asUsersHaveIt(false);
    }
  }

  private static void checkJoins() {
    Dataset<Row> floats =
        small(
            "floats",
            "SELECT CAST(50.5 AS FLOAT) AS at, 'Wien' AS name"
                + " UNION ALL SELECT CAST(40.5 AS FLOAT), 'none'");
    checkJoin(
        Years.counted(years).join(floats, functions.expr("lat = at")), "lat > 50 AND lat < 51");
    Dataset<Row> doubles =
        small(
            "doubles",
            "SELECT 48.0D AS at, 'Rom' AS name"
                + " UNION ALL SELECT 45.1D, 'Bonn' UNION ALL SELECT 40.5D, 'none'");
    checkJoin(
        Years.counted(years).join(doubles, functions.expr("lat = at")), "lat > 47 AND lat < 48.5");
    floats.createOrReplaceTempView("floats");
    Years.counted(years).createOrReplaceTempView("years");
    checkJoin(
        TestSpark.session().sql("SELECT * FROM years WHERE lat IN (SELECT at FROM floats)"),
        "lat > 50 AND lat < 51");
    Dataset<Row> longs =
        small(
            "longs",
            "SELECT 3L AS at, 'x' AS name UNION ALL SELECT 7000000000L, 'y'"
                + " UNION ALL SELECT 1L, 'none'");
    checkJoin(
        Years.counted(years)
            .selectExpr("*", "_index_station")
            .join(longs, functions.expr("_index_station = at")),
        "_index_station = 3");
  }

  @Test
  void a_condition_that_fails_for_a_label_is_left_to_spark() {
    Dataset<Row> table = Years.counted(years);
    TestSpark.session()
        .udf()
        .register(
            "odd",
            (Float lat) -> {
              if (lat < 40) {
                throw new IllegalStateException("too far south");
              }
              return lat > 50;
            },
            org.apache.spark.sql.types.DataTypes.BooleanType);
    assertThat(
            table
                .where("odd(lat) AND lat > 41")
                .selectExpr("count(v)")
                .collectAsList()
                .get(0)
                .getLong(0))
        .isEqualTo(unpruned.where("lat > 50").count());
  }
}
