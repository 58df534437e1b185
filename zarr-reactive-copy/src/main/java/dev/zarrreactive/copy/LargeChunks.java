package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.copy.ChunkBlocks.Block;
import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.metadata.ShardingMetadata;
import dev.zarrreactive.internal.planning.ArrayPart;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Chunks that are too large to be copied as a whole: stored bytes go range by range, and a shard in
 * parts of whole inner chunks. The copy stores them piece by piece.
 */
final class LargeChunks {
  /** The parts that are read and written at the same time, and the share of the bytes of each. */
  private static final int PARTS = 2;

  private static final int PART = 16;

  /** A range behind every value. */
  private static final ByteRange BEHIND = new ByteRange.Slice(1L << 48, 1);

  private static final long LARGEST_RANGE = 8 << 20;
  private static final int RANGES = 4;

  /** The times that a value which is replaced meanwhile is copied anew. */
  private static final int LOOKS = 5;

  private final ZarrArray source;
  private final ArrayPart part;
  private final ZarrArray copy;
  private final Store requests;
  private final ZarrOptions limits;

  /**
   * The large chunks of a copy.
   *
   * @param requests the store of the source, within the limits of its hierarchy
   * @param limits of one chunk
   */
  LargeChunks(
      ZarrArray source, ArrayPart part, ZarrArray copy, Store requests, ZarrOptions limits) {
    this.source = source;
    this.part = part;
    this.copy = copy;
    this.requests = requests;
    this.limits = limits;
  }

  /** Returns whether a chunk of the copy is too large to be held whole. */
  static boolean are(ZarrArray copy, ZarrOptions limits) {
    Shape chunk = copy.chunkGrid().largestChunkShape();
    return SaturatingSize.bytes(chunk, copy.dataType())
        > limits.maxInFlightBytes() / ReadPlan.BLOCKS;
  }

  /** Returns the shape of inner chunks in which shards can be stored; null for other chunks. */
  static @Nullable Shape innerShape(ZarrArray copy) {
    ShardingMetadata sharding = ShardingMetadata.find(copy.metadata().codecs());
    return sharding == null || sharding.indexIsFirst() ? null : sharding.innerShape();
  }

  /** Copies a stored chunk undecoded, and emits that it was there; empty for a missing one. */
  Mono<Boolean> copyEncoded(Block chunk) {
    StoreKey key =
        source
            .metadata()
            .chunkKey(
                source.path(),
                ChunkKeyEncoding.of(source.metadata().chunkKeyEncoding()).encode(chunk.first()));
    return copyEncoded(chunk, key, LOOKS);
  }

  private Mono<Boolean> copyEncoded(Block chunk, StoreKey key, int looks) {
    return requests
        .getVersioned(key, new ByteRange.Slice(0, range()), ReadCondition.ALWAYS)
        .flatMap(first -> copyRanges(chunk, key, first))
        .onErrorResume(RangeOutOfBoundsException.class, shorter -> copyWhole(chunk))
        .onErrorResume(
            PreconditionFailedException.class,
            e ->
                looks > 1
                    ? copyEncoded(chunk, key, looks - 1)
                    : Mono.error(
                        new PreconditionFailedException(
                            "the chunk was replaced "
                                + LOOKS
                                + " times while it was copied; copy again when its writers pause",
                            Location.ofKey(key.value()),
                            e)));
  }

  private Mono<Boolean> copyWhole(Block chunk) {
    return source
        .readEncodedChunk(chunk.first())
        .flatMap(bytes -> copy.writeEncodedChunk(chunk.first(), bytes).thenReturn(true));
  }

  private long range() {
    return Math.max(1, Math.min(LARGEST_RANGE, limits.maxInFlightBytes() / (2 * RANGES)));
  }

  /** Copies a value range by range, all of one version where the store has versions. */
  private Mono<Boolean> copyRanges(Block chunk, StoreKey key, VersionedBytes first) {
    ReadCondition same =
        first.version() == null ? ReadCondition.ALWAYS : ReadCondition.ifMatch(first.version());
    return size(key, same)
        .flatMap(
            size ->
                size == RangeOutOfBoundsException.UNKNOWN_SIZE
                    ? copyWhole(chunk)
                    : copy.writeEncodedChunk(chunk.first(), ranges(key, first, size, same))
                        .thenReturn(true));
  }

  private Flux<Bytes> ranges(StoreKey key, VersionedBytes first, long size, ReadCondition same) {
    return Flux.concat(
            List.of(
                Mono.just(first),
                Concurrently.mapInOrder(
                    Flux.range(1, Math.toIntExact((size - 1) / range())),
                    RANGES,
                    number -> range(key, number * range(), size, same))))
        .map(part -> Objects.requireNonNull(part.bytes()));
  }

  /** Emits the size of a value of which no range lies behind its end. */
  private Mono<Long> size(StoreKey key, ReadCondition same) {
    return requests
        .getVersioned(key, BEHIND, same)
        .map(impossible -> RangeOutOfBoundsException.UNKNOWN_SIZE)
        .onErrorResume(RangeOutOfBoundsException.class, e -> Mono.just(e.size()))
        .switchIfEmpty(Mono.error(() -> removed(key)));
  }

  private Mono<VersionedBytes> range(StoreKey key, long from, long size, ReadCondition condition) {
    return requests
        .getVersioned(key, new ByteRange.Slice(from, Math.min(range(), size - from)), condition)
        .switchIfEmpty(Mono.error(() -> removed(key)));
  }

  private static PreconditionFailedException removed(StoreKey key) {
    return new PreconditionFailedException(
        "the value was removed while it was copied", Location.ofKey(key.value()));
  }

  /**
   * Copies a shard in parts of whole inner chunks. A step for each part has its bytes; the last one
   * counts the shard.
   *
   * @param shardBytes that the shard counts in all
   */
  Flux<Step> copyInParts(
      Block shard, Shape inner, long shardBytes, BiFunction<NdArray, ZarrArray, NdArray> retyped) {
    return Flux.defer(
        () -> {
          Parts parts = new Parts(shard, inner);
          AtomicLong left = new AtomicLong(shardBytes);
          Sinks.Many<Step> read = Sinks.many().unicast().onBackpressureBuffer();
          Flux<Chunk> chunks =
              Concurrently.map(
                      Flux.fromIterable(parts.blocks), PARTS, block -> parts.read(block, retyped))
                  .doOnNext(
                      chunk -> {
                        long bytes = SaturatingSize.bytes(chunk.data().shape(), copy.dataType());
                        left.addAndGet(-bytes);
                        read.tryEmitNext(Step.ofChunks(copy.path(), 0, bytes, 0, 0));
                      })
                  .doOnTerminate(read::tryEmitComplete);
          Mono<Step> write =
              parts
                  .to
                  .writeShard(shard.first(), chunks)
                  .then(
                      Mono.fromSupplier(
                          () -> Step.ofChunks(copy.path(), 1, Math.max(0, left.get()), 0, 0)));
          return Concurrently.map(Flux.just(read.asFlux(), write), 2, steps -> steps);
        });
  }

  /** The parts of one shard: boxes of inner chunks that end where chunks of the source do. */
  private final class Parts {
    private final ChunkBlocks blocks;
    private final long[] start;
    private final ZarrArray from;
    private final ZarrArray to;

    Parts(Block shard, Shape inner) {
      this.start = shard.start();
      Shape shape = shard.shape();
      ChunkGrid grid = ChunkGrid.regular(shape, inner);
      long target = limits.maxInFlightBytes() / PART;
      Shape read = ReadPlan.readShape(source, target);
      long most = Math.max(target, SaturatingSize.bytes(read, source.dataType()));
      long[] edges = ReadPlan.edges(grid, shape, copy.dataType(), read, most);
      for (int d = edges.length - 1; d >= 0; d--) { // as many as one read takes well
        long block =
            Math.max(
                1, SaturatingSize.bytes(ReadPlan.blockShape(grid, shape, edges), copy.dataType()));
        long count = grid.dimension(d).count();
        edges[d] = Math.min(count, edges[d] * Math.max(1, target / block));
      }
      this.blocks = new ChunkBlocks(grid, shape, edges);
      ZarrOptions half =
          limits
              .withMaxConcurrency(Math.max(1, limits.maxConcurrency() / PARTS))
              .withMaxInFlightBytes(Math.max(1, limits.maxInFlightBytes() / 4));
      this.from = source.withOptions(half);
      this.to = copy.withOptions(half);
    }

    Mono<Chunk> read(Block block, BiFunction<NdArray, ZarrArray, NdArray> retyped) {
      long[] first = block.start();
      long[] shape = block.shape().toArray();
      long[] end = new long[first.length];
      Arrays.setAll(first, d -> first[d] + start[d]);
      Arrays.setAll(end, d -> first[d] + shape[d]);
      return from.read(part.selection(first, end))
          .map(
              data ->
                  new Chunk(
                      block.first(),
                      Selection.box(first, shape).resolve(copy.shape()),
                      retyped.apply(data, to)));
    }
  }
}
