package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.HandedOver;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Writes chunks that may belong to another chunk grid. One that covers a chunk of this array is
 * written as it is. Parts of chunks are gathered until the chunk is complete, and {@link
 * ChunkWriter} writes it once. The chunk that was begun first is written as far as it has arrived
 * when another one would exceed the bound of the bytes; the others, when the stream ends.
 */
final class ChunkGatherer {
  private final ArrayStorage array;
  private final ChunkWriter writer;

  ChunkGatherer(ArrayStorage array, ChunkWriter writer) {
    this.array = array;
    this.writer = writer;
  }

  /** Writes the chunks; see {@code ZarrArray.write}. */
  Mono<Void> write(Publisher<Chunk> chunks) {
    return Mono.defer(
        () -> {
          array.checks().writable();
          return new Operation().write(chunks);
        });
  }

  /** One subscription. Chunks are gathered one after the other. */
  private final class Operation {
    private final ByteBudget.Share gathering = writer.share();
    private final ByteBudget.Share writing = writer.share();

    /** The chunks that have not arrived whole, in the order in which they were begun. */
    private final Map<List<Long>, GatheredElements> begun = new LinkedHashMap<>();

    private final long bound = bound();
    private @Nullable Mono<Void> lease;
    private long begunBytes;
    private long gatheredBytes; // of the chunks that are begun and of those that are written
    private long wanted;
    private Sinks.@Nullable Empty<Void> room;

    Mono<Void> write(Publisher<Chunk> chunks) {
      Flux<NewElements> arrived =
          HandedOver.to(array.limits().codecScheduler(), Flux.from(chunks))
              .concatMap(this::arrived, 1);
      Flux<NewElements> complete = Flux.concat(List.of(arrived, Flux.defer(this::incomplete)));
      return Concurrently.map(complete, array.writeConcurrency(), this::written)
          .then()
          .doFinally(
              end -> {
                writing.close();
                gathering.close();
              });
    }

    /** Returns what can be written when a chunk has arrived. */
    private Flux<NewElements> arrived(Chunk chunk) {
      NdArray data = writer.fitted(chunk.selection(), chunk.data());
      return Flux.fromIterable(ChunkPlan.of(chunk.selection(), array.grid()))
          .concatMap(part -> arrived(part, data), 1);
    }

    private Flux<NewElements> arrived(ChunkProjection part, NdArray data) {
      long[] index = part.chunkIndex();
      long[] start = array.grid().chunkStart(index);
      NewElements alone = new SelectedElements(part, data, start);
      GatheredElements elements = begun.get(key(index));
      if (alone.isWhole(array.metadata().shape())) {
        if (elements != null) {
          forget(elements);
          release(elements);
        }
        return Flux.just(alone);
      }
      if (elements != null) {
        return Mono.justOrEmpty(added(elements, part, data)).flux();
      }
      ChunkCodec codec = array.codec(index);
      long bytes = GatheredElements.bytes(codec);
      if (bytes > bound) {
        return Flux.just(alone);
      }
      Mono<NewElements> begin =
          leased()
              .then(Mono.defer(() -> room(bytes)))
              .publishOn(array.limits().codecScheduler())
              .then(Mono.fromSupplier(() -> begin(new GatheredElements(index, start, codec))))
              .mapNotNull(made -> added(made, part, data));
      return Flux.concat(List.of(Flux.fromIterable(displacedBy(bytes)), begin));
    }

    /** Takes a part. Returns the chunk if it is complete now. */
    private @Nullable NewElements added(
        GatheredElements elements, ChunkProjection part, NdArray data) {
      elements.add(part, data);
      if (!elements.isWhole(array.metadata().shape())) {
        return null;
      }
      forget(elements);
      return elements;
    }

    /** Returns the chunks that must be written before another one can be gathered. */
    private List<NewElements> displacedBy(long bytes) {
      List<NewElements> displaced = new ArrayList<>();
      while (begunBytes + bytes > bound) {
        GatheredElements first = begun.values().iterator().next();
        forget(first);
        displaced.add(first);
      }
      return displaced;
    }

    private Flux<NewElements> incomplete() {
      return Flux.fromIterable(List.copyOf(begun.values()));
    }

    private Mono<Void> written(NewElements elements) {
      return writer
          .write(elements, writing)
          .doFinally(
              end -> {
                if (elements instanceof GatheredElements gathered) {
                  release(gathered);
                }
              });
    }

    private GatheredElements begin(GatheredElements elements) {
      begun.put(key(elements.chunkIndex()), elements);
      begunBytes += bytes(elements);
      return elements;
    }

    private void forget(GatheredElements elements) {
      begun.remove(key(elements.chunkIndex()));
      begunBytes -= bytes(elements);
    }

    private long bytes(GatheredElements elements) {
      return GatheredElements.bytes(array.codec(elements.chunkIndex()));
    }

    /** Completes when chunks are written that leave room for this many bytes. */
    private synchronized Mono<Void> room(long bytes) {
      if (gatheredBytes + bytes <= bound) {
        gatheredBytes += bytes;
        return Mono.empty();
      }
      wanted = bytes;
      room = Sinks.empty();
      return room.asMono();
    }

    private void release(GatheredElements elements) {
      Sinks.Empty<Void> waiting;
      synchronized (this) {
        gatheredBytes -= bytes(elements);
        waiting = room;
        if (waiting == null || gatheredBytes + wanted > bound) {
          return;
        }
        gatheredBytes += wanted;
        room = null;
      }
      waiting.tryEmitEmpty();
    }

    /** Leases the bytes for all of the operation when the first part of a chunk arrives. */
    private Mono<Void> leased() {
      if (lease == null) {
        lease = ChunkWriter.gathering(gathering, bound, largestChunk());
      }
      return lease;
    }

    /** Returns the bytes that may be gathered: all that the array has, if it is small. */
    private long bound() {
      long elements = array.grid().largestChunkShape().elementCountUpTo(Long.MAX_VALUE);
      long chunk = largestChunk();
      long chunks = array.grid().gridShape().elementCountUpTo(Long.MAX_VALUE);
      long all = ByteBudget.product(chunks, ByteBudget.sum(chunk, ByteBudget.expected(elements)));
      return Math.min(all, writer.bytesToGather(chunk));
    }

    private long largestChunk() {
      return ByteBudget.product(
          array.grid().largestChunkShape().elementCountUpTo(Long.MAX_VALUE),
          array.metadata().dataType().memorySize());
    }
  }

  private static List<Long> key(long[] index) {
    return Arrays.stream(index).boxed().collect(Collectors.toList());
  }
}
