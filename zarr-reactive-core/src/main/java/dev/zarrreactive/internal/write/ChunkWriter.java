package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.Precondition;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The write line. It plans the chunks of a selection; for each chunk it locks the key, leases the
 * bytes, gathers the elements, encodes them on the codec threads and stores them ({@link
 * LockedChunk}). What arrives in a stream is gathered first ({@link StreamWriter}).
 */
public final class ChunkWriter {
  /** The part of the budget that may be gathered, with the chunks that are written of it. */
  static final int GATHERED = 4;

  private final ArrayStorage array;

  /** Creates a writer of the chunks of {@code array}. */
  public ChunkWriter(ArrayStorage array) {
    this.array = array;
  }

  /**
   * Writes {@code data}, broadcast to the shape of the selection.
   *
   * @throws IllegalArgumentException if the data do not fit; see {@link #fit}
   */
  public Mono<Void> write(ResolvedSelection selection, NdArray data) {
    NdArray fitted = fit(selection, data);
    return operation(
        () -> {
          array.checks().writable();
          return writeEach(selection, fitted, LockedChunk::write);
        });
  }

  /**
   * Writes a block to the place by which the array has grown for it. Another append may have a
   * place in the same chunk, beyond the end of this shape: chunks are unguarded only if the block
   * covers all of them.
   */
  Mono<Void> append(ResolvedSelection place, NdArray block) {
    return operation(() -> writeEach(place, block, LockedChunk::append));
  }

  /** Writes chunks of any chunk grid, which are gathered to those of the array. */
  public Mono<Void> write(Publisher<Chunk> chunks) {
    return operation(() -> new StreamWriter(array, this).writeChunks(chunks));
  }

  /**
   * Writes blocks that follow one another along the first dimension of the selection.
   *
   * @throws IllegalArgumentException if the selection has no dimension
   */
  public Mono<Void> write(ResolvedSelection selection, Publisher<NdArray> blocks) {
    BlockRows.checkHasRows(selection);
    return operation(() -> new StreamWriter(array, this).writeBlocks(selection, blocks));
  }

  /**
   * Writes one shard from parts of whole inner chunks.
   *
   * @throws dev.zarrreactive.error.UnsupportedFeatureException for a chunk that is no such shard
   */
  public Mono<Void> writeShard(Publisher<Chunk> parts, long... index) {
    array.grid().checkIndex(index);
    long[] shard = index.clone();
    ShardUpload.layout(array, shard);
    return operation(() -> new StreamWriter(array, this).writeShard(shard, parts))
        .onErrorMap(ZarrException.class, e -> e.at(array.location(shard)));
  }

  /** Stores the encoded bytes of one chunk unchecked. */
  public Mono<Void> writeEncodedChunk(Bytes encoded, long... index) {
    return storeEncoded(key -> array.requests().set(key, encoded), index);
  }

  /** Stores the encoded bytes of one chunk, which arrive in pieces. */
  public Mono<Void> writeEncodedChunk(Publisher<Bytes> pieces, long... index) {
    return storeEncoded(key -> array.requests().set(key, pieces, Precondition.NONE), index);
  }

  private Mono<Void> storeEncoded(Function<StoreKey, Mono<Void>> set, long... index) {
    array.grid().checkIndex(index);
    return operation(
        () ->
            LockedChunk.hold(
                array,
                index,
                chunk -> {
                  array.checks().storeWritable();
                  return chunk.send(set.apply(chunk.key()));
                }));
  }

  /** Completes on a codec thread, so that the subscriber does not occupy a thread of the store. */
  Mono<Void> operation(Supplier<Mono<Void>> write) {
    return Mono.defer(write)
        .publishOn(array.limits().codecScheduler())
        .contextWrite(HierarchyContext::inOperation);
  }

  private Mono<Void> writeEach(
      ResolvedSelection selection,
      NdArray data,
      BiFunction<LockedChunk, NewElements, Mono<Void>> write) {
    ByteBudget.Share share = share();
    return Concurrently.map(
            SelectedElements.ofEach(selection, data, array.grid()),
            array.writeConcurrency(),
            elements -> writeChunk(elements, share, write))
        .then();
  }

  /** Writes the new elements of one chunk. */
  Mono<Void> writeChunk(NewElements elements, ByteBudget.Share share) {
    return writeChunk(elements, share, LockedChunk::write);
  }

  private Mono<Void> writeChunk(
      NewElements elements,
      ByteBudget.Share share,
      BiFunction<LockedChunk, NewElements, Mono<Void>> write) {
    return LockedChunk.hold(
        array,
        elements.chunkIndex(),
        chunk ->
            lease(
                share,
                array.codec(elements.chunkIndex()),
                elements.copies(),
                write.apply(chunk, elements)));
  }

  /** Returns a share of the budget, for one operation. */
  ByteBudget.Share share() {
    return array.context().budget().share();
  }

  /**
   * Leases the bytes of a chunk, decoded and encoded, for a write. Its key is locked before, so
   * that a writer that holds a lease waits for the store alone.
   *
   * @param copies the number of decoded copies of the chunk in memory
   */
  Mono<Void> lease(ByteBudget.Share share, ChunkCodec codec, int copies, Mono<Void> write) {
    return Mono.defer(
        () -> {
          ByteBudget.Lease lease = share.lease(leaseOf(codec.representation().byteSize(), copies));
          return lease
              .grant()
              .publishOn(array.limits().codecScheduler())
              .then(write)
              .doOnTerminate(lease::end)
              .doOnCancel(lease::end);
        });
  }

  /** Returns the bytes that may be gathered beside a chunk of {@code decoded} bytes in writing. */
  long bytesToGather(long decoded) {
    long room = array.context().budget().total() - leaseOf(decoded, 2);
    return Math.max(0, Math.min(array.limits().inFlightBytes() / GATHERED, room));
  }

  /**
   * Leases bytes for what is gathered, until the operation ends. Beside all that streams gather, a
   * chunk of {@code decoded} bytes can be written.
   */
  static Mono<Void> leaseToGather(ByteBudget.Share share, long bytes, long decoded) {
    return share.lastingLease(bytes, leaseOf(decoded, 2)).grant();
  }

  /** Returns the bytes of a chunk in writing, {@code copies} times decoded and once encoded. */
  private static long leaseOf(long decoded, int copies) {
    return ByteBudget.sum(ByteBudget.product(copies, decoded), ByteBudget.expected(decoded));
  }

  /**
   * Returns {@code data} in the shape of the selection, broadcast if it has another.
   *
   * @throws IllegalArgumentException if the selection was resolved for another array's shape, or
   *     the data have another data type or cannot be broadcast
   */
  NdArray fit(ResolvedSelection selection, NdArray data) {
    if (!selection.isWithin(array.metadata().shape())) {
      throw new InvalidInputException(
          "the selection "
              + selection
              + " is not of the array "
              + array.path()
              + " of shape "
              + array.metadata().shape());
    }
    Shape shape = selection.shape();
    if (!data.dataType().equals(array.metadata().dataType()) || !data.canBroadcastTo(shape)) {
      throw new InvalidInputException(
          "data of %s and shape %s for a selection of %s and shape %s"
              .formatted(data.dataType(), data.shape(), array.metadata().dataType(), shape));
    }
    return data.broadcastTo(shape);
  }
}
