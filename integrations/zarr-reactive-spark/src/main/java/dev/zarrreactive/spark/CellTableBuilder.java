package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.partition.TableLayout;
import dev.zarrreactive.partition.VariableSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Gives the columns of a table of cells the types of Spark. */
final class CellTableBuilder {
  private CellTableBuilder() {}

  static CellTable of(
      TableOptions options, ZarrHierarchy hierarchy, ZarrNode node, @Nullable Dataset dataset) {
    TableLayout layout = TableLayout.of(options.request(), node, dataset);
    Map<String, CellColumn> columns = new LinkedHashMap<>();
    Map<String, ZarrArray> arrays = new LinkedHashMap<>();
    for (TableLayout.Column column : layout.columns().values()) {
      columns.put(column.name(), column(options, column));
      if (column.array() != null) {
        arrays.put(column.name(), column.array());
      }
    }
    return new CellTable(
        options,
        hierarchy,
        layout.dimensions(),
        layout.extents().stream().mapToLong(extent -> extent).toArray(),
        columns,
        arrays,
        layout.selected());
  }

  private static CellColumn column(TableOptions options, TableLayout.Column column) {
    int[] dimensions = column.dimensions().stream().mapToInt(d -> d).toArray();
    if (column.array() == null || column.decoding() == null) {
      return new CellColumn(
          column.name(),
          DataTypes.LongType,
          null,
          dimensions,
          Long.BYTES,
          column.isLabel(),
          column.isHidden());
    }
    DataType type = timed(options, CellType.of(column.decoding()));
    if (type == null) {
      throw new IllegalArgumentException(
          "Spark has no type for the variable "
              + column.name()
              + " of "
              + column.decoding().dataType()
              + "; choose others with the option variables");
    }
    return new CellColumn(
        column.name(),
        type,
        VariableSource.of(column.array(), column.decoding(), options.rules().rules()),
        dimensions,
        type.defaultSize(),
        column.isLabel(),
        column.isHidden());
  }

  /** Returns the type with instants for times without a zone, where the options say so. */
  private static @Nullable DataType timed(TableOptions options, @Nullable DataType type) {
    if (options.times() == TableOptions.Times.TIMESTAMP_NTZ) {
      return type;
    } else if (type instanceof StructType struct) {
      StructType timed = new StructType();
      for (StructField field : struct.fields()) {
        DataType of = timed(options, field.dataType());
        timed = timed.add(field.name(), of == null ? field.dataType() : of, field.nullable());
      }
      return timed;
    }
    return DataTypes.TimestampNTZType.equals(type) ? DataTypes.TimestampType : type;
  }
}
