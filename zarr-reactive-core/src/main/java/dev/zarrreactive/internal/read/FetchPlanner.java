package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Plans the fetches for the chunks of a selection, in the order of the plan, as they are demanded.
 * A chunk that is stored as one value becomes one fetch. For a shard the planner looks up the
 * index, for some shards in advance, and coalesces the ranges of inner chunks.
 */
final class FetchPlanner {
  private final ReadOperation operation;
  private final ArrayStorage array;
  private final LongFunction<@Nullable Mono<Void>> admission;

  /**
   * Creates a planner.
   *
   * @param admission completes when the piece of a number may be fetched; null if it may be now
   */
  FetchPlanner(ReadOperation operation, LongFunction<@Nullable Mono<Void>> admission) {
    this.operation = operation;
    this.array = operation.array();
    this.admission = admission;
  }

  /** Returns the fetches of a selection. */
  Flux<Fetch> fetches(ResolvedSelection selection) {
    return fetches(ChunkPlan.of(selection, array.grid()));
  }

  /** Returns the fetches of the chunks of a plan. */
  Flux<Fetch> fetches(ChunkPlan plan) {
    array.checks().readable();
    Flux<ChunkRequest> chunks = Flux.fromIterable(() -> new Requests(plan.iterator()));
    Flux<Fetch> fetches =
        array.isSharded() ? ofShards(chunks, plan.size()) : chunks.map(this::fetch);
    return admit(fetches);
  }

  private Flux<Fetch> ofShards(Flux<ChunkRequest> shards, long count) {
    Connections connections = Connections.sharedBy(count, operation.concurrency());
    if (count == 1 && !operation.isStreamed()) {
      return shards
          .next()
          .flatMap(shard -> new OpenShard(operation, shard, connections).open())
          .flatMapMany(OpenShard::fetches);
    }
    Flux<ChunkRequest> admitted =
        operation.isStreamed() ? shards.concatMap(shard -> admit(shard, shard.first()), 0) : shards;
    return Concurrently.mapInOrder(
            admitted,
            operation.concurrency(),
            shard -> new OpenShard(operation, shard, connections).open())
        .concatMap(OpenShard::fetches, 0);
  }

  private Flux<Fetch> admit(Flux<Fetch> fetches) {
    return operation.isStreamed()
        ? fetches.concatMap(fetch -> admit(fetch, fetch.nextNumber()), 0)
        : fetches;
  }

  private <T> Mono<T> admit(T value, long number) {
    Mono<Void> admitted = admission.apply(number);
    return admitted == null ? Mono.just(value) : admitted.thenReturn(value);
  }

  /** The requests for the chunks of the plan, with their pieces numbered. */
  private final class Requests implements Iterator<ChunkRequest> {
    private final Iterator<ChunkProjection> plan;
    private long number;

    Requests(Iterator<ChunkProjection> plan) {
      this.plan = plan;
    }

    @Override
    public boolean hasNext() {
      return plan.hasNext();
    }

    @Override
    public ChunkRequest next() {
      ChunkRequest request = new ChunkRequest(array, plan.next(), number);
      number += array.isSharded() && operation.isStreamed() ? request.innerChunks().size() : 1;
      return request;
    }
  }

  /** Returns the fetch of a chunk that is stored as a value of its own. */
  private Fetch fetch(ChunkRequest chunk) {
    Piece piece = Piece.of(chunk);
    if (operation.tryTakeCached(piece)) {
      return new Fetch.OfKnown(chunk, List.of(piece), operation.lease(0, 0, 0, 1));
    }
    SizeBound bound = chunk.codec().encodedSize();
    long decoded = operation.held(piece.decodedBytes());
    long encoded = bound.exact() ? bound.bytes() : ByteBudget.expected(decoded);
    piece.held(decoded);
    return new Fetch.OfChunk(
        chunk, List.of(piece), encoded, operation.lease(encoded, 1, decoded, 1));
  }
}
