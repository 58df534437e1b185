package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The shards of one operation that are stored while their inner chunks arrive. Each request begins
 * with the first inner chunk of its shard.
 */
final class ShardUploads {
  private final ArrayStorage array;
  private final ChunkWriter writer;
  private final ByteBudget.Share share;
  private final ChunkGrid grid;
  private final ConcurrentMap<List<Long>, ShardUpload> uploads = new ConcurrentHashMap<>();
  private final Sinks.Many<Mono<Void>> begun = Sinks.many().unicast().onBackpressureBuffer();

  /**
   * Creates the uploads.
   *
   * @param share of the budget, for inner chunks while they are encoded and sent
   * @param grid of the inner chunks of all shards
   */
  ShardUploads(ArrayStorage array, ChunkWriter writer, ByteBudget.Share share, ChunkGrid grid) {
    this.array = array;
    this.writer = writer;
    this.share = share;
    this.grid = grid;
  }

  /** Runs the requests beside the work that adds to them. Both complete, or end together. */
  Mono<Void> whileStoring(Mono<Void> adding) {
    Mono<Void> added = adding.doOnSuccess(done -> noneBegins());
    Flux<Void> storing = Concurrently.map(begun.asFlux(), Integer.MAX_VALUE, upload -> upload);
    return Concurrently.map(Flux.just(storing, added), 2, part -> part)
        .then()
        .doFinally(end -> uploads.values().forEach(ShardUpload::abandon));
  }

  /**
   * Encodes whole inner chunks on all codec threads; completes when the store has taken them, with
   * the last ones of a shard when it is stored.
   */
  Mono<Void> add(ResolvedSelection selection, NdArray data) {
    return Concurrently.map(
            Flux.fromIterable(ChunkPlan.of(selection, grid)),
            2 * Environment.current().processors(),
            part -> encoded(part, data))
        .then()
        .doOnSuccess(done -> uploads.values().removeIf(ShardUpload::isStored));
  }

  private Mono<Void> encoded(ChunkProjection part, NdArray data) {
    long[] start = grid.chunkStart(part.chunkIndex());
    long[] shard = new long[start.length];
    Arrays.setAll(shard, d -> array.grid().dimension(d).chunkOf(start[d]));
    ShardLayout layout = Objects.requireNonNull(array.codec(shard).shardLayout());
    ChunkCodec inner = layout.innerCodec();
    long[] shardStart = array.grid().chunkStart(shard);
    long[] index = new long[start.length];
    Arrays.setAll(
        index, d -> (start[d] - shardStart[d]) / inner.representation().shape().extent(d));
    return writer.leased(
        share,
        inner,
        1,
        Mono.defer(
                () -> {
                  ElementMemory elements = ChunkElements.gathered(part, data, inner, null);
                  Bytes bytes =
                      elements.isAll(inner.representation().fillValue())
                          ? null
                          : ChunkEncoder.encodedInner(layout, index, elements);
                  return upload(shard, layout)
                      .add(
                          ShardPlaces.number(index, layout.innerGrid().gridShape().toArray()),
                          bytes);
                })
            .onErrorMap(ZarrException.class, e -> e.at(array.location(shard))));
  }

  private ShardUpload upload(long[] shard, ShardLayout layout) {
    List<Long> key = Arrays.stream(shard).boxed().collect(Collectors.toList());
    return uploads.computeIfAbsent(
        key, absent -> new ShardUpload(array, shard, layout, this::begin));
  }

  private void begin(Mono<Void> request) {
    synchronized (begun) {
      begun.tryEmitNext(request);
    }
  }

  private void noneBegins() {
    synchronized (begun) {
      begun.tryEmitComplete();
    }
  }
}
