package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.spark.write.FaultyStores.Fault;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.Test;

/** Cells are written to new and to existing datasets. */
class WriteCellsTest extends WritesInDirectory {

  /** Returns cells of {@code t(time, lat)}: 10 times a value, and a value that depends on both. */
  private org.apache.spark.sql.Dataset<Row> cells(int fromDay, int toDay) {
    return spark.sql(
        "SELECT TIMESTAMP_NTZ '2020-01-01' + make_dt_interval(CAST(d AS INT)) AS time,"
            + " CAST(60 - 2.5 * l AS DOUBLE) AS lat,"
            + " CAST(d * 100 + l AS FLOAT) AS t, CAST(d AS INT) AS n"
            + " FROM (SELECT id AS d, explode(sequence(0L, 5L)) AS l FROM range("
            + fromDay
            + ", "
            + toDay
            + "))");
  }

  private void write(String name, int days) {
    zarr(cells(0, days))
        .option("dimensions", "time,lat")
        .option("descending", "lat")
        .option("chunk-shape", "4,3")
        .option("attributes.t", "{\"units\": \"K\"}")
        .save(at(name));
  }

  @Test
  void a_new_dataset_has_the_cells_of_the_rows() {
    write("new.zarr", 10);
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.at(at("new.zarr")))));
    assertThat(dataset.sizes()).containsEntry("time", 10L).containsEntry("lat", 6L);
    assertThat(requireNonNull(await(dataset.variable("lat").read())).toDoubleArray())
        .containsExactly(60, 57.5, 55, 52.5, 50, 47.5);
    assertThat(dataset.variable("t").attributes().get("units")).hasToString("\"K\"");
    assertThat(requireNonNull(await(dataset.sel("time", "2020-01-04").read("t"))).toFloatArray())
        .containsExactly(300, 301, 302, 303, 304, 305);
    assertSame(read("new.zarr").select("time", "lat", "t", "n"), cells(0, 10));
    assertThat(directory.resolve("new.zarr/zarr.json.partial")).doesNotExist();
  }

  @Test
  void cells_of_an_existing_dataset_change_and_the_others_stay() {
    write("old.zarr", 10);
    zarr(cells(3, 5).where("lat > 54").selectExpr("time", "lat", "t + 1 AS t"))
        .mode(SaveMode.Append)
        .save(at("old.zarr"));
    Row sum =
        read("old.zarr")
            .selectExpr("sum(t)", "sum(IF(lat > 54, t, 0))", "sum(n)")
            .collectAsList()
            .get(0);
    Row before = cells(0, 10).selectExpr("sum(t)", "sum(IF(lat > 54, t, 0))", "sum(n)").first();
    assertThat(sum.getDouble(0)).isEqualTo(before.getDouble(0) + 6);
    assertThat(sum.getDouble(1)).isEqualTo(before.getDouble(1) + 6);
    assertThat(sum.getLong(2)).isEqualTo(before.getLong(2));
  }

  @Test
  void an_append_makes_a_dimension_longer() {
    write("long.zarr", 10);
    zarr(cells(9, 13)).mode("append").option("append", "time").save(at("long.zarr"));
    assertSame(read("long.zarr").select("time", "lat", "t", "n"), cells(0, 13));
    assertThat(directory.resolve("long.zarr/zarr.json.partial")).doesNotExist();
    ZarrArray t = requireNonNull(await(Zarr.at(at("long.zarr/t")).openArray()));
    assertThat(t.shape().toArray()).containsExactly(13, 6);
  }

  @Test
  void an_unknown_label_is_refused_with_its_dimension() {
    write("known.zarr", 3);
    assertThatThrownBy(() -> zarr(cells(2, 4)).mode("append").save(at("known.zarr")))
        .hasStackTraceContaining(
            "the dimension time has no label 2020-01-04T00:00 of the column time: none of its 3"
                + " labels equals it; the option append=time makes the dimension longer");
  }

  @Test
  void modes_are_those_of_spark() {
    write("modes.zarr", 2);
    assertThatThrownBy(() -> write("modes.zarr", 3))
        .hasStackTraceContaining("mode(\"append\") writes to it");
    zarr(cells(0, 3)).option("dimensions", "time,lat").mode("ignore").save(at("modes.zarr"));
    assertThat(read("modes.zarr").count()).isEqualTo(12);
    zarr(cells(0, 3)).option("dimensions", "time,lat").mode("overwrite").save(at("modes.zarr"));
    assertThat(read("modes.zarr").count()).isEqualTo(18);
    zarr(cells(0, 2)).option("dimensions", "time,lat").mode("append").save(at("made.zarr"));
    assertThat(read("made.zarr").count()).isEqualTo(12);
  }

  @Test
  void a_failed_write_of_a_new_dataset_leaves_nothing() throws Exception {
    assertThatThrownBy(
            () ->
                zarr(cells(0, 8).union(cells(5, 6).selectExpr("time", "lat", "t + 1", "n")))
                    .option("dimensions", "time,lat")
                    .option("chunk-shape", "2,2")
                    .save(at("failed.zarr")))
        .hasStackTraceContaining("the array /t: two rows have different values for the index [5, ");
    try (var files = Files.walk(directory.resolve("failed.zarr"))) {
      assertThat(files.filter(Files::isRegularFile).toList()).isEmpty();
    } catch (NoSuchFileException e) {
      assertThat(directory.resolve("failed.zarr")).doesNotExist();
    }
  }

  @Test
  void a_failed_write_removes_what_its_other_tasks_store_late() throws Exception {
    Path store = directory.resolve("late.zarr");
    FaultyStores.plan(store, Fault.LATE, "t/c/0/2"); // the other of two tasks
    FaultyStores.plan(store, Fault.BESIDE, "t/c/3/2");
    assertThatThrownBy(
            () ->
                zarr(cells(0, 8).select("time", "lat", "t"))
                    .option("dimensions", "time,lat")
                    .option("chunk-shape", "2,2")
                    .option("tasks", "2")
                    .save("faulty://" + store))
        .hasStackTraceContaining("a fault beside a late value");
    eventually("the late value is stored", () -> FaultyStores.wasStoredAgain(store, Fault.LATE));
    try (var files = Files.walk(store)) {
      assertThat(files.filter(Files::isRegularFile).toList()).isEmpty();
    } catch (NoSuchFileException e) {
      assertThat(store).doesNotExist();
    }
  }

  @Test
  void rows_are_not_read_from_the_place_that_they_are_written_to() {
    write("self.zarr", 2);
    assertThatThrownBy(
            () ->
                zarr(read("self.zarr"))
                    .mode("overwrite")
                    .option("dimensions", "time,lat")
                    .save(at("self.zarr")))
        .hasStackTraceContaining("the rows are read from");
    assertThat(read("self.zarr").count()).isEqualTo(12);
  }

  @Test
  void null_is_missing_where_there_is_a_number_for_it() {
    var rows =
        spark
            .sql(
                "SELECT CAST(id AS INT) AS x, IF(id = 1, NULL, CAST(id AS DOUBLE)) AS a,"
                    + " IF(id = 2, NULL, id * 0.5) AS p FROM range(0, 4)")
            .selectExpr("x", "a", "CAST(p AS DOUBLE) AS p");
    zarr(rows)
        .option("dimensions", "x")
        .option("extents", "x:5")
        .option("packed.p", "int16,0.5,0")
        .option("missing.p", "-1")
        .save(at("null.zarr"));
    assertThat(read("null.zarr").orderBy("x").collectAsList().toString())
        .isEqualTo("[[0,0.0,0.0], [1,null,0.5], [2,2.0,null], [3,3.0,1.5], [4,null,null]]");
    assertThatThrownBy(
            () ->
                zarr(spark.sql(
                        "SELECT CAST(id AS INT) AS x, IF(id = 1, NULL, id) AS n FROM range(3)"))
                    .option("dimensions", "x")
                    .save(at("refused.zarr")))
        .hasStackTraceContaining("the array /n: NULL cannot be stored as int64");
  }

  @Test
  void a_template_has_the_coordinates_and_the_settings() {
    write("template.zarr", 10);
    zarr(cells(2, 4).select("time", "lat", "t"))
        .option("dimensions", "time,lat")
        .option("template", at("template.zarr"))
        .save(at("like.zarr"));
    ZarrArray t = requireNonNull(await(Zarr.at(at("like.zarr/t")).openArray()));
    ZarrArray template = requireNonNull(await(Zarr.at(at("template.zarr/t")).openArray()));
    assertThat(t.metadata().document()).isEqualTo(template.metadata().document());
    assertSame(
        read("like.zarr").select("time", "lat", "t").where("t IS NOT NULL"),
        cells(2, 4).select("time", "lat", "t"));
    assertThat(read("like.zarr").count()).isEqualTo(60);
  }

  @Test
  void cells_that_make_no_box_go_to_their_places() {
    zarr(spark.sql("SELECT id DIV 4 AS x, id % 4 AS y, CAST(id AS INT) AS v FROM range(16)"))
        .option("dimensions", "x,y")
        .save(at("grid.zarr"));
    for (String cells :
        java.util.List.of(
            "(0L, 1L, 100), (2L, 3L, 200)", "(0L, 2L, 300), (1L, 0L, 400), (3L, 3L, 500)")) {
      zarr(spark.sql("SELECT * FROM VALUES " + cells + " AS c(x, y, v)"))
          .mode(org.apache.spark.sql.SaveMode.Append)
          .save(at("grid.zarr"));
    }
    assertThat(
            read("grid.zarr").orderBy("x", "y").collectAsList().stream()
                .map(row -> row.getInt(2))
                .toList())
        .containsExactly(0, 100, 300, 3, 400, 5, 6, 7, 8, 9, 10, 200, 12, 13, 14, 500);
  }
}
