package dev.zarrreactive.spark.write;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;

/** Finds the labels that rows have, by a job of its own for each column. */
final class Labels {
  private Labels() {}

  /** Returns the different values of a column, in the form of a kind. */
  static Set<Object> of(Dataset<Row> rows, String column, CellKind kind) {
    Set<Object> labels = new LinkedHashSet<>();
    for (Row row : rows.select(RowJob.column(column)).distinct().collectAsList()) {
      Object value = row.get(0);
      Object label = value == null ? null : kind.of(value);
      if (label == null || label.equals(Double.NaN) || label.equals(Float.NaN)) {
        throw new IllegalArgumentException(
            "the column "
                + column
                + " has the label "
                + (value == null ? "NULL" : value)
                + "; each row needs one that equals itself");
      }
      labels.add(label);
    }
    return labels;
  }

  /** Returns labels in ascending or descending order. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // labels of one kind are comparable
  static List<Object> sorted(Set<Object> labels, CellKind kind, boolean descends) {
    Comparator<Object> order =
        kind == CellKind.UNSIGNED
            ? (a, b) -> Long.compareUnsigned((Long) a, (Long) b)
            : (a, b) -> ((Comparable) a).compareTo(b);
    List<Object> sorted = new ArrayList<>(labels);
    sorted.sort(descends ? order.reversed() : order);
    return sorted;
  }

  /** Returns the greatest index that a column has, and one; 0 for no rows. */
  static long end(Dataset<Row> rows, String column) {
    return of(rows, column, CellKind.WHOLE).stream()
        .mapToLong(index -> Math.addExact((Long) index, 1))
        .max()
        .orElse(0);
  }

  /**
   * Returns a column by its name.
   *
   * @throws IllegalArgumentException if there is none, or there are two
   */
  static StructField column(Dataset<Row> rows, String name) {
    StructField found = null;
    for (StructField field : rows.schema().fields()) {
      if (field.name().equals(name)) {
        if (found != null) {
          throw new IllegalArgumentException("there are two columns " + name);
        }
        found = field;
      }
    }
    if (found == null) {
      throw new IllegalArgumentException(
          "there is no column " + name + ", but " + String.join(", ", rows.columns()));
    }
    return found;
  }
}
