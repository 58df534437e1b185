package dev.zarrreactive.spark.write;

import dev.zarrreactive.partition.StoreDescription;
import java.lang.reflect.InvocationTargetException;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Refuses a write to the location that the rows are read from: a task that Spark repeats would read
 * what another one has written.
 */
final class ReadSources {
  private ReadSources() {}

  static void check(Dataset<Row> rows, StoreDescription store, String target) {
    Pattern table =
        Pattern.compile(
            "zarr (chunks of |nodes of )?" + Pattern.quote(store.location()) + "(?![\\w.-])");
    if (table.matcher(plan(rows)).find()) {
      throw new IllegalArgumentException(
          "the rows are read from "
              + target
              + ", which the write would change while tasks read it; write to another location");
    }
  }

  /**
   * Returns the plan of the rows as text. The method has one name in every line of Spark, but
   * classes of its own, so that it is called by its name.
   */
  private static String plan(Dataset<Row> rows) {
    try {
      Object execution = rows.getClass().getMethod("queryExecution").invoke(rows);
      return String.valueOf(execution.getClass().getMethod("analyzed").invoke(execution));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return ""; // a plan of another engine has no table of this one
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("the plan of the rows cannot be shown", e.getCause());
    }
  }
}
