package dev.zarrreactive.arrow;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.arrow.ColumnKind.Values;
import dev.zarrreactive.dataset.DatasetBlock;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.internal.rows.TableRows;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A column of a table: values of a variable, of a coordinate, or the indices of a dimension.
 *
 * @param index the number of the dimension whose indices they are; negative for values
 * @param isCoordinate true for values that a block has among its coordinates
 */
record TableColumn(
    String name, List<String> dimensions, ColumnKind kind, int index, boolean isCoordinate) {
  static TableColumn ofIndex(String dimension, int number) {
    return new TableColumn(dimension, List.of(dimension), ColumnKinds.ofIndex(), number, false);
  }

  static TableColumn ofCoordinate(String dimension, ColumnKind kind) {
    return new TableColumn(dimension, List.of(dimension), kind, -1, true);
  }

  static TableColumn ofVariable(String name, List<String> dimensions, ColumnKind kind) {
    return new TableColumn(name, dimensions, kind, -1, false);
  }

  Field field() {
    return kind.field(name);
  }

  /** Returns the part of the column that a block holds. */
  Values values(DatasetBlock block, TableRows rows) {
    if (index >= 0) {
      long from = rows.origin(index);
      long[] indices =
          LongStream.range(from, from + block.sizes().getOrDefault(name, 1L)).toArray();
      return kind.values(NdArray.ofLongs(DataTypes.INT64, Shape.of(indices.length), indices));
    }
    Map<String, NdArray> of = isCoordinate ? block.coordinates() : block.values();
    NdArray data = of.get(name);
    if (data == null) {
      throw new IllegalStateException("the block " + block.origin() + " lacks " + name);
    }
    return kind.values(data.toContiguous());
  }
}
