package dev.zarrreactive.internal.sharing;

import java.util.concurrent.CancellationException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * Shields the attempt in flight of a request from the cancel of its subscriber, because a cancelled
 * attempt cannot report its end. After the cancel, the decorators between the subscriber and the
 * store begin no further attempt. Thread-safe.
 */
public final class AttemptShield {
  private static final String KEY = AttemptShield.class.getName();

  private final Sinks.Empty<Void> cancelled = Sinks.empty();
  private final Sinks.Empty<Void> abandoned = Sinks.empty();
  private volatile boolean isCancelled;

  /** Returns {@code request}, shared by all subscribers and shielded from their cancel. */
  public <T> Mono<T> over(Mono<T> request) {
    return request
        .takeUntilOther(abandoned.asMono())
        .contextWrite(context -> context.put(KEY, this))
        .cache();
  }

  /** Prevents further attempts; the attempt in flight goes on. */
  public void cancel() {
    isCancelled = true;
    cancelled.tryEmitEmpty();
  }

  /** Cancels the attempt in flight. */
  public void abandon() {
    abandoned.tryEmitEmpty();
  }

  /** Returns true if {@code subscriber} has a shield that is {@linkplain #cancel cancelled}. */
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
