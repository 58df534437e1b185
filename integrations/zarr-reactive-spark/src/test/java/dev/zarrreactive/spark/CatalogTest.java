package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.partition.Weather;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog over a directory: it lists, describes, reads, makes tables and adds cells. */
class CatalogTest {
  @TempDir Path directory;

  private SparkSession spark;
  private String catalog;

  @BeforeEach
  void begin() throws Exception {
    spark = TestSpark.session();
    // a catalog keeps the settings with which it was first used
    catalog = "c" + Math.abs(directory.hashCode());
    spark.conf().set("spark.sql.catalog." + catalog, ZarrCatalog.class.getName());
    spark.conf().set("spark.sql.catalog." + catalog + ".root", directory.toString());
    spark.conf().set("spark.sql.catalog." + catalog + ".write.tasks", "2");
    Weather.write(directory.resolve("weather"));
    Years.write(directory.resolve("climate/years"));
    Repositories.write(directory.resolve("climate/repo"));
    await(Zarr.at(directory.resolve("groups").toString()).createGroup());
    Weather.write(directory.resolve("groups/inner"));
    Files.createDirectories(directory.resolve("empty"));
  }

  private List<String> texts(String sql, int column) {
    return spark.sql(sql.replace("lake", catalog)).collectAsList().stream()
        .map(row -> String.valueOf(row.get(column)))
        .toList();
  }

  private Row only(String sql) {
    return TestSpark.only(spark.sql(sql.replace("lake", catalog)));
  }

  @Test
  void tables_and_namespaces_are_those_of_the_directory() {
    assertThat(texts("SHOW TABLES IN lake", 1)).containsExactly("weather");
    assertThat(texts("SHOW NAMESPACES IN lake", 0)).containsExactly("climate", "empty", "groups");
    assertThat(texts("SHOW TABLES IN lake.climate", 1)).containsExactly("repo", "years");
    assertThat(texts("SHOW TABLES IN lake.groups", 1)).containsExactly("inner");
    assertThat(texts("SHOW TABLES IN lake.empty", 1)).isEmpty();
    assertThat(texts("DESCRIBE lake.climate.years", 0)).contains("time", "lat", "station", "v");
    assertThat(only("SELECT count(*), sum(v) FROM lake.climate.years WHERE year(time) = 2014"))
        .isEqualTo(
            TestSpark.only(
                TestSpark.zarr()
                    .load(directory.resolve("climate/years").toString())
                    .where("year(time) = 2014")
                    .selectExpr("count(*)", "sum(v)")));
    assertThat(only("SELECT count(*) FROM lake.`" + directory.resolve("weather") + "`").getLong(0))
        .as("a location stays one")
        .isEqualTo(24 * 12 * 10);
    assertThat(
            only("SELECT sum(t2m) FROM lake.climate.repo VERSION AS OF '"
                    + Repositories.THREE_DAYS
                    + "'")
                .getDouble(0))
        .isEqualTo(1849.5);
  }

  @Test
  void what_spark_keeps_for_its_own_tables_it_refuses_by_name() {
    for (String statement :
        List.of(
            "ANALYZE TABLE lake.weather COMPUTE STATISTICS",
            "ANALYZE TABLE lake.weather COMPUTE STATISTICS FOR COLUMNS lat")) {
      assertThatThrownBy(() -> spark.sql(statement.replace("lake", catalog)))
          .as(statement)
          .hasMessageContaining("ANALYZE TABLE")
          .hasMessageContaining("not supported");
    }
  }

  @Test
  void a_query_makes_a_table_and_rows_are_added_to_it() {
    spark.sql(
        "CREATE TABLE lake.climate.made USING zarr OPTIONS (dimensions 'x,y', `chunk-shape` '2,3')"
                .replace("lake", catalog)
            + " AS SELECT id DIV 3 AS x, id % 3 AS y, CAST(id AS INT) AS v FROM range(12)");
    assertThat(only("SELECT count(*), sum(v), max(x) FROM lake.climate.made").toString())
        .isEqualTo("[12,66,3]");
    assertThat(texts("SHOW TABLES IN lake.climate", 1)).contains("made");
    spark.sql("INSERT INTO lake.climate.made SELECT 1L, 2L, 100".replace("lake", catalog));
    assertThat(only("SELECT sum(v) FROM lake.climate.made").getLong(0)).isEqualTo(66 - 5 + 100);
    assertThatThrownBy(
            () ->
                spark.sql(
                    "INSERT INTO lake.climate.made SELECT 9L, 2L, 1".replace("lake", catalog)))
        .hasStackTraceContaining("x");
    org.apache.spark.sql.Dataset<Row> more =
        spark.sql("SELECT 4L AS x, id AS y, 7 AS v FROM range(3)");
    try {
      more.writeTo(catalog + ".climate.made").option("append", "x").append();
    } catch (org.apache.spark.sql.catalyst.analysis.NoSuchTableException e) {
      throw new AssertionError(e);
    }
    assertThat(only("SELECT count(*), sum(v) FROM lake.climate.made").toString())
        .isEqualTo("[15,182]");
    assertThatThrownBy(
            () ->
                spark.sql(
                    "CREATE TABLE lake.climate.made USING zarr AS SELECT 1L AS x, 2 AS v"
                        .replace("lake", catalog)))
        .hasMessageContaining("already exists");
    spark.sql(
        "CREATE OR REPLACE TABLE lake.climate.made USING zarr OPTIONS (dimensions 'x')"
                .replace("lake", catalog)
            + " AS SELECT id AS x, 2 AS v FROM range(4)");
    assertThat(only("SELECT count(*), sum(v) FROM lake.climate.made").toString())
        .isEqualTo("[4,8]");
  }

  @Test
  void a_delete_makes_values_missing_and_an_insert_replaces_them() {
    spark.sql(
        "CREATE TABLE lake.climate.made USING zarr OPTIONS (dimensions 'x,y', `chunk-shape.v` '2,3', `missing.v` '-1', `dimensions.w` 'x', `missing.w` '-1')"
                .replace("lake", catalog)
            + " AS SELECT id DIV 3 AS x, id % 3 AS y, CAST(id AS INT) AS v,"
            + " CAST(id DIV 3 AS INT) AS w FROM range(12)");
    String state = "SELECT count(*), count(v), sum(v), sum(w) FROM lake.climate.made";
    assertThat(only(state).toString()).isEqualTo("[12,12,66.0,18.0]");
    spark.sql("DELETE FROM lake.climate.made WHERE x >= 2 AND y = 1".replace("lake", catalog));
    assertThat(only(state).toString()).as("w lacks a dimension").isEqualTo("[12,10,49.0,18.0]");
    spark.sql("DELETE FROM lake.climate.made WHERE x IN (0, 3)".replace("lake", catalog));
    assertThat(only(state).toString()).isEqualTo("[12,5,26.0,9.0]");
    spark.sql("DELETE FROM lake.climate.made WHERE x > 7".replace("lake", catalog));
    assertThat(only(state).toString()).isEqualTo("[12,5,26.0,9.0]");
  }

  @Test
  void a_delete_from_a_branch_is_one_commit_and_an_insert_from_itself_is_an_update() {
    FileSystemStore place = FileSystemStore.open(directory.resolve("climate/own"));
    await(Icechunk.create(place));
    String own = "lake.`" + directory.resolve("climate/own") + "|icechunk:`";
    spark
        .sql("SELECT id DIV 3 AS x, id % 3 AS y, CAST(id AS DOUBLE) AS v FROM range(12)")
        .write()
        .format("zarr")
        .option("dimensions", "x,y")
        .save(directory.resolve("climate/own") + "|icechunk:");
    spark.sql(("DELETE FROM " + own + " WHERE x = 3").replace("lake", catalog));
    spark.sql(
        ("INSERT INTO " + own + " SELECT x, y, v + 100 FROM " + own + " WHERE x = 1")
            .replace("lake", catalog));
    assertThat(only("SELECT count(v), sum(v) FROM " + own).toString()).isEqualTo("[9,336.0]");
    assertThat(
            await(
                Icechunk.open(place).flatMapMany(now -> now.history(IcechunkVersion.MAIN)).count()))
        .isEqualTo(4L);
    for (String statement :
        List.of(
            "UPDATE " + own + " SET v = 1 WHERE x = 1",
            "MERGE INTO "
                + own
                + " AS t USING (SELECT 1L AS x) AS s ON t.x = s.x"
                + " WHEN MATCHED THEN DELETE",
            "DELETE FROM " + own + " WHERE v > 3")) {
      assertThatThrownBy(() -> spark.sql(statement.replace("lake", catalog)).collectAsList())
          .hasMessageMatching("(?is).*(update|merge|delete).*");
    }
    assertThat(only("SELECT count(v), sum(v) FROM " + own).toString()).isEqualTo("[9,336.0]");
  }

  @Test
  void statements_that_make_no_sense_here_are_refused_at_once() {
    for (String statement :
        List.of(
            "CREATE TABLE lake.climate.bare (x BIGINT, v INT) USING zarr",
            "CREATE OR REPLACE TABLE lake.climate.bare (x BIGINT, v INT) USING zarr",
            "DROP TABLE lake.weather",
            "ALTER TABLE lake.weather ADD COLUMN z INT",
            "CREATE NAMESPACE lake.other",
            "CREATE TABLE lake.climate.bare USING parquet AS SELECT 1L AS x, 2 AS v",
            "CREATE TABLE lake.climate.bare USING zarr PARTITIONED BY (x) AS SELECT 1L AS x, 2 AS"
                + " v",
            "CREATE TABLE lake.climate.bare USING zarr OPTIONS (nothing 'x') AS SELECT 1L AS x",
            "INSERT INTO lake.climate.repo VERSION AS OF 'v1' SELECT 1",
            "INSERT OVERWRITE lake.weather SELECT * FROM lake.weather",
            "DELETE FROM lake.weather WHERE lat > 0",
            "SELECT * FROM lake.`..`.weather",
            "SHOW TABLES IN lake.none")) {
      assertThatThrownBy(() -> spark.sql(statement.replace("lake", catalog)).collectAsList())
          .as(statement)
          .isNotNull();
      assertThat(directory.resolve("climate/bare")).as(statement).doesNotExist();
    }
    assertThat(only("SELECT count(*) FROM lake.weather").getLong(0)).isEqualTo(24 * 12 * 10);
  }
}
