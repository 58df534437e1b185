package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.Outbox;
import dev.zarrreactive.internal.threads.Environment;
import java.util.Arrays;
import java.util.List;
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
    Mono<Void> additions =
        adding.doOnSuccess(
            done -> {
              begun.complete();
              begun.emit();
            });
    Flux<Void> requests = Concurrently.map(begun.flux(), Integer.MAX_VALUE, upload -> upload);
    return Concurrently.map(Flux.just(requests, additions), 2, part -> part)
        .then()
        .doFinally(end -> uploads.values().forEach(ShardUpload::abandon));
  }

  /** Returns the inner chunks to add at the same time, so that every codec thread has some. */
  static int concurrency() {
    return 2 * Environment.current().processors();
  }

  /**
   * Encodes a whole inner chunk. Completes when the store has taken it; with the last one of a
   * shard when it is stored. Called for one shard after the other, in C order; for the chunks of
   * one shard in any order.
   */
  Mono<Void> add(NewElements chunk) {
    long[] start = grid.chunkStart(chunk.chunkIndex());
    long[] shard = shardOf(start, array.grid());
    ShardLayout layout = ShardUpload.layout(array, shard);
    ChunkCodec inner = layout.innerCodec();
    long[] index = placeIn(array.grid().chunkStart(shard), start, inner.representation().shape());
    ShardUpload upload = open(shard, layout);
    Mono<Void> add =
        Mono.defer(
                () -> {
                  ElementMemory elements = chunk.among(null, inner);
                  Bytes bytes =
                      elements.isAll(inner.representation().fillValue())
                          ? null
                          : ChunkEncoder.encodeInner(layout, index, elements);
                  return upload.add(
                      ShardPlaces.number(index, layout.innerGrid().gridShape().toArray()), bytes);
                })
            .doOnSuccess(
                done -> {
                  if (upload.isStored()) {
                    uploads.remove(key(shard));
                  }
                })
            .onErrorMap(ZarrException.class, e -> e.at(array.location(shard)));
    // holds no lease while another writer has the key, which may need bytes to end
    return upload.turn().then(writer.lease(share, inner, chunk.copies(), add));
  }

  /** Returns the upload of a shard. A new one takes its lock when all that are older have. */
  private ShardUpload open(long[] shard, ShardLayout layout) {
    ShardUpload upload;
    synchronized (this) {
      upload = uploads.get(key(shard));
      if (upload == null) {
        upload = new ShardUpload(array, shard, layout);
        uploads.put(key(shard), upload);
        begun.add(lastTurn.then(upload.store()));
        lastTurn = upload.turn();
      }
    }
    begun.emit();
    return upload;
  }

  /** Returns the shard that an element of the array is in. */
  static long[] shardOf(long[] element, ChunkGrid grid) {
    long[] shard = new long[element.length];
    Arrays.setAll(shard, d -> grid.dimension(d).chunkOf(element[d]));
    return shard;
  }

  /** Returns the place of the inner chunk that begins with an element, in its shard. */
  static long[] placeIn(long[] shardStart, long[] element, Shape innerShape) {
    long[] place = new long[element.length];
    Arrays.setAll(place, d -> (element[d] - shardStart[d]) / innerShape.extent(d));
    return place;
  }

  private static List<Long> key(long[] shard) {
    return Arrays.stream(shard).boxed().collect(Collectors.toList());
  }
}
