package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ByteRange;
import java.util.Arrays;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Opens shards: fetches the index, and gives the inner chunks that are wanted. A shard of which
 * everything is wanted is fetched whole, in one request. Nested shards are opened in turn.
 */
final class ShardOpener {
  private final Shape arrayShape;
  private final Limits limits;

  ShardOpener(Shape arrayShape, Limits limits) {
    this.arrayShape = arrayShape;
    this.limits = limits;
  }

  /** The chunk itself where it is no shard, else its inner chunks, in C order of their indices. */
  Flux<EncodedChunk> open(EncodedChunk chunk) {
    ShardLayout layout = chunk.codec().shardLayout();
    ByteSource source = chunk.source();
    if (layout == null || source == null) {
      return Flux.just(chunk);
    }
    return wholeIfWanted(chunk, source)
        .flatMap(
            shard ->
                shard
                    .range(layout.indexRange())
                    .publishOn(limits.codecScheduler())
                    .map(bytes -> innerChunks(chunk, shard, layout, layout.decodeIndex(bytes))))
        .onErrorMap(ZarrException.class, e -> e.at(chunk.location()))
        .defaultIfEmpty(Flux.just(chunk.missing()))
        .flatMapMany(inner -> inner.concatMap(this::open));
  }

  private Mono<ByteSource> wholeIfWanted(EncodedChunk chunk, ByteSource source) {
    boolean fits = 2 * chunk.codec().representation().byteSize() <= limits.inFlightBytes();
    return fits && chunk.projection().region().coversChunk(chunk.start(), arrayShape)
        ? source.all().map(ByteSource.Fetched::new)
        : Mono.just(source);
  }

  private static Flux<EncodedChunk> innerChunks(
      EncodedChunk shard, ByteSource source, ShardLayout layout, ShardIndex index) {
    return Flux.fromIterable(
            ChunkPlan.inside(shard.projection(), shard.start(), layout.innerGrid()))
        .map(projection -> innerChunk(shard, source, layout, index, projection))
        .onErrorMap(ZarrException.class, e -> e.at(shard.location()));
  }

  private static EncodedChunk innerChunk(
      EncodedChunk shard,
      ByteSource source,
      ShardLayout layout,
      ShardIndex index,
      ChunkProjection projection) {
    ByteRange.Slice place = index.find(projection.chunkIndex());
    long[] start = layout.innerGrid().chunkStart(projection.chunkIndex());
    Arrays.setAll(start, d -> start[d] + shard.start()[d]);
    return new EncodedChunk(
        place == null ? null : new ByteSource.Part(source, place),
        layout.innerCodec(),
        projection,
        shard.gridIndex(),
        start,
        shard.location().innerChunk(projection.chunkIndex()));
  }
}
