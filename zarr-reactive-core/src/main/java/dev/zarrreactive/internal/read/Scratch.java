package dev.zarrreactive.internal.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Memory that the decodes of one operation use again and again: new memory costs more than what is
 * done with it. Used by one thread at a time.
 */
final class Scratch {
  private final List<byte[]> arrays = new ArrayList<>();
  private int used;

  /** An array of at least {@code size} bytes, of any content, until the work at hand is done. */
  private byte[] take(int size) {
    if (used == arrays.size()) {
      arrays.add(new byte[size]);
    } else if (arrays.get(used).length < size) {
      arrays.set(used, new byte[size]);
    }
    return arrays.get(used++);
  }

  /** The scratch memory of one operation: as much as threads work for it. */
  static final class Pool {
    private final Queue<Scratch> idle = new ConcurrentLinkedQueue<>();

    /** Does work that may use scratch memory, but not hand it on. */
    <T> T use(Function<IntFunction<byte[]>, T> work) {
      Scratch polled = idle.poll();
      Scratch scratch = polled == null ? new Scratch() : polled;
      scratch.used = 0;
      T result = work.apply(scratch::take);
      idle.add(scratch);
      return result;
    }
  }
}
