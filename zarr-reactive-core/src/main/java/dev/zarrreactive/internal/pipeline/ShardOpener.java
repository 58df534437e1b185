package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Opens the shards of one operation: looks their indexes up, and gives the inner chunks that are
 * wanted, in the order of the plan. A shard of which all or nearly all is wanted is fetched whole,
 * in one request. Nested shards are opened in turn.
 */
final class ShardOpener {
  private final Shape arrayShape;
  private final Limits limits;
  private final ShardIndexes indexes;
  private final long ahead;
  private final ByteBudget wholeShards;
  private final long wholeBytes;
  private final ByteBudget windows;
  private final long windowsBytes;

  ShardOpener(ArrayStorage array) {
    this.arrayShape = array.metadata().shape();
    this.limits = array.limits();
    this.indexes = array.shardIndexes();
    this.ahead = array.concurrency();
    this.wholeBytes = Math.max(1, limits.inFlightBytes() / 4);
    this.wholeShards = new ByteBudget(wholeBytes);
    this.windowsBytes = Math.max(1, limits.inFlightBytes() / 8 * 3);
    this.windows = new ByteBudget(windowsBytes);
  }

  /**
   * The chunks themselves, and in place of shards their inner chunks, in C order of their indices.
   * Shards are opened together until they hold half as many inner chunks as may be in flight, and
   * as many more ahead.
   */
  Flux<EncodedChunk> open(Flux<EncodedChunk> chunks) {
    return Flux.defer(
        () -> {
          AtomicLong inner = new AtomicLong();
          Flux<List<EncodedChunk>> together =
              chunks.bufferUntil(
                  chunk -> {
                    boolean enough = inner.addAndGet(innerChunks(chunk)) >= ahead / 2;
                    if (enough) {
                      inner.set(0);
                    }
                    return enough;
                  });
          return Concurrently.mapInOrder(
              together,
              ahead > 1 ? 2 : 1,
              shards ->
                  Concurrently.mapInOrder(Flux.fromIterable(shards), shards.size(), this::open));
        });
  }

  private long innerChunks(EncodedChunk chunk) {
    ShardLayout layout = chunk.codec().shardLayout();
    return layout == null || chunk.source() == null
        ? 1
        : Math.min(ahead, plan(chunk, layout).size());
  }

  private static ChunkPlan plan(EncodedChunk shard, ShardLayout layout) {
    return ChunkPlan.inside(shard.projection(), shard.start(), layout.innerGrid());
  }

  private Flux<EncodedChunk> open(EncodedChunk chunk) {
    ShardLayout layout = chunk.codec().shardLayout();
    ByteSource source = chunk.source();
    if (layout == null || source == null) {
      return Flux.just(chunk);
    }
    return Flux.defer(
            () -> {
              ShardPlace place = ShardPlace.of(source, layout);
              if (place == null) {
                return inMemory(chunk, source, layout);
              }
              ByteBudget.Lease lease = leaseOfWhole(chunk, layout, place);
              return lease == null
                  ? byIndex(chunk, source, layout, place)
                  : whole(chunk, source, layout, place, lease);
            })
        .switchIfEmpty(Mono.fromSupplier(chunk::missing))
        .onErrorMap(ZarrException.class, e -> e.at(chunk.location()));
  }

  private Flux<EncodedChunk> inMemory(EncodedChunk chunk, ByteSource source, ShardLayout layout) {
    return source
        .range(layout.indexRange())
        .map(bytes -> new OpenShard(chunk, source, layout, decoded(layout, bytes)))
        .flatMapMany(this::parts);
  }

  private static KnownIndex decoded(ShardLayout layout, Bytes index) {
    return new KnownIndex(layout.decodeIndex(index));
  }

  /** The inner chunks of a shard whose bytes are here, or that holds shards. */
  private Flux<EncodedChunk> parts(OpenShard shard) {
    Flux<EncodedChunk> inner =
        Flux.fromIterable(plan(shard.chunk(), shard.layout())).map(shard::part);
    return shard.layout().innerCodec().shardLayout() == null ? inner : open(inner);
  }

  private Flux<EncodedChunk> byIndex(
      EncodedChunk chunk, ByteSource source, ShardLayout layout, ShardPlace place) {
    return indexes
        .find(place, source, layout)
        .flatMapMany(
            found -> {
              Bytes whole = found.whole();
              return whole == null
                  ? byRange(new OpenShard(chunk, source, layout, found.known()))
                  : parts(
                      new OpenShard(chunk, new ByteSource.Fetched(whole), layout, found.known()));
            });
  }

  private Flux<EncodedChunk> byRange(OpenShard shard) {
    return shard.layout().innerCodec().shardLayout() != null
        ? parts(shard)
        : Flux.<ShardWindow>fromIterable(
                () -> new ShardWindows(this, shard, plan(shard.chunk(), shard.layout())))
            .concatMapIterable(ShardWindow::chunks, 1);
  }

  /** The most bytes that are wanted of a window: several windows fit into the budget. */
  long windowBytes() {
    return windowsBytes / 4;
  }

  ShardWindow window(
      OpenShard shard,
      List<ChunkProjection> inner,
      List<ByteRange.@Nullable Slice> places,
      long bytes) {
    return new ShardWindow(
        indexes,
        shard,
        inner,
        places,
        limits.shardReading().coalescing(),
        Math.max(0, windowsBytes / 2 - bytes),
        windows);
  }

  /**
   * A lease for a shard that is to be fetched whole; null where it is not, or does not fit. Those
   * who wait for one were opened in the order of the plan; a nested shard was perhaps not, and does
   * not wait.
   */
  private ByteBudget.@Nullable Lease leaseOfWhole(
      EncodedChunk chunk, ShardLayout layout, ShardPlace place) {
    long bytes = chunk.codec().representation().byteSize();
    if (bytes > wholeBytes || !wantsNearlyAll(chunk, layout, place)) {
      return null;
    }
    return place.isWholeValue() ? wholeShards.lease(bytes) : wholeShards.leaseNow(bytes);
  }

  private boolean wantsNearlyAll(EncodedChunk chunk, ShardLayout layout, ShardPlace place) {
    if (chunk.projection().region().coversChunk(chunk.start(), arrayShape)) {
      return true;
    }
    ChunkPlan plan = plan(chunk, layout);
    KnownIndex known = indexes.known(place);
    return known == null
        ? nearlyAll(
            (double) plan.size(), layout.innerGrid().gridShape().elementCount().doubleValue())
        : plan.size() > 1
            && nearlyAll(wantedBytes(plan, known.index()), (double) known.index().end());
  }

  private static double wantedBytes(ChunkPlan plan, ShardIndex index) {
    double bytes = 0;
    for (ChunkProjection inner : plan) {
      ByteRange.Slice place = index.find(inner.chunkIndex());
      bytes += place == null ? 0 : (double) place.length();
    }
    return bytes;
  }

  private static boolean nearlyAll(double wanted, double all) {
    return wanted >= 0.9 * all;
  }

  private Flux<EncodedChunk> whole(
      EncodedChunk chunk,
      ByteSource source,
      ShardLayout layout,
      ShardPlace place,
      ByteBudget.Lease lease) {
    return Flux.defer(
            () -> {
              long changes = indexes.changes();
              return lease
                  .granted()
                  .then(Mono.defer(source::all))
                  .publishOn(limits.codecScheduler())
                  .map(
                      bytes -> {
                        OpenShard shard = fetched(chunk, layout, bytes);
                        indexes.keep(place, shard.known(), changes);
                        return shard;
                      })
                  .flatMapMany(this::parts);
            })
        .map(
            inner -> {
              ByteSource bytes = inner.source();
              if (bytes == null) {
                return inner;
              }
              lease.retain();
              return inner.from(new ByteSource.Leased(bytes, lease));
            })
        .doOnTerminate(lease::release);
  }

  private static OpenShard fetched(EncodedChunk chunk, ShardLayout layout, Bytes bytes) {
    ByteSource source = new ByteSource.Fetched(bytes);
    ByteRange.Slice index = ByteSource.within(layout.indexRange(), bytes.size());
    return new OpenShard(chunk, source, layout, decoded(layout, ShardIndexes.alone(bytes, index)));
  }
}
