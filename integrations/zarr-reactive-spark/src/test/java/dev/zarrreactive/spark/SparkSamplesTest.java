package dev.zarrreactive.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of docs/spark.md. */
class SparkSamplesTest {
  @TempDir Path directory;

  @Test
  void cells_are_read() {
    SparkSession spark = TestSpark.session();
    Weather.write(directory.resolve("w.zarr"));
    String location = directory.resolve("w.zarr").toString();
    // docs: spark-cells
    Dataset<Row> cells = spark.read().format("zarr").load(location);
    Dataset<Row> means =
        cells
            .where("lat BETWEEN 40 AND 50 AND time >= TIMESTAMP_NTZ '2020-01-03'")
            .groupBy("station")
            .avg("t");
    // docs: end
    assertThat(means.count()).isEqualTo(Weather.STATIONS);
    // docs: spark-chunks
    Dataset<Row> chunks =
        spark
            .read()
            .format("zarr")
            .option("mode", "chunks")
            .option("variables", "t")
            .load(location);
    long bytes =
        chunks.where("stored").selectExpr("sum(length(data))").collectAsList().get(0).getLong(0);
    // docs: end
    assertThat(bytes).isEqualTo(4L * Weather.TIMES * Weather.LATS * Weather.STATIONS);
  }
}
