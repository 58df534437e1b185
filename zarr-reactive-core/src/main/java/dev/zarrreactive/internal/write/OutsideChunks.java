package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ConditionalUpdate;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.hierarchy.NodeWriter;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.StoreCapability;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The stored chunks that reach out of an array, found by a listing: also those that an earlier
 * shrink has left.
 *
 * <p>Another program may append meanwhile. An append stores the longer shape before its chunks, and
 * a chunk is looked at here before the shape. So a chunk of an append is either seen with the
 * longer shape, and kept, or it is stored after the look, and the change on condition fails.
 */
final class OutsideChunks {
  private final ArrayStorage array;
  private final Shape before;
  private final ChunkWriter writer;
  private final Mono<ArrayMetadata> now;

  /**
   * Creates the operation.
   *
   * @param array with its new shape, which is stored
   * @param before the shape that it had
   */
  OutsideChunks(ArrayStorage array, Shape before, NodeWriter nodes) {
    this.array = array;
    this.before = before;
    this.writer = new ChunkWriter(array);
    this.now =
        ConditionalUpdate.canGuard(array.store())
            ? nodes
                .readArray(array.path(), array.metadata())
                .filter(read -> read.shape().rank() == before.rank())
            : Mono.just(array.metadata());
  }

  /** Erases the chunks outside; of {@link ShrinkMode#TRIM} also trims those at the end. */
  Mono<Void> clear(ShrinkMode outside) {
    ByteBudget.Share share = writer.share();
    boolean trims = outside == ShrinkMode.TRIM;
    return writer.operation(
        () ->
            Concurrently.map(
                    array
                        .requests()
                        .listPrefix(array.path().prefix())
                        .mapNotNull(array::index)
                        .filter(index -> isConcerned(index, trims)),
                    array.writeConcurrency(),
                    index -> clear(index, share))
                .then());
  }

  private boolean isConcerned(long[] index, boolean trims) {
    return array.grid().isOutside(index) || (trims && isAtTheEnd(index));
  }

  private boolean isAtTheEnd(long[] index) {
    return IntStream.range(0, index.length)
        .anyMatch(
            d ->
                isTrimmed(d)
                    && inside(index, d, array.metadata().shape())
                        < array.grid().dimension(d).length(index[d]));
  }

  /**
   * Returns true for an axis along which the array is now shorter; for every axis if it has the
   * same shape, since a shrink is repeated then. Chunks at the end of other axes need no request.
   */
  private boolean isTrimmed(int axis) {
    Shape shape = array.metadata().shape();
    return shape.extent(axis) < before.extent(axis) || shape.equals(before);
  }

  /** Returns the number of places along an axis of a chunk that are inside of a shape. */
  private long inside(long[] index, int axis, Shape shape) {
    ChunkEdges edges = array.grid().dimension(axis);
    long left = shape.extent(axis) - edges.start(index[axis]);
    return Math.max(0, Math.min(left, edges.length(index[axis])));
  }

  private Mono<Void> clear(long[] index, ByteBudget.Share share) {
    boolean erases = array.grid().isOutside(index);
    return LockedChunk.hold(
        array, index, chunk -> erases ? erase(chunk, index) : trim(chunk, index, share));
  }

  private Mono<Void> erase(LockedChunk chunk, long[] index) {
    if (!ConditionalUpdate.canGuard(array.store())
        || !array.store().capabilities().contains(StoreCapability.CONDITIONAL_ERASE)) {
      return erase(chunk, chunk.unguarded());
    }
    return chunk.attempt(
        target ->
            target
                .look()
                .then(now)
                .filter(read -> ChunkGrid.of(read.chunkGrid(), read.shape()).isOutside(index))
                .flatMap(read -> erase(chunk, target)));
  }

  private static Mono<Void> erase(LockedChunk chunk, ConditionalUpdate target) {
    return chunk.send(Mono.defer(target::erase));
  }

  private Mono<Void> trim(LockedChunk chunk, long[] index, ByteBudget.Share share) {
    ChunkCodec codec = array.codec(index);
    return writer.lease(
        share,
        codec,
        1,
        chunk.attempt(
            target ->
                StoredChunkSize.read(array, codec, target)
                    .flatMap(
                        encoded ->
                            now.publishOn(array.limits().codecScheduler())
                                .mapNotNull(read -> trimmed(encoded, codec, index, read.shape())))
                    .flatMap(elements -> chunk.storeChunk(target, elements, codec))));
  }

  /** Returns the elements with fill value outside of the shape; null if they are that already. */
  private @Nullable ElementMemory trimmed(
      Bytes encoded, ChunkCodec codec, long[] index, Shape shape) {
    ChunkRepresentation chunk = codec.representation();
    long[] inside = chunk.shape().toArray();
    for (int d = 0; d < inside.length; d++) {
      if (isTrimmed(d)) {
        inside[d] = inside(index, d, shape);
      }
    }
    return MemoryGuard.allocating(
        "of a chunk",
        chunk.byteSize(),
        Location.UNKNOWN,
        () -> {
          ElementMemory all = ElementMemory.allocate(chunk.dataType(), chunk.shape());
          codec.decodeInto(encoded, all, 0);
          NdArray old = all.toNdArray(chunk.shape());
          long[] first = new long[inside.length];
          ElementMemory kept = ElementMemory.filled(chunk.shape(), chunk.fillValue());
          SelectedElements.copy(
              old.slice(Selection.box(first, inside)), first, kept, chunk.shape());
          return kept.toNdArray(chunk.shape()).equals(old) ? null : kept;
        });
  }
}
