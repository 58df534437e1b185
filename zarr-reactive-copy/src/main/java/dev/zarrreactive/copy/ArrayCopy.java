package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.copy.ChunkBlocks.Block;
import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.hierarchy.StoredChunks;
import dev.zarrreactive.internal.metadata.ShardingMetadata;
import dev.zarrreactive.internal.planning.ArrayPart;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.store.Store;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Copies the chunks of one array. If grid and codecs stay, stored bytes are copied undecoded, and a
 * missing chunk stays missing unless the copy would then have other values. Otherwise every chunk
 * of the copy is written once, whole.
 */
final class ArrayCopy {
  private final ZarrArray source;
  private final ZarrArray copy;
  private final ArrayPart part;
  private final Store requests;
  private final StoredChunks stored;
  private final boolean fills;

  /**
   * Creates the copy of a part of an array.
   *
   * @param requests the store of the source, within the limits of its hierarchy
   */
  ArrayCopy(ZarrArray source, ArrayPart part, ZarrArray copy, Store requests) {
    this.source = source;
    this.part = part;
    this.copy = copy;
    this.requests = requests;
    this.stored =
        new StoredChunks(source.path(), source.metadata(), source.chunkGrid(), part, requests);
    this.fills = ArrayConversion.fillsMissingChunks(source.metadata(), copy.metadata());
  }

  /** Emits the number and the size of the stored chunks; empty if they cannot be listed. */
  Mono<CopyOutline.Stored> countStored() {
    return stored.areListed()
        ? stored
            .list()
            .reduce(new CopyOutline.Stored(0, 0), (sum, chunk) -> sum.plus(chunk.size()))
            .onErrorResume(StoreException.class, e -> Mono.empty())
        : Mono.empty();
  }

  /** Returns the number of chunks of the copy, at most {@link Long#MAX_VALUE}. */
  long chunkCount() {
    return SaturatingSize.count(copy.chunkGrid().gridShape());
  }

  /** Returns the size of the elements in bytes, at most {@link Long#MAX_VALUE}. */
  long byteSize() {
    return SaturatingSize.bytes(copy.shape(), copy.dataType());
  }

  /**
   * Copies the chunks.
   *
   * @param limits the bytes in flight and the concurrency of the copy
   * @param trusted whether chunks that are stored in the copy already are right, and are skipped
   */
  Flux<Step> chunks(ZarrOptions limits, boolean trusted) {
    return part.isWhole()
            && ArrayConversion.keepsChunks(
                source.metadata(), copy.metadata(), copy.options().codecs())
        ? copyEncoded(limits, trusted)
        : copyDecoded(storing(limits), trusted);
  }

  /** Returns options that store chunks of zeros too, if a missing chunk has no defined value. */
  private ZarrOptions storing(ZarrOptions limits) {
    return XarrayConvention.hasFillValue(copy.metadata())
        ? limits
        : limits.withWriteEmptyChunks(true);
  }

  /** Copies stored bytes. An encoded chunk counts as large as the decoded one. */
  private Flux<Step> copyEncoded(ZarrOptions limits, boolean trusted) {
    long size = SaturatingSize.bytes(copy.chunkGrid().largestChunkShape(), copy.dataType());
    ZarrArray to = copy.withOptions(limits.withWriteEmptyChunks(true));
    ChunkBlocks chunks = ChunkBlocks.single(copy.chunkGrid(), copy.shape());
    int concurrency = ReadPlan.ofSize(size, limits);
    LargeChunks inRanges = new LargeChunks(source, part, copy, requests, limits);
    boolean areLarge = LargeChunks.are(copy, limits);
    Function<Block, Flux<Step>> work =
        chunk -> unlessStored(chunk, trusted, copyEncoded(chunk, to, inRanges, areLarge).flux());
    return copyListed(
        found -> Concurrently.map(found.map(known -> chunks.at(known.index())), concurrency, work),
        () -> Concurrently.map(Flux.fromIterable(chunks), concurrency, work));
  }

  /**
   * Copies the chunks that a listing names, and counts all others as done. Walks the grid if the
   * chunks cannot be listed, or if missing chunks must be stored.
   */
  private Flux<Step> copyListed(
      Function<Flux<StoredChunks.Stored>, Flux<Step>> ofListed, Supplier<Flux<Step>> ofAll) {
    if (fills || !stored.areListed() || !stored.areManyPossible()) {
      return ofAll.get();
    }
    return Flux.defer(
        () -> {
          AtomicLong done = new AtomicLong();
          Mono<Step> others =
              Mono.fromSupplier(() -> chunkCount() - done.get())
                  .filter(count -> count > 0)
                  .map(count -> Step.ofChunks(copy.path(), count, bytesOf(count), 0, 0));
          return stored
              .list()
              .switchOnFirst(
                  (first, all) ->
                      first.getThrowable() instanceof StoreException
                          ? ofAll.get() // a store that can be read refuses to be listed
                          : Flux.concat(
                              List.of(
                                  ofListed
                                      .apply(all)
                                      .doOnNext(step -> done.addAndGet(step.chunks())),
                                  others)));
        });
  }

  private Mono<Step> copyEncoded(
      Block chunk, ZarrArray to, LargeChunks inRanges, boolean areLarge) {
    Mono<Boolean> transfer =
        areLarge
            ? inRanges.copyEncoded(chunk)
            : source
                .readEncodedChunk(chunk.first())
                .flatMap(bytes -> copy.writeEncodedChunk(chunk.first(), bytes).thenReturn(true))
                .onErrorResume(this::isOfPaddedShard, e -> inRanges.copyEncoded(chunk));
    return transfer
        .map(there -> 0L)
        .switchIfEmpty(Mono.defer(() -> fill(chunk, to)))
        .map(filled -> Step.ofChunks(copy.path(), 1, bytesOf(1), 0, filled));
  }

  /** Returns true for the error of a shard with more unused bytes than may be read at once. */
  private boolean isOfPaddedShard(Throwable error) {
    return error.getCause() instanceof ValueTooLargeException
        && ShardingMetadata.find(source.metadata().codecs()) != null;
  }

  /** Stores a chunk that the source lacks and the copy needs; emits how many were stored. */
  private Mono<Long> fill(Block chunk, ZarrArray to) {
    if (!fills) {
      return Mono.just(0L);
    }
    NdArray values = NdArray.filled(chunk.shape(), source.fillValue());
    return to.write(chunk.selection(), retyped(values, to)).thenReturn(1L);
  }

  private Flux<Step> copyDecoded(ZarrOptions limits, boolean trusted) {
    return Flux.defer(
        () -> {
          Shape inner = LargeChunks.innerShape(copy);
          if (inner != null && LargeChunks.are(copy, limits)) {
            return copyInParts(inner, limits, trusted);
          }
          ReadPlan plan = ReadPlan.of(source, copy, limits);
          ZarrArray from = source.withOptions(plan.optionsOfBlock());
          ZarrArray to = copy.withOptions(plan.optionsOfBlock());
          Function<Block, Flux<Step>> work =
              block -> trusted ? copyMissing(block, from, to) : copyDecoded(block, from, to).flux();
          Supplier<Flux<Step>> ofAll =
              () -> Concurrently.map(Flux.fromIterable(plan.blocks()), plan.concurrency(), work);
          return plan.blocks().count() == Long.MAX_VALUE
              ? ofAll.get()
              : copyListed(
                  found -> workOnStored(found, plan.blocks(), plan.concurrency(), work), ofAll);
        });
  }

  /** Works on the blocks of which a chunk is stored. */
  private static Flux<Step> workOnStored(
      Flux<StoredChunks.Stored> found,
      ChunkBlocks blocks,
      int concurrency,
      Function<Block, Flux<Step>> work) {
    return blocks
        .numbers(found)
        .flatMapMany(
            numbers ->
                Concurrently.map(
                    Flux.fromStream(() -> Arrays.stream(numbers).mapToObj(blocks::numbered)),
                    concurrency,
                    work));
  }

  /** Copies shards one after the other, each in parts that are read while others are stored. */
  private Flux<Step> copyInParts(Shape inner, ZarrOptions limits, boolean trusted) {
    LargeChunks large = new LargeChunks(source, part, copy, requests, limits);
    ChunkBlocks shards = ChunkBlocks.single(copy.chunkGrid(), copy.shape());
    Function<Block, Flux<Step>> work =
        shard ->
            unlessStored(
                shard, trusted, large.copyInParts(shard, inner, bytesOf(1), ArrayCopy::retyped));
    Supplier<Flux<Step>> ofAll = () -> Concurrently.map(Flux.fromIterable(shards), 1, work);
    return shards.count() == Long.MAX_VALUE
        ? ofAll.get()
        : copyListed(found -> workOnStored(found, shards, 1, work), ofAll);
  }

  private Mono<Step> copyDecoded(Block block, ZarrArray from, ZarrArray to) {
    long count = block.chunkCount();
    return from.read(block.selectionIn(part))
        .flatMap(data -> to.write(block.selection(), retyped(data, to)))
        .thenReturn(Step.ofChunks(copy.path(), count, bytesOf(count), 0, 0));
  }

  /** Returns the same bytes as elements of the copy's data type. */
  private static NdArray retyped(NdArray data, ZarrArray to) {
    return data.dataType().equals(to.dataType())
        ? data
        : NdArray.wrap(to.dataType(), data.shape(), data.bytes());
  }

  /** Copies the missing chunks of a block. A block of which no chunk is stored is read as one. */
  private Flux<Step> copyMissing(Block block, ZarrArray from, ZarrArray to) {
    return Flux.fromIterable(block.chunks())
        .concatMap(
            chunk -> copy.chunkExists(chunk.first()).map(stored -> new Found(chunk, stored)), 0)
        .collectList()
        .flatMapMany(
            chunks ->
                chunks.stream().noneMatch(Found::stored)
                    ? copyDecoded(block, from, to).flux()
                    : Flux.fromIterable(chunks)
                        .concatMap(
                            found ->
                                found.stored()
                                    ? skip(found.chunk())
                                    : copyDecoded(found.chunk(), from, to),
                            0));
  }

  private record Found(Block chunk, boolean stored) {}

  /** Skips a chunk that is stored in the copy, if it is trusted; otherwise copies it. */
  private Flux<Step> unlessStored(Block chunk, boolean trusted, Flux<Step> work) {
    return trusted
        ? copy.chunkExists(chunk.first()).flatMapMany(there -> there ? skip(chunk) : work)
        : work;
  }

  private Mono<Step> skip(Block chunk) {
    long count = chunk.chunkCount();
    return Mono.just(Step.ofChunks(copy.path(), count, bytesOf(count), count, 0));
  }

  /** Returns the decoded size of chunks of this array; a chunk at its end counts as a whole one. */
  long bytesOf(long chunks) {
    long chunk = SaturatingSize.bytes(copy.chunkGrid().largestChunkShape(), copy.dataType());
    return SaturatingSize.product(Math.max(1, chunk), chunks);
  }
}
