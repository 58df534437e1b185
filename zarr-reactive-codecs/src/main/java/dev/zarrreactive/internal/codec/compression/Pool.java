package dev.zarrreactive.internal.codec.compression;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A pool of objects that are expensive to create, for example native contexts. An object serves one
 * use at a time. A caller never waits: without an idle object a new one is created, and an object
 * that comes back to a full pool is discarded. Thread-safe, without locks.
 *
 * @param <T> the pooled objects
 */
public final class Pool<T> {
  private final int mostIdle;
  private final Supplier<T> make;
  private final Consumer<T> discard;

  /** The idle objects, the last used first: its memory is likely in the processor's cache. */
  private final Deque<T> idle = new ConcurrentLinkedDeque<>();

  private final AtomicInteger idleCount = new AtomicInteger(); // never less than the size of idle

  /**
   * Creates an empty pool.
   *
   * @param mostIdle the most objects to keep
   * @param make creates an object
   * @param discard frees an object that the pool does not keep
   */
  public Pool(int mostIdle, Supplier<T> make, Consumer<T> discard) {
    this.mostIdle = mostIdle;
    this.make = make;
    this.discard = discard;
  }

  /** Creates a pool that keeps one object for each processor. */
  public static <T> Pool<T> perProcessor(Supplier<T> make, Consumer<T> discard) {
    return new Pool<>(Runtime.getRuntime().availableProcessors(), make, discard);
  }

  /**
   * Lends an object to {@code use}. It comes back in the state in which {@code use} leaves it, also
   * by an exception: each use begins with a reset.
   */
  public <R> R with(Function<T, R> use) {
    T one = take();
    try {
      return use.apply(one);
    } finally {
      giveBack(one);
    }
  }

  private T take() {
    T one = idle.poll();
    if (one == null) {
      return make.get();
    }
    idleCount.decrementAndGet();
    return one;
  }

  private void giveBack(T one) {
    if (idleCount.incrementAndGet() <= mostIdle) {
      idle.addFirst(one);
    } else {
      idleCount.decrementAndGet();
      discard.accept(one);
    }
  }
}
