package dev.zarrreactive.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;

import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.IndexRanges;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/** The rows of NULL that a {@code DELETE} writes in place of cells. */
final class MissingCells {
  private MissingCells() {}

  /**
   * Returns a row for each cell of a box, with its indices, and NULL in the columns of variables.
   *
   * @param dimensions the names of the dimensions
   * @param variables the columns, of which each has some of the dimensions
   */
  static Dataset<Row> rows(
      SparkSession spark, List<String> dimensions, IndexBox box, List<CellColumn> variables) {
    List<Column> columns = new ArrayList<>();
    long stride = box.cells();
    for (int d = 0; d < dimensions.size(); d++) {
      IndexRanges indices = box.dimensions().get(d);
      stride /= Math.max(1, indices.count());
      columns.add(
          udf(new IndexAt(indices, stride), DataTypes.LongType)
              .apply(col("id"))
              .as(CellTable.INDEX + dimensions.get(d)));
    }
    for (CellColumn variable : variables) {
      columns.add(lit(null).cast(variable.type()).as(variable.name()));
    }
    return spark.range(box.cells()).select(columns.toArray(Column[]::new));
  }

  /**
   * Finds the index of a cell.
   *
   * @param indices of its dimension
   * @param stride the number of cells with one of them
   */
  private record IndexAt(IndexRanges indices, long stride) implements UDF1<Long, Long> {
    private static final long serialVersionUID = 1;

    @Override
    public Long call(Long cell) {
      return indices.index(cell / stride % indices.count());
    }
  }
}
