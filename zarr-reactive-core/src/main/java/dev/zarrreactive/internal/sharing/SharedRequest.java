package dev.zarrreactive.internal.sharing;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;

/**
 * One request and all who wait for its answer. It begins with the first of them; who cancels leaves
 * the others alone, and when all have left before the answer is there, it is cancelled and given
 * up. An answer, also an empty one, goes to whoever joins later, too; an error only to those who
 * wait.
 *
 * <p>The owner keeps the request where others find it, and makes another one where {@link #tryJoin}
 * says that this one is over. Signals arrive on the thread of the request, for those who join after
 * the answer on their own.
 */
public final class SharedRequest<T> {
  private static final int ANSWERED = -1;
  private static final int FAILED = -2;
  private static final int ABANDONED = -3;

  /** What becomes of a request; told once, on the thread where it happens, with no lock held. */
  public interface Owner<T> {
    /** The answer is here, null where it is empty; told before those who wait get it. */
    default void answered(SharedRequest<T> request, @Nullable T answer) {}

    /** The request failed; told before those who wait get the error. */
    default void failed(SharedRequest<T> request) {}

    /** All have left; told before the request is cancelled, after which nothing else is told. */
    default void abandoned(SharedRequest<T> request) {}
  }

  private final Owner<T> owner;
  private final Mono<T> answer;
  private final Sinks.Empty<Void> abandoned = Sinks.empty();

  /** How many wait, or what has become of the request. */
  private final AtomicInteger state = new AtomicInteger();

  /** A request that subscribes to {@code source} once, or never. */
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
            .cache(); // an error, too: it is for those who wait, nobody else is let in
  }

  /** A request whose owner need not be told of anything. */
  public SharedRequest(Mono<T> source) {
    this(source, new Owner<T>() {});
  }

  /**
   * The answer for one more, or null where the request has failed or was given up. The place is
   * taken at once: subscribe to the result, exactly once, or the request is never given up. A
   * second subscription ends in {@link IllegalStateException}.
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
        answer.doFinally(
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

  /** True where the request was still waited for. */
  private boolean end(int how) {
    int now = state.get();
    while (now >= 0 && !state.compareAndSet(now, how)) {
      now = state.get();
    }
    return now >= 0;
  }
}
