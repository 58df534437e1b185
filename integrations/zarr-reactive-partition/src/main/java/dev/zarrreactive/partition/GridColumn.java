package dev.zarrreactive.partition;

import org.jspecify.annotations.Nullable;

/** A column of a table whose rows are cells: what an engine knows of it beside its type. */
public interface GridColumn {
  /** The name of the column, which no other one has. */
  String name();

  /** The variable whose values the column has; null for the index of a dimension. */
  @Nullable VariableSource source();

  /** The rows' dimensions that the values have, in the values' order. Do not change the array. */
  int[] dimensions();

  /** Returns the place of a rows' dimension among the values'; -1 if they lack it. */
  default int axis(int dimension) {
    int[] own = dimensions();
    for (int axis = 0; axis < own.length; axis++) {
      if (own[axis] == dimension) {
        return axis;
      }
    }
    return -1;
  }
}
