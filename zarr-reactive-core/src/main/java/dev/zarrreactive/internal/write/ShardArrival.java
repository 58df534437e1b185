package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One shard that arrives in parts of whole inner chunks, in any order. */
final class ShardArrival {
  private final ArrayStorage array;
  private final long[] index;
  private final ShardLayout layout;
  private final ChunkGrid inner;

  /**
   * Describes the shard.
   *
   * @throws UnsupportedFeatureException if the chunk is no shard with its index at the end
   */
  ShardArrival(ArrayStorage array, long[] index) {
    this.array = array;
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

  /** Returns the grid of the inner chunks of all shards. */
  ChunkGrid inner() {
    return inner;
  }

  /**
   * Emits the parts. Fails with an {@link IllegalArgumentException} for a part that is not of whole
   * inner chunks of the shard, for an inner chunk that comes twice, and where some are missing.
   */
  Flux<Chunk> check(Flux<Chunk> parts) {
    return Flux.defer(
        () -> {
          BitSet arrived = new BitSet();
          return Flux.concat(
              List.of(
                  parts.doOnNext(part -> check(part, arrived)),
                  Mono.defer(() -> checkComplete(arrived))));
        });
  }

  private void check(Chunk part, BitSet arrived) {
    if (!part.data().dataType().equals(array.metadata().dataType())
        || !part.selection().isWithin(array.metadata().shape())) {
      throw new IllegalArgumentException(
          "a part of "
              + part.data().dataType()
              + " at "
              + part.selection()
              + " is not of the array "
              + array.path()
              + " of "
              + array.metadata().dataType()
              + array.metadata().shape());
    }
    for (ChunkProjection chunk : ChunkPlan.of(part.selection(), inner)) {
      int number = number(part, chunk);
      if (arrived.get(number)) {
        throw new IllegalArgumentException(
            "the part at " + part.selection() + " has an inner chunk that came before");
      }
      arrived.set(number);
    }
  }

  /** Returns the number of an inner chunk in the shard. */
  private int number(Chunk part, ChunkProjection chunk) {
    Shape shape = layout.innerCodec().representation().shape();
    long[] start = inner.chunkStart(chunk.chunkIndex());
    long[] shardStart = array.grid().chunkStart(index);
    long[] place = new long[start.length];
    boolean isInside = true;
    for (int d = 0; d < start.length; d++) {
      isInside &= array.grid().dimension(d).chunkOf(start[d]) == index[d];
      place[d] = (start[d] - shardStart[d]) / shape.extent(d);
    }
    if (!isInside || !chunk.region().coversChunk(start, array.furthestShape())) {
      throw new IllegalArgumentException(
          "the part at "
              + part.selection()
              + " is not of whole inner chunks of the shard "
              + Arrays.toString(index)
              + "; they have the shape "
              + shape);
    }
    return ShardPlaces.number(place, layout.innerGrid().gridShape().toArray());
  }

  private Mono<Chunk> checkComplete(BitSet arrived) {
    long expected = ShardUpload.insideTheArray(array, index, layout);
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
