package dev.zarrreactive.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.partition.Weather;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The samples of docs/spark.md. */
@ExtendWith(AsUsersHaveIt.class)
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

  @Test
  void versions_and_references_are_read() throws IOException {
    SparkSession spark = TestSpark.session();
    Repositories.write(directory.resolve("repo"));
    Repositories.commit(directory.resolve("repo"));
    String repository = directory.resolve("repo").toString();
    // docs: spark-versions
    Dataset<Row> main = spark.read().format("zarr").load(repository + "|icechunk://branch.main");
    Dataset<Row> before =
        spark.read().format("zarr").option("snapshot", "VQYWSJFAKXVAW0EVNJE0").load(repository);
    // docs: end
    assertThat(main.count()).isEqualTo(15);
    assertThat(before.count()).isEqualTo(9);
    Files.writeString(
        directory.resolve("air.json"),
        """
        {"version": 1, "refs": {
          ".zgroup": {"zarr_format": 2},
          "air/.zarray": {"zarr_format": 2, "shape": [3], "chunks": [3], "dtype": "|u1",
            "compressor": null, "filters": null, "order": "C", "fill_value": 0},
          "air/.zattrs": {"_ARRAY_DIMENSIONS": ["lat"]},
          "air/0": "abc"}}
        """);
    // docs: spark-references
    Dataset<Row> air =
        spark
            .read()
            .format("zarr")
            .option("virtual:s3://archive/netcdf/", "anonymous=true;region=us-west-2")
            .load(directory + "/air.json|kerchunk:");
    // docs: end
    assertThat(TestSpark.only(air.selectExpr("sum(air)")).getDouble(0)).isEqualTo('a' + 'b' + 'c');
  }
}
