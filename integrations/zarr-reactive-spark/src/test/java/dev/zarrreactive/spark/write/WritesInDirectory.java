package dev.zarrreactive.spark.write;

import dev.zarrreactive.spark.TestSpark;
import java.nio.file.Path;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that write tables of one process into a directory, and read them again. */
abstract class WritesInDirectory {
  @TempDir Path directory;
  SparkSession spark;

  @BeforeEach
  void startSpark() {
    spark = TestSpark.session();
  }

  String at(String name) {
    return directory.resolve(name).toString();
  }

  static DataFrameWriter<Row> zarr(Dataset<Row> rows) {
    return rows.write().format("zarr");
  }

  Dataset<Row> read(String name) {
    return spark.read().format("zarr").load(at(name));
  }
}
