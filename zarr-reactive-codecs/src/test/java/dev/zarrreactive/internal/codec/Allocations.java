package dev.zarrreactive.internal.codec;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/** How much heap some work takes. */
public final class Allocations {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /**
   * The least bytes that this thread allocates when it runs {@code work} three times: the first run
   * may load classes.
   */
  public static long of(Runnable work) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      work.run();
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  /** A target that adds up what it is asked for. */
  public static DecodeTarget counting(SizeBound size, AtomicLong asked) {
    return DecodeTarget.from(
        length -> {
          asked.addAndGet(length);
          return new byte[length];
        },
        size);
  }
}
