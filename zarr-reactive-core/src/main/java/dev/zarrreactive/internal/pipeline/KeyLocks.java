package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * One writer at a time for each key of a store, inside this process. Nobody blocks: a writer's work
 * begins when its turn comes, first come, first served.
 */
public final class KeyLocks {
  /** How long a cancelled writer's request is waited for. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** For each key in use, who works on it and, behind, who waits. */
  private static final ConcurrentMap<Lock, Set<Turn>> LINES = new ConcurrentHashMap<>();

  private KeyLocks() {}

  /**
   * Does {@code work} when nobody else works on the key. The turn is over when the work completes,
   * fails or is cancelled, but not before a request that it {@linkplain Turn#store stores} with has
   * ended; who is cancelled while waiting leaves the line.
   */
  public static <T> Mono<T> exclusively(Store store, StoreKey key, Function<Turn, Mono<T>> work) {
    return Mono.defer(
        () -> {
          Turn turn = new Turn(new Lock(store, key));
          return atTheEnd(turn.begun().then(Mono.defer(() -> work.apply(turn))), turn::end);
        });
  }

  /** Runs {@code end} before a completion or an error is handed on, or after a cancel was. */
  private static <T> Mono<T> atTheEnd(Mono<T> mono, Runnable end) {
    return mono.doOnTerminate(end).doFinally(signal -> end.run());
  }

  /** How many keys are in use. */
  static int lockedKeys() {
    return LINES.size();
  }

  /** A store is compared by identity: two stores may be equal and hold different values. */
  private record Lock(Store store, StoreKey key) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Lock that && store == that.store && key.equals(that.key);
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(store) + key.hashCode();
    }
  }

  /** One writer in the line of a key. */
  public static final class Turn {
    private final Lock lock;
    private @Nullable MonoSink<Void> start;
    private boolean storing;
    private boolean over;

    private Turn(Lock lock) {
      this.lock = lock;
    }

    /**
     * The request that the work ends with. It is not made where the work was cancelled already.
     * Once made it goes on although the work is cancelled, and the next turn comes when it has
     * ended: otherwise it might replace what the next writer stores. A request that does not end is
     * waited for no longer than {@link #PATIENCE}.
     */
    public <T> Mono<T> store(Mono<T> request) {
      return Mono.defer(
          () -> {
            change(line -> storing = !over);
            return storing ? toItsEnd(request) : Mono.never(); // nothing is said to be stored
          });
    }

    private <T> Mono<T> toItsEnd(Mono<T> request) {
      Mono<Void> stored = Mono.fromRunnable(this::stored);
      return Mono.usingWhen(
          Mono.just(request.cache()), // a cancel does not reach what is behind a cache
          running -> running,
          running -> stored,
          (running, error) -> stored,
          running ->
              running.timeout(PATIENCE, CodecScheduler.shared()).onErrorComplete().then(stored));
    }

    /** Completes when the turn has come; on the thread that gave it, or at once. */
    private Mono<Void> begun() {
      return Mono.create(
          sink -> {
            start = sink;
            change(
                line -> {
                  if (!over) {
                    line.add(this);
                  }
                });
          });
    }

    private void stored() {
      change(
          line -> {
            storing = false;
            if (over) {
              line.remove(this);
            }
          });
    }

    private void end() {
      change(
          line -> {
            over = true;
            if (!storing) {
              line.remove(this);
            }
          });
    }

    /** Changes the line and this turn's state, alone; then whoever stands first may begin. */
    private void change(Consumer<Set<Turn>> change) {
      Turn[] first = new Turn[1];
      LINES.compute(
          lock,
          (key, line) -> {
            Set<Turn> changed = line == null ? new LinkedHashSet<>() : line;
            change.accept(changed);
            if (changed.isEmpty()) {
              return null;
            }
            first[0] = changed.iterator().next();
            return changed;
          });
      if (first[0] != null && first[0].start != null) {
        first[0].start.success(); // where it has begun already, nothing happens
      }
    }
  }
}
