package dev.zarrreactive.internal.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The generations of the values in a store. The generation of a key advances with each write of the
 * key, so that a load can detect that a write has overtaken it. A fixed number of counters serves
 * all keys: two keys may share one, and a write of either advances both. Thread-safe.
 */
public final class Generations {
  private static final int COUNTERS = 1 << 12;

  private final AtomicLongArray counters = new AtomicLongArray(COUNTERS);
  private final AtomicLong ofAll = new AtomicLong();

  /** Returns the generation of {@code key}. */
  public long of(Object key) {
    return ofAll.get() + counters.get(counter(key));
  }

  /** Advances the generation of {@code key}. */
  public void advance(Object key) {
    counters.incrementAndGet(counter(key));
  }

  /** Advances the generation of every key. */
  public void advanceAll() {
    ofAll.incrementAndGet();
  }

  private static int counter(Object key) {
    int hash = key.hashCode() * 0x9E3779B9;
    return (hash >>> 16) & (COUNTERS - 1);
  }
}
