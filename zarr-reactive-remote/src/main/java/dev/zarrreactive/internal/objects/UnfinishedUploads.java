package dev.zarrreactive.internal.objects;

import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import java.time.Duration;
import java.time.Instant;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds and removes uploads that were begun and never ended.
 *
 * @param <U> an upload
 */
public final class UnfinishedUploads<U> {
  private static final int AT_A_TIME = 8;

  private final ObjectNames names;
  private final Requests<U> requests;

  /** The uploads of one store. */
  public UnfinishedUploads(ObjectNames names, Requests<U> requests) {
    this.names = names;
    this.requests = requests;
  }

  /**
   * The requests of one service. Errors are those of a store.
   *
   * @param <U> an upload
   */
  public interface Requests<U> {
    /** Lists uploads; those of other prefixes than the store's may be among them. */
    Flux<U> uploads();

    /** Returns the name of the object. */
    String object(U upload);

    /** Returns the time at which the upload was begun. */
    Instant begun(U upload);

    /** Counts the bytes that have arrived; empty where the upload has ended since. */
    Mono<Long> bytes(U upload);

    /** Discards an upload and emits it; empty where it has ended since. */
    Mono<U> discard(U upload);
  }

  /** Lists the uploads below the prefix of the store that are at least so old, with their bytes. */
  public Flux<Leftover> list(Duration age) {
    return Concurrently.map(
        olderThan(age),
        AT_A_TIME,
        upload -> requests.bytes(upload).map(size -> new Leftover(key(upload), size)));
  }

  private String key(U upload) {
    return requests.object(upload).substring(names.prefix().length());
  }

  /** Removes these uploads, and counts them. */
  public Mono<Long> remove(Duration age) {
    return Concurrently.map(olderThan(age), AT_A_TIME, requests::discard).count();
  }

  private Flux<U> olderThan(Duration age) {
    return Flux.defer(
        () -> {
          Instant latest = Instant.now().minus(age);
          return requests
              .uploads()
              .filter(upload -> requests.object(upload).startsWith(names.prefix()))
              .filter(upload -> !requests.begun(upload).isAfter(latest));
        });
  }
}
