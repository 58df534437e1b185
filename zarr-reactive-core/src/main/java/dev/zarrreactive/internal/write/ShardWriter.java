package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.HandedOver;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writes one shard, which may be larger than the memory, while its inner chunks arrive. */
final class ShardWriter {
  /** The parts of the shard that are encoded and sent at the same time. */
  private static final int PARTS = 2;

  private final ArrayStorage array;
  private final ChunkWriter writer;
  private final long[] index;
  private final ShardLayout layout;
  private final ChunkGrid inner;

  /**
   * Creates the writer of one shard.
   *
   * @throws UnsupportedFeatureException if the chunk is no shard with its index at the end
   */
  ShardWriter(ArrayStorage array, ChunkWriter writer, long[] index) {
    this.array = array;
    this.writer = writer;
    this.index = index;
    ShardLayout found = array.codec(index).shardLayout();
    if (found == null || !ShardPlaces.canStream(found)) {
      throw new UnsupportedFeatureException(
          "only a shard whose index is at its end is stored piece by piece; write(selection, data)"
              + " stores any chunk",
          array.location(index));
    }
    this.layout = found;
    this.inner =
        ChunkGrid.regular(array.metadata().shape(), found.innerCodec().representation().shape());
  }

  /** Writes the parts; see {@code ZarrArray.writeShard}. */
  Mono<Void> write(Publisher<Chunk> parts) {
    return Mono.defer(
        () -> {
          array.checks().changeable();
          array.checks().readable();
          return new Operation().write(parts);
        });
  }

  /** One subscription. Parts are checked one after the other. */
  private final class Operation {
    private final ByteBudget.Share share = writer.share();
    private final ShardUploads uploads = new ShardUploads(array, writer, share, inner);
    private final long expected = ShardUpload.insideTheArray(array, index, layout);
    private final BitSet arrived = new BitSet();

    Mono<Void> write(Publisher<Chunk> parts) {
      Flux<Chunk> arriving =
          HandedOver.to(array.limits().codecScheduler(), Flux.from(parts)).doOnNext(this::check);
      Flux<Chunk> whole = Flux.concat(List.of(arriving, Mono.defer(this::missing)));
      return uploads
          .whileStoring(
              Concurrently.map(whole, PARTS, part -> uploads.add(part.selection(), part.data()))
                  .then())
          .doFinally(end -> share.close());
    }

    private void check(Chunk part) {
      NdArray data = part.data();
      if (!data.dataType().equals(array.metadata().dataType())
          || !part.selection().isWithin(array.metadata().shape())) {
        throw new IllegalArgumentException(
            "a part of "
                + data.dataType()
                + " at "
                + part.selection()
                + " is not of the array "
                + array.path()
                + " of "
                + array.metadata().dataType()
                + array.metadata().shape());
      }
      for (ChunkProjection chunk : ChunkPlan.of(part.selection(), inner)) {
        check(part, chunk);
      }
    }

    private void check(Chunk part, ChunkProjection chunk) {
      long[] start = inner.chunkStart(chunk.chunkIndex());
      long[] shardStart = array.grid().chunkStart(index);
      long[] place = new long[start.length];
      boolean isInside = true;
      for (int d = 0; d < start.length; d++) {
        isInside &= array.grid().dimension(d).chunkOf(start[d]) == index[d];
        place[d] = (start[d] - shardStart[d]) / innerShape().extent(d);
      }
      if (!isInside || !chunk.region().coversChunk(start, array.furthestShape())) {
        throw new IllegalArgumentException(
            "the part at "
                + part.selection()
                + " is not of whole inner chunks of the shard "
                + Arrays.toString(index)
                + "; they have the shape "
                + innerShape());
      }
      int number = ShardPlaces.number(place, layout.innerGrid().gridShape().toArray());
      if (arrived.get(number)) {
        throw new IllegalArgumentException(
            "the part at " + part.selection() + " has an inner chunk that came before");
      }
      arrived.set(number);
    }

    private Shape innerShape() {
      return layout.innerCodec().representation().shape();
    }

    private Mono<Chunk> missing() {
      return arrived.cardinality() == expected
          ? Mono.empty()
          : Mono.error(
              new IllegalArgumentException(
                  "the parts are "
                      + arrived.cardinality()
                      + " of "
                      + expected
                      + " inner chunks of the shard "
                      + Arrays.toString(index)
                      + "; nothing is stored of it"));
    }
  }
}
