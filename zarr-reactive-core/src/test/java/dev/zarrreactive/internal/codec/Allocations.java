package dev.zarrreactive.internal.codec;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/** How much heap some work takes. */
final class Allocations {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /** The bytes that this thread allocates while it runs {@code work}. */
  static long of(Runnable work) {
    long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    work.run();
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
  }

  /** A target that adds up what it is asked for. */
  static DecodeTarget counting(SizeBound size, AtomicLong asked) {
    return DecodeTarget.from(
        length -> {
          asked.addAndGet(length);
          return new byte[length];
        },
        size);
  }
}
