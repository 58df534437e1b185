package dev.zarrreactive.internal.codec;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Keeps things that cost much to make, such as a compressor's native context, for the next use. One
 * use has its thing to itself. Nobody waits: where none is idle a new one is made, and where enough
 * are idle already the one that comes back is discarded. Thread-safe, without locks.
 *
 * @param <T> what is kept
 */
public final class Pool<T> {
  private final int mostIdle;
  private final Supplier<T> make;
  private final Consumer<T> discard;

  /** The one that was used last comes first: its memory is still near. */
  private final Deque<T> idle = new ConcurrentLinkedDeque<>();

  private final AtomicInteger idleCount = new AtomicInteger(); // never less than there are in idle

  /**
   * An empty pool.
   *
   * @param mostIdle how many to keep at the most
   * @param make makes a new one
   * @param discard frees one that is not kept
   */
  public Pool(int mostIdle, Supplier<T> make, Consumer<T> discard) {
    this.mostIdle = mostIdle;
    this.make = make;
    this.discard = discard;
  }

  /** A pool that keeps one for each processor. */
  public static <T> Pool<T> perProcessor(Supplier<T> make, Consumer<T> discard) {
    return new Pool<>(Runtime.getRuntime().availableProcessors(), make, discard);
  }

  /**
   * Lends one to {@code use}. It comes back in whatever state {@code use} leaves it, also where
   * that throws: who takes one begins by resetting it.
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
