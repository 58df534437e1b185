package dev.zarrreactive.spark.write;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Stores each value once: on condition that there is none. Another attempt of a task finds the
 * value that the first one has stored. Equal bytes are as good as stored; other bytes are an error,
 * because the rows were not the same in both attempts.
 */
final class WriteOnceStore extends DelegatingStore {
  WriteOnceStore(Store store) {
    super(store);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return delegate()
        .set(key, value, Precondition.ABSENT)
        .onErrorResume(PreconditionFailedException.class, e -> compared(key, value, e));
  }

  private Mono<Void> compared(StoreKey key, Bytes value, PreconditionFailedException lost) {
    return delegate()
        .get(key)
        .switchIfEmpty(Mono.error(lost))
        .flatMap(
            stored ->
                stored.equals(value)
                    ? Mono.empty()
                    : Mono.error(
                        () ->
                            new PreconditionFailedException(
                                "another attempt of the task, or another program, has stored other"
                                    + " bytes; the rows must be the same each time that Spark"
                                    + " computes them",
                                Location.ofKey(key.value()),
                                lost)));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return precondition.equals(Precondition.NONE)
        ? set(key, value)
        : delegate().set(key, value, precondition);
  }

  /** Joins the pieces: the decoded shard is in memory, too. */
  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return Flux.from(pieces).collectList().flatMap(all -> set(key, Bytes.join(all), precondition));
  }

  /** Nothing is erased: a chunk of fill value alone was never stored. */
  @Override
  public Mono<Void> erase(StoreKey key) {
    return Mono.empty();
  }
}
