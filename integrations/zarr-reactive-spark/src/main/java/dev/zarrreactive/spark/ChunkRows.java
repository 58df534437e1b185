package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.IndexRanges;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads chunks as rows, several at a time. */
final class ChunkRows {
  private final List<String> columns;
  private final int concurrency;
  private final ChunkTable.ChunkPartition partition;

  ChunkRows(List<String> columns, int concurrency, ChunkTable.ChunkPartition partition) {
    this.columns = columns;
    this.concurrency = concurrency;
    this.partition = partition;
  }

  /** Returns the grid whose elements are the chunks of an array, each a chunk by itself. */
  static ChunkGrid grid(ZarrArray array) {
    Shape chunks = array.chunkGrid().gridShape();
    long[] ones = new long[chunks.rank()];
    Arrays.fill(ones, 1);
    return ChunkGrid.regular(chunks, Shape.of(ones));
  }

  /** Reads the chunks of the partition. */
  Flux<InternalRow> stream(ZarrHierarchy hierarchy) {
    return partition
        .source()
        .open(hierarchy)
        .flatMapMany(
            opened ->
                Concurrently.mapInOrder(
                    Flux.fromIterable(() -> indices(partition.chunks())),
                    concurrency,
                    index -> row(opened.array(), index)));
  }

  /** Returns the indices of a box in C order, one at a time. */
  private static Iterator<long[]> indices(IndexBox box) {
    List<IndexRanges> dimensions = box.dimensions();
    return LongStream.range(0, box.cells())
        .mapToObj(
            position -> {
              long[] index = new long[dimensions.size()];
              long left = position;
              for (int d = index.length - 1; d >= 0; d--) {
                long count = dimensions.get(d).count();
                index[d] = dimensions.get(d).index(left % count);
                left /= count;
              }
              return index;
            })
        .iterator();
  }

  private Mono<InternalRow> row(ZarrArray array, long[] index) {
    long[] origin = array.chunkGrid().chunkStart(index);
    long[] shape = array.chunkGrid().chunkShape(index).toArray();
    for (int d = 0; d < origin.length; d++) {
      shape[d] = Math.max(0, Math.min(array.shape().extent(d) - origin[d], shape[d]));
    }
    Mono<Boolean> stored = columns.contains("stored") ? array.chunkExists(index) : Mono.just(false);
    Mono<Object> data =
        columns.contains("data") ? data(array, index, shape) : Mono.just(new byte[0]);
    return Mono.zip(stored, data)
        .map(
            known ->
                new GenericInternalRow(
                    columns.stream()
                        .map(
                            column ->
                                switch (column) {
                                  case "array" -> UTF8String.fromString(array.path().value());
                                  case "chunk_index" -> new GenericArrayData(index);
                                  case "origin" -> new GenericArrayData(origin);
                                  case "shape" -> new GenericArrayData(shape);
                                  case "data_type" ->
                                      UTF8String.fromString(array.dataType().name());
                                  case "stored" -> known.getT1();
                                  default -> known.getT2();
                                })
                        .toArray()));
  }

  private static Mono<Object> data(ZarrArray array, long[] index, long[] shape) {
    if (array.dataType() instanceof VariableLengthType) {
      return Mono.error(
          new UnsupportedFeatureException(
              "values of variable length, of "
                  + array.dataType()
                  + ", have no bytes in C order; read them as cells",
              Location.ofNode(array.path().value())));
    }
    return array
        .readChunk(index)
        .map(chunk -> chunk.slice(Selection.box(new long[shape.length], shape)))
        .map(values -> values.bytes().toByteArray());
  }
}
