package dev.zarrreactive.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

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

  /** Asserts that two tables have the same rows, in any order. */
  static void assertSame(Dataset<Row> found, Dataset<Row> expected) {
    assertThat(found.collectAsList()).containsExactlyInAnyOrderElementsOf(expected.collectAsList());
  }

  Dataset<Row> read(String name) {
    return spark.read().format("zarr").load(at(name));
  }
}
