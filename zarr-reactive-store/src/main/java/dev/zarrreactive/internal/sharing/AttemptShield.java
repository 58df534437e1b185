package dev.zarrreactive.internal.sharing;

import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * Shields the attempt in flight of a request from the cancel of its subscriber and from the
 * deadline of its attempts, because a cancelled attempt cannot report its end. After either, the
 * decorators between the subscriber and the store begin no further attempt. Thread-safe.
 */
public final class AttemptShield {
  private static final String KEY = AttemptShield.class.getName();

  private final Sinks.Empty<Void> cancelled = Sinks.empty();
  private final Sinks.Empty<Void> expired = Sinks.empty();
  private final Sinks.Empty<Void> abandoned = Sinks.empty();

  /** Returns {@code request}, shared by all subscribers and shielded from their cancel. */
  public <T> Mono<T> shield(Mono<T> request) {
    return request
        .takeUntilOther(abandoned.asMono())
        .contextWrite(context -> context.put(KEY, this))
        .cache();
  }

  /**
   * Ends the request of {@code subscriber} with an error at its deadline, if there is a shield: no
   * further attempt begins, and the attempt in flight goes on for its owner.
   *
   * @return false if there is no shield, so that the caller has to end the request itself
   */
  public static boolean tryExpire(ContextView subscriber, Supplier<? extends Throwable> error) {
    if (!subscriber.hasKey(KEY)) {
      return false;
    }
    AttemptShield shield = subscriber.get(KEY);
    shield.expired.tryEmitError(error.get());
    shield.cancel();
    return true;
  }

  /** Ends with the error of a request whose deadline has passed; otherwise never ends. */
  public <T> Mono<T> expiry() {
    return expired.asMono().then(Mono.never());
  }

  /** Prevents further attempts; the attempt in flight goes on. */
  public void cancel() {
    cancelled.tryEmitEmpty();
  }

  /** Cancels the attempt in flight. */
  public void abandon() {
    abandoned.tryEmitEmpty();
  }

  /** Returns true if the attempts of {@code subscriber} have a shield. */
  public static boolean hasOne(ContextView subscriber) {
    return subscriber.hasKey(KEY);
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
