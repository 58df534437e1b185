package dev.zarrreactive.internal.write;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ConditionalUpdate;
import dev.zarrreactive.internal.flow.Outbox;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A shard that is stored while its inner chunks arrive, in any order. The lock of its key is taken
 * first. The request begins with the first inner chunk that is not empty. A shard without one is
 * erased. Thread-safe.
 */
final class ShardUpload {
  private final ArrayStorage array;
  private final long[] index;
  private final ShardPlaces places;
  private final Sinks.Empty<Void> turn = Sinks.empty();

  /** Tells, when the request begins, whether it erases the shard. */
  private final Sinks.One<Boolean> erasing = Sinks.one();

  private final Outbox<Delivery> deliveries = new Outbox<>();
  private final Sinks.Empty<Void> stored = Sinks.empty();
  private final AtomicBoolean isSent = new AtomicBoolean();
  private long left;
  private volatile boolean isStored;
  private boolean hasBegun;

  ShardUpload(ArrayStorage array, long[] index, ShardLayout layout) {
    this.array = array;
    this.index = index;
    this.places = new ShardPlaces(layout);
    this.left = insideTheArray(array, index, layout);
  }

  private record Delivery(Bytes bytes, Sinks.Empty<Void> taken) {}

  /**
   * Returns the layout of a shard.
   *
   * @throws UnsupportedFeatureException if the chunk is no shard with its index at the end
   */
  static ShardLayout layout(ArrayStorage array, long[] index) {
    ShardLayout layout = array.codec(index).shardLayout();
    if (layout == null || !ShardPlaces.canStream(layout)) {
      throw new UnsupportedFeatureException(
          "only a shard whose index is at its end is stored piece by piece; write(selection, data)"
              + " stores any chunk",
          array.location(index));
    }
    return layout;
  }

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
          boolean erasesEmpty = LockedChunk.erasesEmpty(array, target());
          boolean begins;
          boolean isLast;
          boolean isErased;
          synchronized (this) {
            isLast = --left == 0;
            if (encoded != null) {
              deliveries.add(
                  new Delivery(places.add(new ShardPlaces.Piece(number, encoded)), taken));
            }
            begins = !hasBegun && (isLast || encoded != null);
            isErased = begins && encoded == null && erasesEmpty;
            hasBegun |= begins;
            if (isLast) {
              end(isErased);
            }
          }
          if (begins) {
            erasing.tryEmitValue(isErased);
          }
          deliveries.emit();
          return isLast ? stored.asMono() : encoded == null ? Mono.empty() : taken.asMono();
        });
  }

  private void end(boolean isErased) {
    if (!isErased) {
      deliveries.add(new Delivery(places.index(), Sinks.empty()));
    }
    deliveries.complete();
  }

  /** Ends the request of an operation that has ended; an upload is discarded then. */
  void abandon() {
    deliveries.fail(new CancellationException("the write of the shard has ended"));
    deliveries.emit();
  }

  /** Returns true when the shard is stored. */
  boolean isStored() {
    return isStored;
  }

  private ConditionalUpdate target() {
    return ConditionalUpdate.unguarded(array.requests(), array.key(index));
  }

  /** Completes when the lock of the shard's key is held. */
  Mono<Void> turn() {
    return turn.asMono();
  }

  /** Takes the lock of the shard's key, and stores the shard, for one subscriber. */
  Mono<Void> store() {
    return LockedChunk.hold(
            array,
            index,
            held -> {
              turn.tryEmitEmpty();
              return erasing
                  .asMono()
                  .flatMap(
                      isErased -> held.send(isErased ? target().erase() : target().set(pieces())));
            })
        .doOnSuccess(
            done -> {
              isStored = true;
              stored.tryEmitEmpty();
            });
  }

  /** Returns the pieces for the first subscription; they are not in memory for another one. */
  private Flux<Bytes> pieces() {
    return Flux.defer(
        () ->
            isSent.compareAndSet(false, true)
                ? deliveries
                    .flux()
                    .map(
                        delivery -> {
                          delivery.taken().tryEmitEmpty();
                          return delivery.bytes();
                        })
                : Flux.error(new IllegalStateException("the pieces of a shard are sent once")));
  }
}
