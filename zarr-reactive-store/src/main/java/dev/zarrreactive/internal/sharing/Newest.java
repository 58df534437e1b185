package dev.zarrreactive.internal.sharing;

import dev.zarrreactive.internal.threads.Environment;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The newest state of something that changes elsewhere, for many who ask at the same time. One
 * request is under way at a time, and one is waiting: who asks joins the waiting one, which begins
 * after the call, so that a state is never older than the call, but for one who allows an age.
 */
public final class Newest<T> {
  private final Mono<T> source;
  private @Nullable Turn running;
  private @Nullable Turn waiting;

  /** Asks a source. */
  public Newest(Mono<T> source) {
    this.source = source;
  }

  /** Emits the state. An error of the source goes to those who share the request alone. */
  public Mono<T> now() {
    return now(Duration.ZERO);
  }

  /** Emits the state, or an older one of at most this age. */
  public Mono<T> now(Duration age) {
    return Mono.defer(() -> joined(age.toNanos()));
  }

  private synchronized Mono<T> joined(long age) {
    Turn last = running;
    boolean isFresh = last != null && Environment.current().nanoTime() - last.begunAt < age;
    Mono<T> joined = last != null && isFresh ? last.request.tryJoin() : null;
    Turn next = waiting;
    if (joined == null && next != null) {
      joined = next.request.tryJoin();
    }
    if (joined == null) {
      next = new Turn(last);
      waiting = next;
      joined = Objects.requireNonNull(next.request.tryJoin());
    }
    return joined;
  }

  /** One request, which begins when the one before it has ended. */
  private final class Turn {
    final SharedRequest<T> request = new SharedRequest<>(Mono.defer(this::run));
    private @Nullable Turn before;
    private long begunAt;

    Turn(@Nullable Turn before) {
      this.before = before;
    }

    private Mono<T> run() {
      Turn last = before;
      Mono<T> ending = last == null ? null : last.request.tryJoin();
      return (ending == null ? Mono.empty() : ending.onErrorComplete().then())
          .then(Mono.defer(this::begin));
    }

    private Mono<T> begin() {
      synchronized (Newest.this) {
        before = null; // or each turn would hold all of them
        begunAt = Environment.current().nanoTime();
        if (waiting == this) {
          waiting = null;
          running = this;
        }
      }
      return source;
    }
  }
}
