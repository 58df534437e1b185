package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.Outbox;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.threads.Environment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The shards of one operation that are stored while their inner chunks arrive. All shards of a row
 * take pieces at a time, so that the operation holds the locks of several keys. It takes them one
 * after the other, in C order: two operations that took them in two orders would wait for each
 * other for ever.
 */
final class ShardUploads {
  private final ArrayStorage array;
  private final ChunkWriter writer;
  private final ByteBudget.Share share;
  private final ChunkGrid grid;
  private final ConcurrentMap<List<Long>, ShardUpload> uploads = new ConcurrentHashMap<>();
  private final Outbox<Mono<Void>> begun = new Outbox<>();

  /** The turn of the upload that was opened last. */
  private Mono<Void> lastTurn = Mono.empty();

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
    Flux<Void> storing = Concurrently.map(begun.flux(), Integer.MAX_VALUE, upload -> upload);
    return Concurrently.map(Flux.just(storing, added), 2, part -> part)
        .then()
        .doFinally(end -> uploads.values().forEach(ShardUpload::abandon));
  }

  /**
   * Encodes whole inner chunks on all codec threads; completes when the store has taken them, with
   * the last ones of a shard when it is stored. Called for one selection after the other, in C
   * order of their shards.
   */
  Mono<Void> add(ResolvedSelection selection, NdArray data) {
    ChunkPlan.of(selection, array.grid()).forEach(shard -> open(shard.chunkIndex()));
    begun.emit();
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
    ShardLayout layout = layout(shard);
    ChunkCodec inner = layout.innerCodec();
    long[] shardStart = array.grid().chunkStart(shard);
    long[] index = new long[start.length];
    Arrays.setAll(
        index, d -> (start[d] - shardStart[d]) / inner.representation().shape().extent(d));
    ShardUpload upload = upload(shard);
    Mono<Void> added =
        Mono.defer(
                () -> {
                  ElementMemory elements = ChunkElements.gathered(part, data, inner, null);
                  Bytes bytes =
                      elements.isAll(inner.representation().fillValue())
                          ? null
                          : ChunkEncoder.encodedInner(layout, index, elements);
                  return upload.add(
                      ShardPlaces.number(index, layout.innerGrid().gridShape().toArray()), bytes);
                })
            .onErrorMap(ZarrException.class, e -> e.at(array.location(shard)));
    // holds no lease while another writer has the key, which may need bytes to end
    return upload.turn().then(writer.leased(share, inner, 1, added));
  }

  private ShardUpload upload(long[] shard) {
    return Objects.requireNonNull(uploads.get(key(shard)), "the shard was opened before");
  }

  /** Opens the upload of a shard, which takes its lock when all that were opened before have. */
  private void open(long[] shard) {
    if (uploads.containsKey(key(shard))) {
      return;
    }
    ShardUpload upload = new ShardUpload(array, shard, layout(shard));
    uploads.put(key(shard), upload);
    begun.add(lastTurn.then(upload.store()));
    lastTurn = upload.turn();
  }

  private ShardLayout layout(long[] shard) {
    return Objects.requireNonNull(array.codec(shard).shardLayout());
  }

  private static List<Long> key(long[] shard) {
    return Arrays.stream(shard).boxed().collect(Collectors.toList());
  }

  private void noneBegins() {
    begun.complete();
    begun.emit();
  }
}
