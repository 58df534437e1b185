package dev.zarrreactive.internal.sharing;

import java.util.concurrent.CancellationException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * Lets the attempt under way of a request go on after its subscriber has cancelled, because a
 * cancelled attempt cannot report its end. The decorators between the subscriber and the store
 * begin no other attempt then. Thread-safe.
 */
public final class AttemptShield {
  private static final String KEY = AttemptShield.class.getName();

  private final Sinks.Empty<Void> cancelled = Sinks.empty();
  private final Sinks.Empty<Void> abandoned = Sinks.empty();
  private volatile boolean isCancelled;

  /**
   * Returns {@code request} for one or more subscribers, which share it. Their cancel does not
   * reach it.
   */
  public <T> Mono<T> over(Mono<T> request) {
    return request
        .takeUntilOther(abandoned.asMono())
        .contextWrite(context -> context.put(KEY, this))
        .cache();
  }

  /** Lets no further attempt begin; the attempt under way goes on. */
  public void cancel() {
    isCancelled = true;
    cancelled.tryEmitEmpty();
  }

  /** Cancels the attempt under way. */
  public void abandon() {
    abandoned.tryEmitEmpty();
  }

  /** Returns true where {@code subscriber} has a shield that is {@linkplain #cancel cancelled}. */
  public static boolean isCancelled(ContextView subscriber) {
    return subscriber.hasKey(KEY) && subscriber.<AttemptShield>get(KEY).isCancelled;
  }

  /**
   * Returns {@code step}, which comes before an attempt, such as a back-off or the wait for a
   * permit. It ends in a {@link CancellationException} as soon as the shield of {@code subscriber},
   * if there is one, is {@linkplain #cancel cancelled}.
   */
  public static <T> Mono<T> beforeAttempt(ContextView subscriber, Mono<T> step) {
    if (!subscriber.hasKey(KEY)) {
      return step;
    }
    AttemptShield shield = subscriber.get(KEY);
    Mono<T> end =
        shield
            .cancelled
            .asMono()
            .then(Mono.error(() -> new CancellationException("the subscriber has cancelled")));
    return Mono.firstWithSignal(end, step);
  }
}
