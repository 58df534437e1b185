package dev.zarrreactive.spark.write;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.apache.spark.sql.SparkSession;

/** The session of this JVM, with two threads; the same as that of the read tests. */
final class WriteSpark {
  private WriteSpark() {}

  static SparkSession session() {
    assumeTrue(
        Runtime.version().feature() <= 21,
        "Spark " + org.apache.spark.package$.MODULE$.SPARK_VERSION() + " runs on Java 17 and 21");
    return SparkSession.builder()
        .master("local[2]")
        .appName("zarr-reactive")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "America/St_Johns")
        .config("spark.sql.warehouse.dir", "target/warehouse")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate();
  }
}
