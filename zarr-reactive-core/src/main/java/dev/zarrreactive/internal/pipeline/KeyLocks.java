package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * One writer at a time for each key of a store, inside this process. Nobody blocks: a writer's work
 * begins when its turn comes, first come, first served.
 */
final class KeyLocks {
  /** Keys with a writer; the queue holds those who wait. */
  private static final ConcurrentMap<Lock, Queue<Turn>> LOCKS = new ConcurrentHashMap<>();

  private KeyLocks() {}

  /** Does {@code work} when nobody else works on the key; a cancel gives up the turn. */
  static <T> Mono<T> exclusively(Store store, StoreKey key, Mono<T> work) {
    return Mono.usingWhen(
        turn(new Lock(store, key)), turn -> work, turn -> Mono.fromRunnable(turn::end));
  }

  private static Mono<Turn> turn(Lock lock) {
    return Mono.create(
        sink -> {
          Turn turn = new Turn(lock, sink);
          sink.onCancel(turn::end);
          LOCKS.compute(
              lock,
              (key, waiting) -> {
                if (waiting == null) {
                  return new ArrayDeque<>();
                }
                waiting.add(turn);
                turn.waits = true;
                return waiting;
              });
          if (!turn.waits) {
            sink.success(turn);
          }
        });
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

  private static final class Turn {
    private final Lock lock;
    private final MonoSink<Turn> sink;
    private final AtomicBoolean ended = new AtomicBoolean();
    private boolean waits; // written before anybody else can see this turn

    Turn(Lock lock, MonoSink<Turn> sink) {
      this.lock = lock;
      this.sink = sink;
    }

    /** Ends the turn, or the wait for it, once. */
    void end() {
      if (!ended.compareAndSet(false, true)) {
        return;
      }
      Turn[] next = new Turn[1];
      LOCKS.computeIfPresent(
          lock,
          (key, waiting) -> {
            if (waiting.remove(this)) {
              return waiting; // it never began
            }
            next[0] = waiting.poll();
            return next[0] == null ? null : waiting;
          });
      if (next[0] != null) {
        next[0].sink.success(next[0]);
      }
    }
  }
}
