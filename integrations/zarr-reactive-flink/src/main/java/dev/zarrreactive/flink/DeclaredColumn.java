package dev.zarrreactive.flink;

import dev.zarrreactive.partition.GridColumn;
import dev.zarrreactive.partition.VariableSource;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.flink.table.types.logical.LogicalType;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, as it is declared.
 *
 * @param source the variable; null for an index
 * @param dimensions the rows' dimensions that the values have, in the values' order
 * @param itemSize the bytes of a decoded value, about
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
record DeclaredColumn(
    String name, LogicalType type, @Nullable VariableSource source, int[] dimensions, int itemSize)
    implements GridColumn, Serializable {
  private static final long serialVersionUID = 1;

  @Override
  public String toString() {
    return name + Arrays.toString(dimensions);
  }
}
