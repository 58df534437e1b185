package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.internal.rows.RowPlaces;
import dev.zarrreactive.partition.SplitBlocks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import reactor.core.publisher.Flux;

/** Makes batches of the blocks of a split: of the cells, or of what is computed of them. */
final class CellBatches {
  private final CellReaderFactory read;
  private final CellScan.CellPartition partition;

  CellBatches(CellReaderFactory read, CellScan.CellPartition partition) {
    this.read = read;
    this.partition = partition;
  }

  /** Reads the split. */
  Flux<ColumnarBatch> stream(ZarrHierarchy hierarchy) {
    AtomicLong left = new AtomicLong(read.limit());
    return new SplitBlocks<>(
            read.columns(),
            read.grid(),
            read.rank(),
            read.bytesPerCell(),
            read.options().concurrency())
        .read(
            hierarchy,
            partition.box(),
            partition.parts(),
            blocks -> blocks.takeWhile(block -> left.getAndAdd(-block.cells()) > 0),
            this::batch);
  }

  private ColumnarBatch batch(SplitBlocks.Block block) {
    int[] extents = block.extents();
    Map<String, CellVector> made = new LinkedHashMap<>();
    BlockSums reduction = read.reduction();
    if (reduction != null) {
      return reduction.of(
          extents,
          column -> made.computeIfAbsent(column.name(), name -> values(column, block)),
          column -> RowPlaces.strides(extents, column.dimensions()));
    }
    List<ColumnVector> vectors = new ArrayList<>();
    for (CellColumn column : read.columns()) {
      CellVector values = made.get(column.name());
      if (values == null) {
        values = values(column, block);
        int[] strides = RowPlaces.strides(extents, column.dimensions());
        values = isInOrder(column) ? values : values.at(RowPlaces.of(extents, strides));
        made.put(column.name(), values);
      }
      vectors.add(values);
    }
    return new ColumnarBatch(
        vectors.toArray(ColumnVector[]::new), Math.toIntExact(block.box().cells()));
  }

  private static CellVector values(CellColumn column, SplitBlocks.Block block) {
    NdArray stored = block.stored(column);
    CfDecoding decoding = block.decoding(column);
    return decoding == null
        ? new CellVector.Longs(column.type(), stored.toLongArray(), null, null)
        : CellValues.of(decoding, stored);
  }

  /** Returns true if the values have all dimensions of the rows, in their order. */
  private boolean isInOrder(CellColumn column) {
    int[] dimensions = column.dimensions();
    for (int axis = 0; axis < dimensions.length; axis++) {
      if (dimensions[axis] != axis) {
        return false;
      }
    }
    return dimensions.length == read.rank();
  }
}
