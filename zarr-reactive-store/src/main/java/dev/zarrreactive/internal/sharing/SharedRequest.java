package dev.zarrreactive.internal.sharing;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;

/**
 * A single-flight request and its subscribers. The first subscription starts it. The request is
 * cancelled when the last subscriber cancels before the answer. Later subscribers receive the same
 * answer, even an empty one. An error reaches only the subscribers that were waiting for it.
 *
 * <p>The owner publishes the request to other callers, and makes another one if {@link #tryJoin}
 * returns null. Signals arrive on the thread of the request; a subscriber that joins after the
 * answer gets it on its own thread.
 */
public final class SharedRequest<T> {
  private static final int ANSWERED = -1;
  private static final int FAILED = -2;
  private static final int ABANDONED = -3;

  /**
   * Is told the outcome of a request, once, on the thread of that event and outside of any lock.
   */
  public interface Owner<T> {
    /** Receives the answer before the subscribers do; null if it is empty. */
    default void answered(SharedRequest<T> request, @Nullable T answer) {}

    /** Is called when the request has failed, before the subscribers receive the error. */
    default void failed(SharedRequest<T> request) {}

    /**
     * Is called when the last subscriber has cancelled, before the request is cancelled. No other
     * call follows.
     */
    default void abandoned(SharedRequest<T> request) {}
  }

  private final Owner<T> owner;
  private final Mono<T> answer;
  private final Sinks.Empty<Void> abandoned = Sinks.empty();

  /** The number of subscribers, or one of the negative outcomes. */
  private final AtomicInteger state = new AtomicInteger();

  /** Creates a request that subscribes to {@code source} at most once. */
  public SharedRequest(Mono<T> source, Owner<T> owner) {
    this.owner = owner;
    this.answer =
        Mono.defer(() -> state.get() == ABANDONED ? Mono.<T>empty() : source)
            .doOnSuccess(
                value -> {
                  if (end(ANSWERED)) {
                    owner.answered(this, value);
                  }
                })
            .doOnError(
                error -> {
                  if (end(FAILED)) {
                    owner.failed(this);
                  }
                })
            .takeUntilOther(abandoned.asMono())
            .cache(); // an error, too: only the waiting subscribers receive it
  }

  /** Creates a request without an owner. */
  public SharedRequest(Mono<T> source) {
    this(source, new Owner<T>() {});
  }

  /**
   * Joins the request; null if it has failed or was abandoned. The caller counts as a subscriber at
   * once, so it must subscribe to the result exactly once. A missing subscription would keep the
   * request alive after all other subscribers have cancelled. A second subscription fails with
   * {@link IllegalStateException}.
   */
  public @Nullable Mono<T> tryJoin() {
    int now = state.get();
    while (now >= 0 && !state.compareAndSet(now, now + 1)) {
      now = state.get();
    }
    if (now == ANSWERED) {
      return answer;
    }
    return now < 0 ? null : place();
  }

  private Mono<T> place() {
    AtomicBoolean taken = new AtomicBoolean();
    Mono<T> waiting =
        answer
            .onErrorMap(SharedFailure::forOne)
            .doFinally(
                end -> {
                  if (end == SignalType.CANCEL) {
                    leave();
                  }
                });
    return Mono.defer(
        () ->
            taken.compareAndSet(false, true)
                ? waiting
                : Mono.error(() -> new IllegalStateException("join again to wait again")));
  }

  private void leave() {
    int now = state.get();
    while (now > 0 && !state.compareAndSet(now, now == 1 ? ABANDONED : now - 1)) {
      now = state.get();
    }
    if (now == 1) {
      owner.abandoned(this);
      abandoned.tryEmitEmpty();
    }
  }

  /** Sets the outcome; returns false if there already was one. */
  private boolean end(int how) {
    int now = state.get();
    while (now >= 0 && !state.compareAndSet(now, how)) {
      now = state.get();
    }
    return now >= 0;
  }
}
