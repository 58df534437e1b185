package dev.zarrreactive.spark.line;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A program that reads a table in a container of Azure by the identity of its machine, beside the
 * one jar. It knows Spark and the JDK only. The argument is the endpoint; it prints the sum of a
 * column, or the error.
 */
public final class IdentityCheck {
  private IdentityCheck() {}

  /** Reads the table. */
  public static void main(String[] arguments) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.warehouse.dir", "warehouse")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    String last;
    try {
      List<Row> rows =
          spark
              .read()
              .format("zarr")
              .option("store.account", "account")
              .option("store.endpoint", arguments[0])
              .option("store.credentials", "azure-managed-identity")
              .option("store.retry", "false")
              .load("az://container/table.zarr")
              .selectExpr("sum(n)")
              .collectAsList();
      last = "the sum is " + rows.get(0).get(0);
    } catch (RuntimeException e) {
      last = "it failed: " + e.getMessage();
    }
    spark.stop();
    System.out.println(last);
    System.exit(0);
  }
}
