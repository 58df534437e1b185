package dev.zarrreactive.spark.line;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A program that reads the dataset of {@code Weather} with one line of Spark, writes another one,
 * and fails where a table differs. The program knows Spark and the JDK only, so that it runs beside
 * the one jar, in which libraries have other names, and beside each line of Spark. Arguments: the
 * master, the location, options {@code NAME=VALUE}; the next location follows {@code --}. The
 * option {@code checks} names those that run, by themselves all.
 */
public final class LineChecks {
  private static final int TIMES = 24;
  private static final int LATS = 12;
  private static final int STATIONS = 10;
  private static final int CELLS = TIMES * LATS * STATIONS;

  private final SparkSession spark;
  private final String location;
  private final Map<String, String> options;

  private LineChecks(SparkSession spark, String location, Map<String, String> options) {
    this.spark = spark;
    this.location = location;
    this.options = options;
  }

  /** A check of one kind of table, query or write. */
  private Map<String, Runnable> checks() {
    Map<String, Runnable> checks = new TreeMap<>();
    checks.put("cells", this::cells);
    checks.put("codecs", this::codecs);
    checks.put("predicates", this::predicates);
    checks.put("filters", this::filters);
    checks.put("counts", this::counts);
    checks.put("deviations", this::deviations);
    checks.put("joins", this::joins);
    checks.put("chunks", this::chunks);
    checks.put("nodes", this::nodes);
    checks.put("catalog", this::catalog);
    checks.put("statements", this::statements);
    checks.put("versions", this::versions);
    checks.put("writes", this::writes);
    checks.put("points", this::points);
    checks.put("streams", this::streams);
    if (!location.contains("://")) {
      checks.put("page", this::page);
    }
    return checks;
  }

  /** Runs the checks. */
  public static void main(String[] arguments) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master(arguments[0])
            .appName("zarr-reactive")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "America/St_Johns")
            .config("spark.sql.warehouse.dir", "warehouse")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1");
    boolean isCluster = arguments[0].startsWith("local-cluster");
    if (isCluster) {
      // tasks begin when both executors are there
      builder
          .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
          .config("spark.cores.max", "2")
          .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
          .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "300s");
    }
    SparkSession spark = builder.getOrCreate();
    int passed = 0;
    int from = 1;
    while (from < arguments.length) {
      Map<String, String> options = new TreeMap<>();
      int next = from + 1;
      while (next < arguments.length && !arguments[next].equals("--")) {
        String[] option = arguments[next++].split("=", 2);
        options.put(option[0], option[1]);
      }
      String some = options.remove("checks");
      LineChecks checks = new LineChecks(spark, arguments[from], options);
      Map<String, Runnable> chosen = checks.checks();
      if (some != null) {
        chosen.keySet().retainAll(List.of(some.split(",")));
      }
      for (Map.Entry<String, Runnable> check : chosen.entrySet()) {
        try {
          check.getValue().run();
        } catch (RuntimeException | AssertionError e) {
          throw new IllegalStateException(
              "the check " + check.getKey() + " of " + arguments[from] + " has failed", e);
        }
        passed++;
      }
      if (isCluster && some == null) {
        checks.processes();
        passed++;
      }
      from = next + 1;
    }
    String version = spark.version();
    spark.stop();
    System.out.println(passed + " checks passed with Spark " + version);
  }

  private DataFrameReader reader() {
    return spark.read().format("zarr").options(options);
  }

  private Dataset<Row> table(String variables) {
    return reader().option("variables", variables).load(location + "/w");
  }

  private static Row only(Dataset<Row> rows) {
    return rows.collectAsList().get(0);
  }

  private static void equal(Object expected, Object found) {
    if (!Objects.equals(expected, found)) {
      throw new AssertionError("expected " + expected + ", but found " + found);
    }
  }

  private static long value(long time, long lat, long station) {
    return (time * LATS + lat) * STATIONS + station;
  }

  private void cells() {
    Set<String> indices = new HashSet<>();
    List<Row> rows =
        table("t,s")
            .selectExpr(
                "_index_time", "_index_lat", "_index_station", "time", "lat", "station", "t", "s")
            .collectAsList();
    for (Row row : rows) {
      long time = row.getLong(0);
      long lat = row.getLong(1);
      long station = row.getLong(2);
      indices.add(time + " " + lat + " " + station);
      equal(java.time.LocalDateTime.of(2020, 1, 1, 0, 0).plusHours(6 * time), row.get(3));
      equal(60 - 2.5 * lat, row.getDouble(4));
      equal("s" + station * 7 % STATIONS, row.getString(5));
      equal((int) value(time, lat, station), row.getInt(6));
      equal((int) value(time, lat, station), row.getInt(7));
    }
    equal(CELLS, indices.size());
    equal(5, table("t").limit(5).collectAsList().size());
  }

  /** The codecs whose native code is Spark's: each line has versions of its own. */
  private void codecs() {
    for (String name : List.of("zstd", "lz4", "blosc", "gzip")) {
      thousand(name, reader().option("group", "codecs/" + name).load(location + "/w"));
    }
    thousand("value", reader().load(location + "/v2"));
  }

  private static void thousand(String name, Dataset<Row> table) {
    Row row = only(table.selectExpr("count(`" + name + "`)", "sum(`" + name + "`)"));
    equal(1000L, row.getLong(0));
    equal(499_500L, row.getLong(1));
  }

  private void predicates() {
    Random random = new Random(5);
    for (int i = 0; i < 20; i++) {
      int lat = random.nextInt(LATS);
      int time = random.nextInt(TIMES);
      int station = random.nextInt(STATIONS);
      String where =
          "lat <= "
              + (60 - 2.5 * lat)
              + "D AND _index_time > "
              + time
              + (random.nextBoolean() ? " AND station <> 's" : " AND NOT station = 's")
              + station
              + "'"
              + (i % 2 == 0 ? " AND t % 2 = 0" : "");
      long count = 0;
      long sum = 0;
      for (int t = time + 1; t < TIMES; t++) {
        for (int y = lat; y < LATS; y++) {
          for (int x = 0; x < STATIONS; x++) {
            if (x * 7 % STATIONS != station && (i % 2 != 0 || value(t, y, x) % 2 == 0)) {
              count++;
              sum += value(t, y, x);
            }
          }
        }
      }
      Row row = only(table("t").where(where).selectExpr("count(t)", "coalesce(sum(t), 0)"));
      equal(count, row.getLong(0));
      equal(sum, row.getLong(1));
    }
  }

  /** Expressions on coordinates become indices by the rules of the session. */
  private void filters() {
    Map<String, String> conditions =
        Map.of(
            "time >= TIMESTAMP '2020-01-03 00:00:00'", "[8:24, 0:12, 0:10]",
            "year(time) = 2020 AND day(time) = 2", "[4:8, 0:12, 0:10]",
            "date_trunc('DAY', time) = TIMESTAMP '2020-01-02'", "[4:8, 0:12, 0:10]",
            "CAST(time AS DATE) < DATE '2020-01-02'", "[0:4, 0:12, 0:10]",
            "abs(lat - 50) < 4", "[0:24, 3:6, 0:10]",
            "upper(station) = 'S7' AND hour(time) < 6 AND time < '2020-01-02'", "[0:1, 0:12, 1:2]");
    conditions.forEach(
        (condition, indices) -> {
          Dataset<Row> rows = table("t").where(condition).select("t");
          equal(true, rows.queryExecution().toString().contains("indices: " + indices));
          int bounds = rows.collectAsList().size();
          int cells = 1;
          for (String range : indices.replaceAll("[\\[\\] ]", "").split(",")) {
            cells *= Integer.parseInt(range.split(":")[1]) - Integer.parseInt(range.split(":")[0]);
          }
          equal(cells, bounds);
        });
  }

  private void counts() {
    equal((long) CELLS, table("t").count());
    Row row = only(table("t").where("lat < 50").selectExpr("count(*)", "min(lat)", "max(station)"));
    equal((LATS - 5L) * TIMES * STATIONS, row.getLong(0));
    equal(32.5, row.getDouble(1));
    equal("s9", row.getString(2));
    table("t").createOrReplaceTempView("weather");
    Dataset<Row> days =
        spark.sql(
            "SELECT day(time) AS day, sum(t), avg(t), count(t), max(t) FROM weather"
                + " WHERE hour(time) < 18 GROUP BY day(time) ORDER BY day");
    equal(true, days.queryExecution().sparkPlan().toString().contains("PushedAggregates"));
    List<Row> sums = days.collectAsList();
    equal(6, sums.size());
    for (int day = 0; day < 6; day++) {
      long first = value(4 * day, 0, 0);
      long last = value(4 * day + 3, 0, 0) - 1;
      equal(day + 1, sums.get(day).getInt(0));
      equal((first + last) * (last - first + 1) / 2, sums.get(day).getLong(1));
      equal((first + last) / 2.0, sums.get(day).getDouble(2));
      equal(last - first + 1, sums.get(day).getLong(3));
      equal((int) last, sums.get(day).getInt(4));
    }
  }

  /** Deviations are states of blocks, which Spark's final aggregation puts together. */
  private void deviations() {
    table("t").createOrReplaceTempView("weather");
    Dataset<Row> days =
        spark.sql(
            "SELECT day(time) AS day, var_pop(t), stddev(t), avg(t), count(*) FROM weather"
                + " WHERE lat > 50 GROUP BY day(time) ORDER BY day");
    List<Row> found = days.collectAsList();
    String plan = days.queryExecution().executedPlan().toString();
    equal(true, plan.contains("PushedAggregates"));
    equal(6, found.size());
    for (int day = 0; day < 6; day++) {
      List<Long> values = new ArrayList<>();
      for (int time = 4 * day; time < 4 * day + 4; time++) {
        for (int lat = 0; lat < 4; lat++) {
          for (int station = 0; station < STATIONS; station++) {
            values.add(value(time, lat, station));
          }
        }
      }
      double mean = values.stream().mapToLong(v -> v).average().orElseThrow();
      double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
      near(squares / values.size(), found.get(day).getDouble(1));
      near(Math.sqrt(squares / (values.size() - 1)), found.get(day).getDouble(2));
      equal(mean, found.get(day).getDouble(3));
      equal((long) values.size(), found.get(day).getLong(4));
    }
  }

  /** Compares up to the last digits: Spark puts the states together in any order. */
  private static void near(double expected, double found) {
    if (!(Math.abs(expected - found) <= 1e-10 * Math.abs(expected))) {
      throw new AssertionError("expected " + expected + ", but found " + found);
    }
  }

  private void joins() {
    Dataset<Row> names =
        spark.sql("SELECT * FROM VALUES ('s3', 'three'), ('s8', 'eight') AS n(station, name)");
    List<Row> rows =
        table("t")
            .join(names, "station")
            .groupBy("name")
            .agg(Map.of("t", "sum"))
            .orderBy("name")
            .collectAsList();
    List<Long> sums = new ArrayList<>();
    for (int station : new int[] {4, 9}) { // 8 is 4 * 7 % 10
      long sum = 0;
      for (int t = 0; t < TIMES; t++) {
        for (int y = 0; y < LATS; y++) {
          sum += value(t, y, station);
        }
      }
      sums.add(sum);
    }
    equal(sums, List.of(rows.get(0).getLong(1), rows.get(1).getLong(1)));
  }

  private void chunks() {
    Row row =
        only(
            reader()
                .option("mode", "chunks")
                .option("variables", "t")
                .load(location + "/w")
                .where("stored")
                .selectExpr("count(*)", "sum(length(data))", "max(chunk_index[0])"));
    equal(60L, row.getLong(0));
    equal(4L * CELLS, row.getLong(1));
    equal(4L, row.getLong(2));
  }

  private void nodes() {
    Row row =
        only(
            reader()
                .option("mode", "arrays")
                .load(location + "/w")
                .where("path = '/s'")
                .selectExpr("shape[0]", "data_type", "codecs"));
    equal(24L, row.getLong(0));
    equal("int32", row.getString(1));
    equal(true, row.getString(2).contains("sharding_indexed"));
  }

  /** A table of the session's catalog is refused by the statement that would make it. */
  private void catalog() {
    String table = " refused USING zarr OPTIONS (path '" + location + "/w')";
    for (String statement :
        List.of("CREATE TABLE" + table, "CREATE TABLE" + table + " AS SELECT 1 AS a")) {
      String message = "";
      try {
        spark.sql(statement).collectAsList();
      } catch (IllegalArgumentException e) {
        message = String.valueOf(e.getMessage());
      }
      equal(true, message.contains("CREATE TEMPORARY VIEW name USING zarr"));
    }
    equal(false, spark.catalog().tableExists("refused"));
  }

  /** Statements of SQL on the tables of a catalog, and on the versions of one. */
  private void statements() {
    // a catalog keeps the settings with which it was first used
    String lake = "lake" + Integer.toHexString(location.hashCode());
    String settings = "spark.sql.catalog." + lake;
    spark.conf().set(settings, "dev.zarrreactive.spark.ZarrCatalog");
    spark.conf().set(settings + ".root", location);
    options.forEach((name, value) -> spark.conf().set(settings + "." + name, value));
    equal(true, column("SHOW TABLES IN " + lake, 1).containsAll(List.of("w", "v2", "years")));
    equal(true, column("DESCRIBE " + lake + ".years", 0).containsAll(List.of("time", "lat", "v")));
    equal(
        "[2304,2653056]",
        only(spark.sql("SELECT count(*), sum(v) FROM " + lake + ".years")).toString());
    String made = lake + ".made";
    spark.sql(
        "CREATE TABLE "
            + made
            + " USING zarr OPTIONS (dimensions 'x', `missing.v` '-1')"
            + " AS SELECT id AS x, CAST(2 * id AS INT) AS v FROM range(4)");
    String sums = "SELECT count(*), count(v), CAST(sum(v) AS INT) FROM " + made;
    equal("[4,4,12]", only(spark.sql(sums)).toString());
    spark.sql("INSERT INTO " + made + " SELECT 3L, 60");
    equal("[4,4,66]", only(spark.sql(sums)).toString());
    spark.sql("DELETE FROM " + made + " WHERE x = 3");
    equal("[4,3,6]", only(spark.sql(sums)).toString());
    for (String refused :
        List.of(
            "UPDATE " + made + " SET v = 1 WHERE x = 1",
            "MERGE INTO "
                + made
                + " AS t USING (SELECT 1L AS x) AS s ON t.x = s.x WHEN MATCHED THEN DELETE",
            "DROP TABLE " + made)) {
      boolean isRefused = false;
      try {
        spark.sql(refused).collectAsList();
      } catch (Exception e) { // Scala throws what it does not declare
        isRefused = true;
      }
      equal(refused + " true", refused + " " + isRefused);
    }
    equal("[4,3,6]", only(spark.sql(sums)).toString());
    String repository = "SELECT sum(t2m) FROM " + lake + ".`r.next`";
    for (String version :
        List.of("VERSION AS OF 'VQYWSJFAKXVAW0EVNJE0'", "VERSION AS OF 'tag.three'")) {
      equal(1849.5, only(spark.sql(repository + " " + version)).getDouble(0));
    }
    for (String version :
        List.of("", "VERSION AS OF 'branch.main'", "TIMESTAMP AS OF '2100-01-01'")) {
      equal(3157.5, only(spark.sql(repository + " " + version)).getDouble(0));
    }
  }

  private List<String> column(String statement, int column) {
    List<String> texts = new ArrayList<>();
    spark.sql(statement).collectAsList().forEach(row -> texts.add(row.getString(column)));
    return texts;
  }

  /** Tables of a repository; where its files are at hand, its branch moves before tasks run. */
  private void versions() {
    Dataset<Row> three = reader().option("split-bytes", "1").load(location + "/r|icechunk:");
    Dataset<Row> five =
        reader().option("snapshot", "BE2ZBAMZBGY44SC4K2WG").load(location + "/r.next");
    equal(5L, only(five.selectExpr("count(DISTINCT time)")).getLong(0));
    three.queryExecution().executedPlan();
    boolean moves = !location.contains("://");
    if (moves) {
      try {
        Files.copy(
            Path.of(location, "r.newer"),
            Path.of(location, "r", "repo"),
            StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    equal(1849.5, only(three.selectExpr("sum(t2m)")).getDouble(0));
    Dataset<Row> now = reader().option("branch", "main").load(location + "/r");
    equal(moves ? 3157.5 : 1849.5, only(now.selectExpr("sum(t2m)")).getDouble(0));
  }

  /**
   * Each condition of the page requests the chunks that have one of the cells that Spark selects.
   */
  private void page() {
    Set<String> requested = ConcurrentHashMap.newKeySet();
    try {
      HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
      server.createContext("/", exchange -> answer(exchange, requested));
      server.start();
      try {
        String served = "http://127.0.0.1:" + server.getAddress().getPort() + "/years";
        Dataset<Row> all =
            reader()
                .load(location + "/years")
                .selectExpr("*", "_index_time", "_index_lat", "_index_station");
        Dataset<Row> memory = spark.createDataFrame(all.collectAsList(), all.schema());
        Dataset<Row> table = reader().load(served);
        List<String> conditions = Files.readAllLines(Path.of(location, "conditions.txt"));
        // Spark decides all of them by itself, in one query
        List<String> columns =
            new ArrayList<>(List.of("_index_time", "_index_lat", "_index_station", "v"));
        for (String condition : conditions) {
          columns.add("(" + condition + ") AS c" + columns.size());
        }
        List<Row> cells = memory.selectExpr(columns.toArray(new String[0])).collectAsList();
        for (int i = 0; i < conditions.size(); i++) {
          String condition = conditions.get(i);
          int column = 4 + i;
          requested.clear();
          Row found = only(table.where(condition).selectExpr("count(v)", "sum(v)"));
          Set<String> expected = new TreeSet<>();
          long sum = 0;
          List<Row> rows =
              cells.stream()
                  .filter(row -> !row.isNullAt(column) && row.getBoolean(column))
                  .toList();
          for (Row row : rows) {
            expected.add(
                "/years/v/c/"
                    + row.getLong(0) / 4
                    + "/"
                    + row.getLong(1) / 2
                    + "/"
                    + row.getLong(2) / 3);
            sum += row.getInt(3);
          }
          equal(condition + " " + rows.size(), condition + " " + found.getLong(0));
          equal(condition + " " + sum, condition + " " + found.getLong(1));
          equal(condition + " " + expected, condition + " " + new TreeSet<>(requested));
          equal(true, expected.size() < 96 && !expected.isEmpty());
        }
        joined(table, requested);
      } finally {
        server.stop(0);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A join on a float requests the chunks that have a row of its smaller side. */
  private void joined(Dataset<Row> table, Set<String> requested) throws IOException {
    String file = Files.createTempDirectory(Path.of("").toAbsolutePath(), "at").toString();
    spark
        .sql("SELECT 48.0D AS at, 'Rom' AS name UNION ALL SELECT 40.5D, 'none'")
        .write()
        .mode("overwrite")
        .parquet(file);
    Dataset<Row> few = spark.read().parquet(file).where("name <> 'none'");
    requested.clear();
    Row found =
        only(table.join(few, table.col("lat").equalTo(few.col("at"))).selectExpr("count(v)"));
    equal(48 * 6L, found.getLong(0));
    // of twelve, four and two chunks those that have the latitude
    equal(12 * 2, requested.size());
    equal(true, requested.stream().allMatch(key -> key.matches("/years/v/c/\\d+/1/\\d")));
  }

  /** Answers with a file, and notes the name of a chunk of the variable. */
  private void answer(HttpExchange exchange, Set<String> requested) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Path file = Path.of(location + path);
    if (path.startsWith("/years/v/c/")) {
      requested.add(path);
    }
    try (exchange) {
      if (!Files.isRegularFile(file)) {
        exchange.sendResponseHeaders(404, -1);
      } else if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.getResponseHeaders().add("Content-Length", Long.toString(Files.size(file)));
        exchange.sendResponseHeaders(200, -1);
      } else {
        byte[] bytes = Files.readAllBytes(file);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  /** Points get their nearest cells, by a class of the jar. */
  @SuppressWarnings("unchecked") // the table that the method returns
  private void points() {
    Dataset<Row> stations =
        spark.sql("SELECT * FROM VALUES ('a', 51.0D), ('b', 33.0D), ('c', 90.0D) AS p(name, y)");
    Dataset<Row> joined;
    try {
      joined =
          (Dataset<Row>)
              Class.forName("dev.zarrreactive.spark.ZarrPoints")
                  .getMethod("nearest", Dataset.class, Dataset.class, Map.class, double.class)
                  .invoke(null, table("t"), stations, Map.of("lat", "y"), 5.0);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    List<Row> rows =
        joined.where("_index_time = 3 AND station = 's7'").orderBy("name").collectAsList();
    equal(2, rows.size());
    equal((int) value(3, 4, 1), rows.get(0).<Object>getAs("t"));
    equal((int) value(3, 11, 1), rows.get(1).<Object>getAs("t"));
  }

  /** A stream follows one branch, and writes to another: each batch once. */
  private void streams() {
    try {
      Path checkpoint = Files.createTempDirectory("checkpoint");
      stream(checkpoint);
      Row first = only(streamed().selectExpr("count(*)", "sum(t2m)"));
      equal(9L, first.getLong(0));
      equal(1849.5, first.getDouble(1));
      // as if the driver had ended before it could note the last batch
      Files.delete(checkpoint.resolve("commits/2"));
      Files.deleteIfExists(checkpoint.resolve("commits/.2.crc"));
      stream(checkpoint);
      equal(first, only(streamed().selectExpr("count(*)", "sum(t2m)")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Dataset<Row> streamed() {
    return reader().load(location + "/streamed|icechunk:");
  }

  private void stream(Path checkpoint) {
    Map<String, String> settings = new TreeMap<>(options);
    settings.put("checkpointLocation", checkpoint.toString());
    settings.put("dimensions", "time,lat");
    settings.put("append", "time");
    try {
      DataStreamWriter<Row> writer =
          spark
              .readStream()
              .format("zarr")
              .options(options)
              .option("follow", "time")
              .option("follow-most", "1")
              .option("snapshot", "VQYWSJFAKXVAW0EVNJE0")
              .load(location + "/r.next")
              .writeStream();
      writer.format("zarr").trigger(Trigger.AvailableNow());
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        // Spark 4 has another type for what this returns than Spark 3.5
        writer
            .getClass()
            .getMethod("option", String.class, String.class)
            .invoke(writer, setting.getKey(), setting.getValue());
      }
      writer.start(location + "/streamed|icechunk:").awaitTermination();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } catch (StreamingQueryException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A new dataset, other values for some cells, an append, and another dataset in its place. */
  private void writes() {
    save("errorifexists", 0, 5, "id", Map.of("dimensions", "x", "chunk-shape", "2"));
    written(5, 10);
    save("append", 1, 3, "id + 10", Map.of());
    written(5, 30);
    save("append", 5, 9, "id", Map.of("append", "x"));
    written(9, 56);
    save(
        "overwrite", 0, 3, "id", Map.of("dimensions", "x", "shard-shape", "2", "chunk-shape", "1"));
    written(3, 3);
  }

  private void save(String mode, int from, int to, String n, Map<String, String> settings) {
    spark
        .sql(
            "SELECT DATE '2020-01-01' + CAST(id AS INT) AS x, "
                + n
                + " AS n,"
                + " concat('n', id) AS name FROM range("
                + from
                + ", "
                + to
                + ")")
        .write()
        .format("zarr")
        .options(options)
        .options(settings)
        .mode(mode)
        .save(location + "/written");
  }

  private void written(long count, long sum) {
    Row row =
        only(
            reader()
                .load(location + "/written")
                .where("x >= '2020-01-01'")
                .selectExpr("count(name)", "sum(n)", "max(x)"));
    equal(count, row.getLong(0));
    equal(sum, row.getLong(1));
    equal(java.time.LocalDateTime.of(2020, 1, 1, 0, 0).plusDays(count - 1), row.get(2));
  }

  /** Both executors have read: each row names the process of its task. */
  private void processes() {
    Dataset<Row> rows =
        reader().option("variables", "t").option("split-bytes", "1000").load(location + "/w");
    Set<String> found = new HashSet<>();
    for (int i = 0; i < 50 && found.size() < 2; i++) {
      rows.selectExpr("t", "reflect('java.lang.ProcessHandle', 'current') AS process")
          .groupBy("process")
          .count()
          .collectAsList()
          .forEach(row -> found.add(row.getString(0)));
    }
    equal(2, found.size());
    equal(false, found.contains(String.valueOf(ProcessHandle.current().pid())));
  }
}
