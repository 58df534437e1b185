package dev.zarrreactive.spark;

import dev.zarrreactive.partition.GridColumn;
import dev.zarrreactive.partition.VariableSource;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table of cells: the values of a variable, or the index of a dimension.
 *
 * @param source the variable; null for an index
 * @param dimensions the rows' dimensions that the values have, in the values' order
 * @param itemSize the bytes of a decoded value, about
 * @param isLabel true for a coordinate
 * @param isHidden true for a metadata column
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
record CellColumn(
    String name,
    DataType type,
    @Nullable VariableSource source,
    int[] dimensions,
    int itemSize,
    boolean isLabel,
    boolean isHidden)
    implements GridColumn, Serializable {
  private static final long serialVersionUID = 1;

  @Override
  public String toString() {
    return name + Arrays.toString(dimensions);
  }
}
