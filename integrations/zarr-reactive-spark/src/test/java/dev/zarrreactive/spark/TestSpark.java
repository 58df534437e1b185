package dev.zarrreactive.spark;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The session of this JVM, with two threads. It interprets expressions and plans a query once,
 * which is quicker for a table of a few rows; {@link #asUsersHaveIt} has the settings of Spark.
 */
public final class TestSpark {
  /** The settings that make small queries quick. */
  private static final Map<String, String> QUICK =
      Map.of(
          "spark.sql.codegen.wholeStage", "false",
          "spark.sql.codegen.factoryMode", "NO_CODEGEN",
          "spark.sql.adaptive.enabled", "false");

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
      QUICK.forEach(known.conf()::set);
      session = known;
    }
    return known;
  }

  /**
   * Changes between the settings that Spark has by itself, with generated code and plans that
   * change while they run, and those for quick tests. Who asks for the first asks for the others
   * afterwards.
   */
  public static void asUsersHaveIt(boolean isSo) {
    RuntimeConfig conf = session().conf();
    QUICK.forEach(
        (name, value) -> {
          if (isSo) {
            conf.unset(name);
          } else {
            conf.set(name, value);
          }
        });
  }

  static DataFrameReader zarr() {
    return session().read().format("zarr");
  }

  static Row only(Dataset<Row> rows) {
    return rows.collectAsList().get(0);
  }
}
