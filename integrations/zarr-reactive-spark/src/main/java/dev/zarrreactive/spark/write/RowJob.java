package dev.zarrreactive.spark.write;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.udf;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * The job of a write: a function places each row, a shuffle brings the rows of one unit to one
 * task, which writes it. Only the public interfaces of {@code Dataset} are used, which every line
 * of Spark has, and no function of a catalog is needed.
 */
final class RowJob {
  private static final String TO = "_zarr_to";

  private RowJob() {}

  /**
   * Runs the job, waits for it, and returns what each task has sent: once for each, however often
   * Spark has run it.
   *
   * @param keys the columns from which {@code placement} finds the places of a row
   * @param values the columns that tasks need
   * @param most the most tasks
   */
  static List<byte[]> run(
      Dataset<Row> rows,
      TaskStore store,
      WriteTarget target,
      UDF1<Row, List<Row>> placement,
      List<String> keys,
      List<String> values,
      int most) {
    Column place =
        udf(placement, DataTypes.createArrayType(Placement.PLACE, false))
            .apply(struct(columns(keys)));
    List<Column> selected = new ArrayList<>();
    selected.add(explode(place).as(TO));
    values.forEach(name -> selected.add(column(name)));
    return rows.select(selected.toArray(Column[]::new))
        .repartition(tasks(target.groups(), most), col(TO + ".group"), col(TO + ".unit"))
        .sortWithinPartitions(col(TO + ".group"), col(TO + ".unit"))
        .mapPartitions(new UnitTask(store, target, values), Encoders.BINARY())
        .collectAsList();
  }

  private static int tasks(List<List<ArrayTarget>> groups, int most) {
    long units = 0;
    for (List<ArrayTarget> group : groups) {
      units += Math.min(most, ArrayTarget.Units.of(group.get(0).array().metadata()).count());
    }
    return (int) Math.max(1, Math.min(most, units));
  }

  private static Column[] columns(List<String> names) {
    return names.stream().map(RowJob::column).toArray(Column[]::new);
  }

  /** Returns a column by its name, which may have dots. */
  static Column column(String name) {
    return col("`" + name.replace("`", "``") + "`");
  }
}
