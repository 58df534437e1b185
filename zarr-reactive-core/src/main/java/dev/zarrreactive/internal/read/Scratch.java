package dev.zarrreactive.internal.read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Scratch memory that is reused between the decodes of one operation, since an allocation costs
 * more than a decode. Used by one thread at a time.
 */
final class Scratch {
  private final List<byte[]> arrays = new ArrayList<>();
  private final IntFunction<byte[]> memory = this::take;
  private int used;

  /**
   * Returns an array of at least {@code size} bytes with any content, valid until the end of the
   * current {@link Pool#use}.
   */
  private byte[] take(int size) {
    if (used == arrays.size()) {
      arrays.add(new byte[size]);
    } else if (arrays.get(used).length < size) {
      arrays.set(used, new byte[size]);
    }
    return arrays.get(used++);
  }

  /** The scratch memory of one operation: one instance for each thread that decodes for it. */
  static final class Pool {
    private final Deque<Scratch> idle = new ArrayDeque<>();

    /** Runs work with scratch memory; its result must not refer to that memory. */
    <T> T use(Function<IntFunction<byte[]>, T> work) {
      Scratch scratch = take();
      scratch.used = 0;
      T result = work.apply(scratch.memory);
      giveBack(scratch);
      return result;
    }

    private synchronized Scratch take() {
      Scratch last = idle.pollLast();
      return last == null ? new Scratch() : last;
    }

    private synchronized void giveBack(Scratch scratch) {
      idle.add(scratch);
    }
  }
}
