package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ConditionalUpdate;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.hierarchy.NodeWriter;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
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
    return writer.completed(
        Concurrently.map(
                array
                    .requests()
                    .listPrefix(array.path().prefix())
                    .filter(key -> isConcerned(array.index(key), trims)),
                array.writeConcurrency(),
                key -> cleared(key, share))
            .then());
  }

  private boolean isConcerned(long @Nullable [] index, boolean trims) {
    return index != null && (array.grid().isOutside(index) || (trims && isAtTheEnd(index)));
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

  private Mono<Void> cleared(StoreKey key, ByteBudget.Share share) {
    long[] index = array.index(key);
    if (index == null) {
      return Mono.empty();
    }
    boolean erases = array.grid().isOutside(index);
    return KeyLocks.exclusively(
            array.store(),
            key,
            turn -> erases ? erased(key, index, turn) : trimmed(key, index, share, turn))
        .onErrorMap(
            ZarrException.class,
            e -> e.at(Location.ofNode(array.path().value()).chunk(index).key(key.value())));
  }

  private Mono<Void> erased(StoreKey key, long[] index, KeyLocks.Holder turn) {
    if (!ConditionalUpdate.canGuard(array.store())
        || !array.store().capabilities().contains(StoreCapability.CONDITIONAL_ERASE)) {
      return erased(ConditionalUpdate.unguarded(array.requests(), key), key, turn);
    }
    return ConditionalUpdate.attempt(
        array.requests(),
        key,
        target ->
            target
                .look()
                .then(now)
                .filter(read -> ChunkGrid.of(read.chunkGrid(), read.shape()).isOutside(index))
                .flatMap(read -> erased(target, key, turn)));
  }

  private Mono<Void> erased(ConditionalUpdate target, StoreKey key, KeyLocks.Holder turn) {
    return turn.store(array.context().changing(key, Mono.defer(target::erase)));
  }

  private Mono<Void> trimmed(
      StoreKey key, long[] index, ByteBudget.Share share, KeyLocks.Holder turn) {
    ChunkCodec codec = array.codec(index);
    return writer.leased(
        share,
        codec,
        1,
        ConditionalUpdate.attempt(
            array.requests(),
            key,
            target ->
                StoredChunkSize.read(array, codec, target)
                    .flatMap(
                        encoded ->
                            now.publishOn(array.limits().codecScheduler())
                                .mapNotNull(read -> trimmed(encoded, codec, index, read.shape())))
                    .flatMap(elements -> writer.stored(target, elements, key, codec, turn))));
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
          ElementMemory kept = ElementMemory.filled(chunk.shape(), chunk.fillValue());
          copy(all, kept, chunk, inside);
          NdArray old = all.toNdArray(chunk.shape());
          return kept.toNdArray(chunk.shape()).equals(old) ? null : kept;
        });
  }

  /** Copies the elements of the box that begins at the first element. */
  private static void copy(
      ElementMemory from, ElementMemory to, ChunkRepresentation chunk, long[] box) {
    Selection kept = Selection.box(new long[box.length], box);
    ChunkGrid whole = ChunkGrid.regular(chunk.shape(), chunk.shape());
    ElementMemory packed = ElementMemory.allocate(chunk.dataType(), Shape.of(box));
    for (ChunkProjection part : ChunkPlan.of(kept.resolve(chunk.shape()), whole)) {
      part.region().copyToResult(from, packed);
      part.region().copyToChunk(packed, to);
    }
  }
}
