package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.threads.Environment;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The requests of one search for a node. After the result the remaining requests are awaited, for
 * twice the time of the search at most, and then cancelled: a cancelled request costs a store over
 * HTTP its connection, and the documents of nodes are small and arrive together. A cancel of the
 * search cancels them at once. No request outlives the search.
 */
final class NodeRequests {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private final Documents stored;
  private final long start = Environment.current().nanoTime();
  private final Queue<Mono<Bytes>> begun = new ConcurrentLinkedQueue<>();
  private final Sinks.Empty<Void> over = Sinks.empty();

  private NodeRequests(Documents stored) {
    this.stored = stored;
  }

  /** Returns the result of a search, which runs once for each subscription. */
  static <T> Mono<T> of(Documents stored, Function<NodeRequests, Mono<T>> search) {
    return Mono.defer(
        () -> {
          NodeRequests requests = new NodeRequests(stored);
          return search
              .apply(requests)
              .materialize()
              .delayUntil(result -> requests.rest())
              .<T>dematerialize()
              .doFinally(end -> requests.over.tryEmitEmpty());
        });
  }

  /**
   * Emits the document at {@code key}, or completes empty. A cancel of the result does not reach
   * the store.
   */
  Mono<Bytes> get(StoreKey key) {
    Mono<Bytes> request = stored.get(key).takeUntilOther(over.asMono()).cache();
    return Mono.defer(
        () -> {
          begun.add(request);
          return request;
        });
  }

  /** Completes when no request is in flight, or the time is over. */
  private Mono<Void> rest() {
    Duration taken = Duration.ofNanos(Environment.current().nanoTime() - start).multipliedBy(2);
    Duration wait = taken.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : taken;
    Duration most = wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    return Mono.when(begun.stream().map(request -> request.onErrorComplete()).toList())
        .takeUntilOther(Mono.delay(most, Environment.current().codecScheduler()));
  }
}
