package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Values of each type of Spark are written, in both formats, by index and to single arrays. */
class WriteValuesTest extends WritesInDirectory {
  private static final String VALUES =
      "CAST(id AS INT) AS x, id > 1 AS bool, CAST(id - 2 AS TINYINT) AS i8,"
          + " CAST(id * 300 AS SMALLINT) AS i16, id * 5000000000 AS i64,"
          + " CAST(18446744073709551611 + id AS DECIMAL(20,0)) AS u64,"
          + " CAST(id / 4 AS FLOAT) AS f32, id / 3 AS f64,"
          + " TIMESTAMP_NTZ '1969-12-31 23:59:59.999999' + make_dt_interval(CAST(id AS INT), 0, 0,"
          + " 0.000001) AS plain, date_add(DATE '1969-12-30', CAST(id AS INT)) AS day,"
          + " concat('ä', id) AS text";

  private Dataset<Row> rows(String columns, int count) {
    return spark.sql("SELECT " + columns + " FROM range(" + count + ")");
  }

  private void assertHolds(String name, Dataset<Row> expected) {
    Dataset<Row> found = read(name).selectExpr(expected.columns());
    Dataset<Row> same = expected.withColumn("day", expected.col("day").cast("timestamp_ntz"));
    assertThat(found.orderBy("x").collectAsList())
        .hasToString(same.orderBy("x").collectAsList().toString());
  }

  @Test
  void values_of_each_type_are_read_as_they_were_written() {
    Dataset<Row> rows = rows(VALUES, 5);
    zarr(rows).option("dimensions", "x").save(at("v3.zarr"));
    assertHolds("v3.zarr", rows);
  }

  @Test
  void a_dataset_of_zarr_v2_has_the_same_values_and_grows() {
    Dataset<Row> rows = rows(VALUES, 5);
    zarr(rows.where("x < 3"))
        .option("dimensions", "x")
        .option("zarr-format", "2")
        .option("chunk-shape", "2")
        .save(at("v2.zarr"));
    assertThat(directory.resolve("v2.zarr/.zmetadata")).exists();
    assertHolds("v2.zarr", rows.where("x < 3"));
    zarr(rows.where("x > 1")).mode("append").option("append", "x").save(at("v2.zarr"));
    assertHolds("v2.zarr", rows);
    zarr(rows.where("x = 0").selectExpr("x", "7L AS i64")).mode("append").save(at("v2.zarr"));
    assertThat(read("v2.zarr").where("x = 0").select("i64").first().getLong(0)).isEqualTo(7);
    assertThat(directory.resolve("v2.zarr/zarr.json.partial")).doesNotExist();
  }

  @Test
  void a_timestamp_is_stored_as_its_instant() {
    zarr(rows("CAST(id AS INT) AS x, timestamp_seconds(id * 86400 - 1) AS t", 3))
        .option("dimensions", "x")
        .save(at("instants.zarr"));
    assertThat(read("instants.zarr").orderBy("x").select("t").collectAsList())
        .hasToString("[[1969-12-31T23:59:59], [1970-01-01T23:59:59], [1970-01-02T23:59:59]]");
  }

  @Test
  void days_label_a_dimension() {
    String days = "date_add(DATE '2020-02-28', CAST(id AS INT)) AS day, id AS n";
    zarr(rows(days, 2)).option("dimensions", "day").save(at("days.zarr"));
    zarr(rows(days, 4)).mode("append").option("append", "day").save(at("days.zarr"));
    assertThat(read("days.zarr").orderBy("n").select("day").collectAsList().toString())
        .isEqualTo(
            "[[2020-02-28T00:00], [2020-02-29T00:00], [2020-03-01T00:00], [2020-03-02T00:00]]");
  }

  @Test
  void decimals_with_a_fraction_and_intervals_are_refused() {
    assertThatThrownBy(() -> save("CAST(id AS DECIMAL(10,2)) AS bad"))
        .hasStackTraceContaining("the column bad of DECIMAL(10,2) has no data type of Zarr");
    assertThatThrownBy(() -> save("make_dt_interval(CAST(id AS INT)) AS bad"))
        .as("Spark refuses them before it asks the data source")
        .hasStackTraceContaining("Cannot save interval data type into external storage");
    assertThat(directory.resolve("bad.zarr")).doesNotExist();
  }

  private void save(String column) {
    zarr(rows("id AS x, " + column, 2)).option("dimensions", "x").save(at("bad.zarr"));
  }

  @Test
  void a_null_time_has_the_number_of_the_option() {
    String nulls = "CAST(id AS INT) AS x, IF(id = 1, NULL, TIMESTAMP_NTZ '2020-01-01') AS t";
    zarr(rows(nulls, 3)).option("dimensions", "x").option("missing.t", "-1").save(at("nulls.zarr"));
    assertThat(read("nulls.zarr").orderBy("x").select("t").collectAsList().toString())
        .isEqualTo("[[2020-01-01T00:00], [null], [2020-01-01T00:00]]");
  }

  @Test
  void columns_of_indices_stand_for_labels() {
    zarr(rows("CAST(id AS DOUBLE) / 2 AS lat, CAST(id AS INT) AS n", 6))
        .option("dimensions", "lat")
        .save(at("index.zarr"));
    zarr(rows("id + 2 AS _index_lat, 9 AS n", 2)).mode("append").save(at("index.zarr"));
    assertThat(read("index.zarr").orderBy("lat").select("n").collectAsList())
        .hasToString("[[0], [1], [9], [9], [4], [5]]");
    assertThatThrownBy(
            () ->
                zarr(rows("id + 5 AS _index_lat, 9 AS n", 2)).mode("append").save(at("index.zarr")))
        .hasStackTraceContaining(
            "its indices go from 0 to 5; new rows have labels in the column lat, and no _index_lat");
    assertThatThrownBy(
            () ->
                zarr(rows("id AS _index_lat, 9 AS n", 7))
                    .mode("append")
                    .option("append", "lat")
                    .save(at("index.zarr")))
        .hasStackTraceContaining("needs the labels of its coordinate, not the column _index_lat");
  }

  @Test
  void an_array_alone_is_changed_and_grows_by_index() {
    for (int format : new int[] {2, 3}) {
      String name = "alone" + format + ".zarr";
      await(
          Zarr.at(at(name))
              .createArray(
                  ArrayMetadata.v3(Shape.of(3, 2), DataTypes.INT32)
                      .zarrFormat(format)
                      .chunkShape(2, 2)
                      .build()));
      zarr(spark.sql("SELECT 1L AS dim_0, 0L AS dim_1, 5 AS value")).mode("append").save(at(name));
      zarr(spark.sql("SELECT 4L AS dim_0, 1L AS dim_1, 6 AS value"))
          .mode("append")
          .option("append", "dim_0")
          .save(at(name));
      ZarrArray array = requireNonNull(await(Zarr.at(at(name)).openArray()));
      assertThat(requireNonNull(await(array.read())).toIntArray())
          .containsExactly(0, 0, 5, 0, 0, 0, 0, 0, 0, 6);
    }
  }

  @Test
  void codecs_are_those_of_the_option() {
    zarr(rows("CAST(id AS INT) AS x, CAST(id AS INT) AS a, CAST(id AS INT) AS b", 9))
        .option("dimensions", "x")
        .option("codecs", "[{\"name\": \"bytes\"}, {\"name\": \"crc32c\"}]")
        .option(
            "codecs.b",
            "[{\"name\": \"bytes\", \"configuration\": {\"endian\": \"big\"}},"
                + " {\"name\": \"gzip\", \"configuration\": {\"level\": 1}}]")
        .save(at("codecs.zarr"));
    assertThat(document("codecs.zarr/a")).contains("crc32c").doesNotContain("gzip");
    assertThat(document("codecs.zarr/b")).contains("gzip", "big").doesNotContain("crc32c");
    assertThat(read("codecs.zarr").where("a = x AND b = x").count()).isEqualTo(9);
  }

  private String document(String array) {
    return requireNonNull(await(Zarr.at(at(array)).openArray())).metadata().document().toString();
  }

  @Test
  void resume_takes_over_an_append_that_was_cut() throws Exception {
    String columns = "CAST(id AS INT) AS x, id AS n";
    zarr(rows(columns, 4)).option("dimensions", "x").option("chunk-shape", "2").save(at("cut"));
    Path mark = directory.resolve("cut/zarr.json.partial");
    Path chunk = directory.resolve("cut/n/c/3");
    for (boolean isAfter : new boolean[] {false, true}) {
      Files.writeString(mark, "{}", StandardCharsets.UTF_8);
      if (!isAfter) { // a chunk beyond the end
        Files.copy(directory.resolve("cut/n/c/0"), chunk);
        assertThatThrownBy(
                () -> zarr(rows(columns, 6)).mode("append").option("append", "x").save(at("cut")))
            .hasStackTraceContaining("the option resume=true removes its rows");
      }
      zarr(rows(columns, 6))
          .mode("append")
          .option("append", "x")
          .option("resume", "true")
          .save(at("cut"));
      assertThat(chunk).doesNotExist();
      assertThat(mark).as("after the commit: " + isAfter).doesNotExist();
      assertThat(read("cut").where("n = x").count()).isEqualTo(6);
    }
  }

  @Test
  void resume_needs_the_dimension_of_the_append() {
    zarr(rows("CAST(id AS INT) AS x, id AS n", 2)).option("dimensions", "x").save(at("r"));
    assertThatThrownBy(
            () ->
                zarr(rows("CAST(id AS INT) AS x, id AS n", 2))
                    .mode("append")
                    .option("resume", "true")
                    .save(at("r")))
        .hasStackTraceContaining("the option resume takes over an append");
  }

  @Test
  void a_cancelled_write_leaves_no_node_and_a_task_that_outlives_it_stores_nothing()
      throws Exception {
    Path gate = directory.resolve("gate");
    spark
        .udf()
        .register(
            "wait_for_gate",
            (Long id) -> {
              Files.createFile(gate.resolveSibling("waits" + id));
              while (id == 1 && !Files.exists(gate)) {
                try {
                  Thread.sleep(5);
                } catch (InterruptedException e) {
                  // a task that does not end when it is asked to
                }
              }
              return id;
            },
            org.apache.spark.sql.types.DataTypes.LongType);
    Dataset<Row> rows =
        spark.sql("SELECT CAST(id AS INT) AS x, wait_for_gate(id) AS n FROM range(0, 2, 1, 2)");
    CompletableFuture<Void> write =
        CompletableFuture.runAsync(
            () -> {
              spark.sparkContext().setJobGroup("cancelled", "a write", true);
              try {
                zarr(rows)
                    .option("dimensions", "x")
                    .option("extents", "x:2")
                    .option("chunk-shape", "1")
                    .save(at("cancelled.zarr"));
              } finally {
                spark.sparkContext().clearJobGroup();
              }
            });
    try {
      while (!Files.exists(gate.resolveSibling("waits1")) && !write.isDone()) {
        Thread.sleep(5);
      }
      spark.sparkContext().cancelJobGroup("cancelled");
      assertThatThrownBy(write::get).hasStackTraceContaining("cancelled");
    } finally {
      Files.createFile(gate);
    }
    while (spark.sparkContext().statusTracker().getExecutorInfos()[0].numRunningTasks() > 0) {
      Thread.sleep(5);
    }
    if (Files.exists(directory.resolve("cancelled.zarr"))) {
      try (var files = Files.walk(directory.resolve("cancelled.zarr"))) {
        assertThat(files.filter(Files::isRegularFile).toList()).isEmpty();
      }
    }
    zarr(rows("CAST(id AS INT) AS x, id AS n", 2))
        .option("dimensions", "x")
        .save(at("cancelled.zarr"));
    assertThat(read("cancelled.zarr").count()).isEqualTo(2);
  }
}
