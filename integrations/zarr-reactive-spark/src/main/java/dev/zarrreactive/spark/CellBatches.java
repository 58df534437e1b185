package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.rows.RowPlaces;
import dev.zarrreactive.spark.VariableSource.Opened;
import dev.zarrreactive.spark.partition.IndexBox;
import dev.zarrreactive.spark.partition.IndexRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads a split: block after block, of all columns at the same time, the next blocks while Spark
 * works on one. Variables that lack a dimension of the rows, such as coordinates, are read once for
 * the split; each block takes its part.
 */
final class CellBatches {
  private final CellReaderFactory read;
  private final IndexBox split;
  private final List<IndexBox> parts;

  CellBatches(CellReaderFactory read, CellScan.CellPartition partition) {
    this.read = read;
    this.split = partition.box();
    this.parts = partition.parts();
  }

  /** Reads the split. */
  Flux<ColumnarBatch> stream(ZarrHierarchy hierarchy) {
    Mono<Map<String, Opened>> variables =
        Flux.fromIterable(read.columns())
            .filter(column -> column.source() != null)
            .concatMap(
                column -> {
                  VariableSource source = column.source();
                  return source == null
                      ? Mono.<Map.Entry<String, Opened>>empty()
                      : source.open(hierarchy).map(opened -> Map.entry(column.name(), opened));
                })
            .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    return Mono.zip(variables, read.grid().edges(hierarchy))
        .flatMapMany(
            known ->
                shared(known.getT1())
                    .flatMapMany(shared -> blocks(known.getT1(), known.getT2(), shared)));
  }

  private boolean isShared(CellColumn column) {
    return column.dimensions().length < read.rank();
  }

  /** Reads what the blocks of the split share. */
  private Mono<Map<String, NdArray>> shared(Map<String, Opened> variables) {
    return Concurrently.map(
            Flux.fromIterable(read.columns())
                .filter(column -> column.source() != null && isShared(column)),
            8,
            column -> stored(column, variables, split).map(data -> Map.entry(column.name(), data)))
        .collectMap(Map.Entry::getKey, Map.Entry::getValue);
  }

  private Flux<ColumnarBatch> blocks(
      Map<String, Opened> variables, GridSource.Edges edges, Map<String, NdArray> shared) {
    AtomicLong left = new AtomicLong(read.limit());
    Flux<IndexBox> blocks =
        Flux.fromIterable(parts)
            .concatMapIterable(part -> edges.blocks(part, read.bytesPerCell()))
            .takeWhile(block -> left.getAndAdd(-block.cells()) > 0);
    return Concurrently.mapInOrder(
        blocks, read.options().concurrency(), block -> batch(block, variables, shared));
  }

  private Mono<ColumnarBatch> batch(
      IndexBox block, Map<String, Opened> variables, Map<String, NdArray> shared) {
    return Concurrently.map(
            Flux.fromIterable(read.columns())
                .filter(column -> column.source() != null && !isShared(column)),
            16,
            column -> stored(column, variables, block).map(data -> Map.entry(column.name(), data)))
        .collectMap(Map.Entry::getKey, Map.Entry::getValue)
        .map(whole -> batch(block, variables, shared, whole));
  }

  private ColumnarBatch batch(
      IndexBox block,
      Map<String, Opened> variables,
      Map<String, NdArray> shared,
      Map<String, NdArray> whole) {
    int[] extents =
        block.dimensions().stream().mapToInt(indices -> Math.toIntExact(indices.count())).toArray();
    Map<String, CellVector> made = new LinkedHashMap<>();
    BlockSums reduction = read.reduction();
    if (reduction != null) {
      return reduction.of(
          extents,
          column ->
              made.computeIfAbsent(
                  column.name(), name -> values(column, block, variables, shared, whole)),
          column -> RowPlaces.strides(extents, column.dimensions()));
    }
    List<ColumnVector> vectors = new ArrayList<>();
    for (CellColumn column : read.columns()) {
      CellVector values = made.get(column.name());
      if (values == null) {
        values = values(column, block, variables, shared, whole);
        int[] strides = RowPlaces.strides(extents, column.dimensions());
        values = isInOrder(column) ? values : values.at(RowPlaces.of(extents, strides));
        made.put(column.name(), values);
      }
      vectors.add(values);
    }
    return new ColumnarBatch(vectors.toArray(ColumnVector[]::new), Math.toIntExact(block.cells()));
  }

  private CellVector values(
      CellColumn column,
      IndexBox block,
      Map<String, Opened> variables,
      Map<String, NdArray> shared,
      Map<String, NdArray> whole) {
    Opened opened = variables.get(column.name());
    if (opened == null) {
      long[] indices = block.dimensions().get(column.dimensions()[0]).toArray();
      return new CellVector.Longs(column.type(), indices, null, null);
    }
    NdArray stored = whole.get(column.name());
    if (stored == null) {
      stored = part(column, block, shared.get(column.name()));
    }
    return CellValues.of(opened.decoding(), stored);
  }

  /** Returns a block's part of what was read for the split. */
  private NdArray part(CellColumn column, IndexBox block, @Nullable NdArray shared) {
    if (shared == null) {
      throw new IllegalStateException("the variable " + column.name() + " was not read");
    }
    if (shared.shape().rank() == 0) {
      return shared;
    }
    DimensionSelection[] selection = new DimensionSelection[shared.shape().rank()];
    Arrays.fill(selection, DimensionSelection.full());
    for (int axis = 0; axis < column.dimensions().length; axis++) {
      int dimension = column.dimensions()[axis];
      IndexRanges whole = split.dimensions().get(dimension);
      selection[axis] = block.dimensions().get(dimension).within(whole).selection();
    }
    return shared.slice(Selection.of(selection)).toContiguous();
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

  private static Mono<NdArray> stored(
      CellColumn column, Map<String, Opened> variables, IndexBox box) {
    Opened opened = variables.get(column.name());
    if (opened == null) {
      return Mono.error(new IllegalStateException("not opened: " + column.name()));
    }
    DimensionSelection[] selection = new DimensionSelection[opened.array().shape().rank()];
    Arrays.fill(selection, DimensionSelection.full());
    for (int axis = 0; axis < column.dimensions().length; axis++) {
      selection[axis] = box.dimensions().get(column.dimensions()[axis]).selection();
    }
    return opened.array().read(Selection.of(selection));
  }
}
