package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Bytes;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Encodes a plain chunk on one codec thread, and the inner chunks of a shard on all codec threads.
 * Called on a codec thread.
 */
final class ChunkEncoder {
  private final Scheduler codecScheduler;

  ChunkEncoder(Scheduler codecScheduler) {
    this.codecScheduler = codecScheduler;
  }

  /** Returns the encoded chunk. */
  Mono<Bytes> encoded(ChunkCodec codec, NdArray chunk) {
    ShardLayout layout = codec.shardLayout();
    return layout == null
        ? Mono.fromSupplier(() -> inMemory(codec, () -> codec.encode(chunk)))
        : shard(codec, layout, chunk);
  }

  private Mono<Bytes> shard(ChunkCodec codec, ShardLayout layout, NdArray shard) {
    InnerChunks pieces = new InnerChunks(layout, shard);
    int threads = Math.min(Environment.current().processors(), pieces.encoded.length);
    Mono<Void> encoded =
        threads == 1
            ? Mono.fromRunnable(pieces::encode)
            : Concurrently.map(
                    Flux.range(0, threads),
                    threads,
                    thread -> Mono.<Void>fromRunnable(pieces::encode).subscribeOn(codecScheduler))
                .then();
    return encoded
        .publishOn(codecScheduler)
        .then(Mono.fromSupplier(() -> inMemory(codec, pieces::joined)));
  }

  private static Bytes inMemory(ChunkCodec codec, Supplier<Bytes> work) {
    return MemoryGuard.allocating(
        "to encode a chunk", codec.representation().byteSize(), Location.UNKNOWN, work);
  }

  /** The inner chunks of one shard; several threads take and encode them one by one. */
  private static final class InnerChunks {
    private final ShardLayout layout;
    private final ElementMemory shard;
    private final Iterator<ChunkProjection> rest;
    private final @Nullable Bytes[] encoded;
    private int taken;

    InnerChunks(ShardLayout layout, NdArray shard) {
      ChunkPlan plan = ChunkPlan.of(Selection.all().resolve(shard.shape()), layout.innerGrid());
      this.layout = layout;
      this.shard = ElementMemory.of(shard);
      this.rest = plan.iterator();
      this.encoded = new Bytes[Math.toIntExact(plan.size())];
    }

    private record Taken(int number, ChunkProjection part) {}

    private synchronized @Nullable Taken take() {
      return rest.hasNext() ? new Taken(taken++, rest.next()) : null;
    }

    void encode() {
      for (Taken next = take(); next != null; next = take()) {
        try {
          encoded[next.number()] = encode(next.part());
        } catch (ZarrException e) {
          throw e.at(Location.UNKNOWN.innerChunk(next.part().chunkIndex()));
        }
      }
    }

    private @Nullable Bytes encode(ChunkProjection part) {
      ChunkCodec codec = layout.innerCodec();
      ChunkRepresentation inner = codec.representation();
      return MemoryGuard.allocating(
          "to encode a chunk",
          inner.byteSize(),
          Location.UNKNOWN,
          () -> {
            ElementMemory elements = ElementMemory.allocate(inner.dataType(), inner.shape());
            part.region().copyToChunk(shard, elements);
            return elements.isAll(inner.fillValue())
                ? null
                : codec.encode(elements.toNdArray(inner.shape()));
          });
    }

    Bytes joined() {
      return layout.join(Arrays.asList(encoded));
    }
  }
}
