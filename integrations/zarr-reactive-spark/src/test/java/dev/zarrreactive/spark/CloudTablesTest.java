package dev.zarrreactive.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.azure.Azurite;
import dev.zarrreactive.gcs.FakeGcsServer;
import dev.zarrreactive.gcs.XmlApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables in containers of Azure and in buckets of Google, with tokens and signatures of files. */
class CloudTablesTest {
  @TempDir Path directory;

  private Map<String, String> options(String secret, String as) throws IOException {
    Path file = Files.writeString(Files.createTempFile(directory, "secret", ""), secret);
    Map<String, String> options = new TreeMap<>();
    options.put("store.credentials", "file");
    options.put("store.credentials.path", file.toString());
    options.put("store.credentials.as", as);
    return options;
  }

  /** Writes a table, appends to it, and reads it. */
  private static void isWrittenAndRead(String location, Map<String, String> options) {
    SparkSession spark = TestSpark.session();
    rows(spark, 0, 5)
        .write()
        .format("zarr")
        .options(options)
        .option("dimensions", "x")
        .option("chunk-shape", "2")
        .save(location);
    rows(spark, 5, 9)
        .write()
        .format("zarr")
        .options(options)
        .mode("append")
        .option("append", "x")
        .save(location);
    Dataset<Row> table = spark.read().format("zarr").options(options).load(location);
    Row row = TestSpark.only(table.where("x >= 1").selectExpr("count(n)", "sum(n)"));
    assertThat(row.getLong(0)).isEqualTo(8);
    assertThat(row.getLong(1)).isEqualTo(360);
  }

  private static Dataset<Row> rows(SparkSession spark, int from, int to) {
    return spark.sql(
        "SELECT CAST(id AS DOUBLE) AS x, 10 * id AS n FROM range(" + from + ", " + to + ")");
  }

  @Test
  void a_bucket_of_google_is_written_and_read_with_a_token() throws IOException {
    try (XmlApiServer google = XmlApiServer.start()) {
      google.accept("Bearer t0ken"::equals);
      Map<String, String> options = options("t0ken", "bearer");
      options.put("store.endpoint", google.uri().toString());
      String location = "gs://" + google.newBucket() + "/new.zarr";
      isWrittenAndRead(location, options);
      Map<String, String> wrong = options("wr0ng", "bearer");
      wrong.put("store.endpoint", google.uri().toString());
      assertThatThrownBy(() -> TestSpark.zarr().options(wrong).load(location).count())
          .hasMessageContaining("answered 401")
          .hasMessageContaining("the file ")
          .hasMessageNotContaining("wr0ng");
    }
  }

  @Test
  void a_bucket_of_the_emulator_of_google_is_written_and_read() {
    try (FakeGcsServer google = FakeGcsServer.start()) {
      isWrittenAndRead(
          "gs://" + google.newBucket() + "/new.zarr",
          Map.of("store.endpoint", google.uri().toString()));
    }
  }

  @Test
  void a_container_of_azurite_is_written_and_read_with_a_signature() throws IOException {
    Azurite azure = Azurite.shared();
    String container = azure.newContainer();
    Map<String, String> options = options(azure.signature(container, "rwdl"), "query");
    options.put("store.account", Azurite.ACCOUNT);
    options.put("store.endpoint", azure.uri().toString());
    isWrittenAndRead("az://" + container + "/new.zarr", options);
  }
}
