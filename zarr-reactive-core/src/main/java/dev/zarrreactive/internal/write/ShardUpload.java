package dev.zarrreactive.internal.write;

import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ConditionalUpdate;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.StoreKey;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A shard that is stored while its inner chunks arrive, in any order. The request begins with the
 * first inner chunk that is not empty. A shard without one is erased. Thread-safe.
 */
final class ShardUpload {
  private final ArrayStorage array;
  private final long[] index;
  private final ShardPlaces places;
  private final Consumer<Mono<Void>> begin;
  private final Sinks.Many<Delivery> deliveries = Sinks.many().unicast().onBackpressureBuffer();
  private final Sinks.Empty<Void> stored = Sinks.empty();
  private final AtomicBoolean isSent = new AtomicBoolean();
  private long left;
  private volatile boolean isStored;
  private boolean hasBegun;

  /**
   * Creates the upload.
   *
   * @param begin is given the request, to subscribe to it as a part of the operation
   */
  ShardUpload(ArrayStorage array, long[] index, ShardLayout layout, Consumer<Mono<Void>> begin) {
    this.array = array;
    this.index = index;
    this.places = new ShardPlaces(layout);
    this.begin = begin;
    this.left = insideTheArray(array, index, layout);
  }

  private record Delivery(Bytes bytes, Sinks.Empty<Void> taken) {}

  /** Returns the number of inner chunks of a shard that have elements inside of the array. */
  static long insideTheArray(ArrayStorage array, long[] index, ShardLayout layout) {
    long[] start = array.grid().chunkStart(index);
    long[] shard = array.grid().chunkShape(index).toArray();
    long[] inner = layout.innerCodec().representation().shape().toArray();
    long count = 1;
    for (int d = 0; d < start.length; d++) {
      long inside = Math.min(shard[d], array.metadata().shape().extent(d) - start[d]);
      count *= (inside - 1) / inner[d] + 1;
    }
    return count;
  }

  /**
   * Adds an inner chunk, null for an empty one. Completes when the store has taken it; with the
   * last one when the shard is stored.
   */
  Mono<Void> add(int number, @Nullable Bytes encoded) {
    return Mono.defer(
        () -> {
          Sinks.Empty<Void> taken = Sinks.empty();
          boolean isLast;
          synchronized (this) {
            isLast = --left == 0;
            if (encoded == null) {
              taken.tryEmitEmpty();
            } else {
              deliver(places.add(new ShardPlaces.Piece(number, encoded)), taken);
            }
            if (isLast) {
              end();
            }
          }
          return isLast ? stored.asMono() : taken.asMono();
        });
  }

  private void deliver(Bytes bytes, Sinks.Empty<Void> taken) {
    begin(false);
    deliveries.tryEmitNext(new Delivery(bytes, taken));
  }

  private void end() {
    boolean isEmpty = !hasBegun;
    begin(isEmpty);
    if (!isEmpty || array.limits().writeEmptyChunks() || !target().canErase()) {
      deliveries.tryEmitNext(new Delivery(places.index(), Sinks.empty()));
    }
    deliveries.tryEmitComplete();
  }

  private void begin(boolean isEmpty) {
    if (!hasBegun) {
      hasBegun = true;
      begin.accept(storing(isEmpty));
    }
  }

  /** Ends the request of an operation that has ended; an upload is discarded then. */
  synchronized void abandon() {
    deliveries.tryEmitError(new CancellationException("the write of the shard has ended"));
  }

  /** Returns true when the shard is stored. */
  boolean isStored() {
    return isStored;
  }

  private ConditionalUpdate target() {
    StoreKey key = array.key(index);
    return ConditionalUpdate.unguarded(array.requests(), key);
  }

  private Mono<Void> storing(boolean isEmpty) {
    return Mono.defer(
            () -> {
              ConditionalUpdate target = target();
              boolean erases = isEmpty && !array.limits().writeEmptyChunks() && target.canErase();
              StoreKey key = array.key(index);
              return KeyLocks.exclusively(
                  array.store(),
                  key,
                  turn ->
                      turn.store(
                          array
                              .context()
                              .changing(key, erases ? target.erase() : target.set(pieces()))));
            })
        .doOnSuccess(
            done -> {
              isStored = true;
              stored.tryEmitEmpty();
            })
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  /** Returns the pieces for the first subscription; they are not in memory for another one. */
  private Flux<Bytes> pieces() {
    return Flux.defer(
        () ->
            isSent.compareAndSet(false, true)
                ? deliveries
                    .asFlux()
                    .map(
                        delivery -> {
                          delivery.taken().tryEmitEmpty();
                          return delivery.bytes();
                        })
                : Flux.error(new IllegalStateException("the pieces of a shard are sent once")));
  }
}
