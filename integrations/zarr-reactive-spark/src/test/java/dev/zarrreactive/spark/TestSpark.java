package dev.zarrreactive.spark;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** The session of this JVM, with two threads. */
public final class TestSpark {
  private static @Nullable SparkSession session;

  private TestSpark() {}

  public static synchronized SparkSession session() {
    assumeTrue(
        Runtime.version().feature() <= 21,
        "Spark " + org.apache.spark.package$.MODULE$.SPARK_VERSION() + " runs on Java 17 and 21");
    SparkSession known = session;
    if (known == null) {
      known =
          SparkSession.builder()
              .master("local[2]")
              .appName("zarr-reactive")
              .config("spark.ui.enabled", "false")
              .config("spark.sql.shuffle.partitions", "2")
              .config("spark.sql.session.timeZone", "America/St_Johns")
              .config("spark.sql.warehouse.dir", "target/warehouse")
              .config("spark.driver.host", "localhost")
              .config("spark.driver.bindAddress", "127.0.0.1")
              .getOrCreate();
      session = known;
    }
    return known;
  }

  static DataFrameReader zarr() {
    return session().read().format("zarr");
  }

  static Row only(Dataset<Row> rows) {
    return rows.collectAsList().get(0);
  }
}
