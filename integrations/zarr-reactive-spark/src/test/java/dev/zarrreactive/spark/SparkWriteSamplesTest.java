package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The samples of writes in docs/spark.md. */
@ExtendWith(AsUsersHaveIt.class)
class SparkWriteSamplesTest {
  @TempDir Path directory;

  private static Dataset<Row> days(SparkSession spark, int from, int to) {
    return spark.sql(
        "SELECT CAST(date_add(DATE '2020-01-01', CAST(d AS INT)) AS TIMESTAMP_NTZ) AS time,"
            + " CAST(l AS DOUBLE) AS lat, CAST(d + l AS DOUBLE) AS t2m FROM (SELECT id AS d FROM"
            + " range("
            + from
            + ", "
            + to
            + ")) CROSS JOIN (SELECT id AS l FROM range(0, 8))");
  }

  @Test
  void cells_and_chunks_are_written() {
    SparkSession spark = TestSpark.session();
    String location = directory.resolve("new.zarr").toString();
    String copy = directory.resolve("copy.zarr").toString();
    Dataset<Row> cells = days(spark, 0, 5);
    Dataset<Row> nextDays = days(spark, 5, 7);
    // docs: spark-write
    cells
        .write()
        .format("zarr")
        .option("dimensions", "time,lat")
        .option("descending", "lat")
        .option("chunk-shape", "24,8")
        .option("packed.t2m", "int16,0.01,0")
        .option("missing.t2m", "-32768")
        .option("attributes.t2m", "{\"units\": \"K\"}")
        .save(location);
    // docs: end
    // docs: spark-append
    nextDays.write().format("zarr").mode("append").option("append", "time").save(location);
    // docs: end
    assertThat(spark.read().format("zarr").load(location).selectExpr("sum(t2m)").first().get(0))
        .isEqualTo(8.0 * 21 + 7 * 28);
    Dataset<Row> chunks =
        spark
            .read()
            .format("zarr")
            .option("mode", "chunks")
            .option("variables", "t2m")
            .load(location);
    // docs: spark-write-chunks
    chunks.write().format("zarr").option("mode", "chunks").save(copy);
    // docs: end
    assertThat(spark.read().format("zarr").load(copy).count()).isEqualTo(56);
  }

  @Test
  void a_write_to_a_branch_is_a_commit_and_a_query_names_a_version() {
    SparkSession spark = TestSpark.session();
    String repository = directory.resolve("repo").toString();
    FileSystemStore place = FileSystemStore.open(directory.resolve("repo"));
    await(Icechunk.create(place));
    days(spark, 0, 5)
        .write()
        .format("zarr")
        .option("dimensions", "time,lat")
        .save(repository + "|icechunk:");
    await(Icechunk.open(place).flatMap(now -> now.createTag("v1", IcechunkVersion.MAIN)));
    Dataset<Row> nextDays = days(spark, 5, 7);
    // docs: spark-commit
    nextDays
        .write()
        .format("zarr")
        .mode("append")
        .option("append", "time")
        .option("message", "the days of this week")
        .save(repository + "|icechunk://branch.main");
    // docs: end
    // docs: spark-catalog
    spark.conf().set("spark.sql.catalog.lake", "dev.zarrreactive.spark.ZarrCatalog");
    String table = "lake.`" + repository + "`";
    Dataset<Row> now = spark.sql("SELECT avg(t2m) FROM " + table);
    Dataset<Row> released = spark.sql("SELECT avg(t2m) FROM " + table + " VERSION AS OF 'v1'");
    // docs: end
    assertThat(now.first().getDouble(0)).isEqualTo(6.5);
    assertThat(released.first().getDouble(0)).isEqualTo(5.5);
    assertThatThrownBy(
            () -> spark.sql("SELECT * FROM " + table + " TIMESTAMP AS OF '2020-01-31 12:00:00'"))
        .hasStackTraceContaining("before");
  }

  @Test
  void a_stream_is_written_and_a_branch_is_followed() throws Exception {
    SparkSession spark = TestSpark.session();
    String repository = directory.resolve("repo").toString();
    String incoming = directory.resolve("in").toString();
    String checkpoint = directory.resolve("checkpoint").toString();
    String another = directory.resolve("another").toString();
    await(Icechunk.create(FileSystemStore.open(directory.resolve("repo"))));
    days(spark, 0, 5).coalesce(1).write().parquet(incoming);
    Dataset<Row> arriving = spark.readStream().schema(days(spark, 0, 1).schema()).parquet(incoming);
    // docs: spark-stream
    arriving
        .writeStream()
        .format("zarr")
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", checkpoint)
        .option("dimensions", "time,lat")
        .option("append", "time")
        .start(repository + "|icechunk://branch.main")
        .awaitTermination();
    // docs: end
    List<Row> sums = new CopyOnWriteArrayList<>();
    // docs: spark-follow
    spark
        .readStream()
        .format("zarr")
        .option("follow", "time")
        .load(repository + "|icechunk://branch.main")
        .writeStream()
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", another)
        .foreachBatch(
            (Dataset<Row> batch, Long number) ->
                sums.addAll(batch.selectExpr("sum(t2m)").collectAsList()))
        .start()
        .awaitTermination();
    // docs: end
    assertThat(sums).singleElement().extracting(row -> row.get(0)).isEqualTo(8.0 * 10 + 5 * 28);
  }
}
