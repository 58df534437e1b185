package dev.zarrreactive.flink;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.internal.rows.RowPlaces;
import dev.zarrreactive.partition.DecodedCells;
import dev.zarrreactive.partition.SplitBlocks.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** The rows of a block, which are made one by one. Not thread-safe. */
final class RowsOfBlock {
  private final List<Values> columns;
  private final long count;
  private long next;

  /**
   * The values of a column.
   *
   * @param at the value at a place
   * @param places the place of each row
   */
  private record Values(IntFunction<@Nullable Object> at, RowPlaces places) {}

  private RowsOfBlock(List<Values> columns, long count) {
    this.columns = columns;
    this.count = count;
  }

  /**
   * Decodes the values of a block.
   *
   * @throws IllegalArgumentException if a column that is declared {@code NOT NULL} lacks a value
   */
  static RowsOfBlock of(List<DeclaredColumn> columns, Block block) {
    int[] extents = block.extents();
    List<Values> values = new ArrayList<>();
    for (DeclaredColumn column : columns) {
      values.add(
          new Values(
              at(column, block.decoding(column), block.stored(column)),
              RowPlaces.of(extents, RowPlaces.strides(extents, column.dimensions()))));
    }
    return new RowsOfBlock(values, block.box().cells());
  }

  private static IntFunction<@Nullable Object> at(
      DeclaredColumn column, @Nullable CfDecoding decoding, NdArray stored) {
    if (decoding == null) {
      long[] indices = stored.toLongArray();
      return place -> indices[place];
    }
    DecodedCells cells = DecodedCells.of(decoding, stored);
    if (cells.missing() != null && !column.type().isNullable()) {
      throw new IllegalArgumentException(
          "the column "
              + column.name()
              + " is declared NOT NULL, but the variable lacks a value; declare it without NOT"
              + " NULL");
    }
    return ColumnType.values(cells, column.type());
  }

  /** Leaves out the first rows. */
  RowsOfBlock from(long row) {
    next = row;
    return this;
  }

  boolean hasNext() {
    return next < count;
  }

  RowData next() {
    Object[] fields = new Object[columns.size()];
    for (int i = 0; i < fields.length; i++) {
      Values values = columns.get(i);
      fields[i] = values.at.apply(values.places.place(next));
    }
    next++;
    return GenericRowData.of(fields);
  }
}
