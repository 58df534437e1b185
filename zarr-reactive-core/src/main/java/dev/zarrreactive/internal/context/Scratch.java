package dev.zarrreactive.internal.context;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Scratch memory that is reused between decodes, since an allocation costs more than a decode. Used
 * by one thread at a time.
 */
public final class Scratch implements IntFunction<byte[]> {
  /** The most bytes that stay with an idle instance when no operation uses it. */
  private static final int MOST_KEPT = 2 << 20;

  private static final Deque<Scratch> KEPT = new ArrayDeque<>();

  private final List<byte[]> arrays = new ArrayList<>();
  private int used;

  /**
   * Returns an array of at least {@code size} bytes with any content, valid until the instance goes
   * back to its pool.
   */
  @Override
  public byte[] apply(int size) {
    if (used == arrays.size()) {
      arrays.add(new byte[size]);
    } else if (arrays.get(used).length < size) {
      arrays.set(used, new byte[size]);
    }
    return arrays.get(used++);
  }

  private boolean isSmall() {
    long bytes = 0;
    for (byte[] array : arrays) {
      bytes += array.length;
    }
    return bytes <= MOST_KEPT;
  }

  /**
   * The scratch memory of one operation: one instance for each thread that decodes for it. The next
   * operation gets the small ones.
   */
  public static final class Pool {
    private final Deque<Scratch> idle = new ArrayDeque<>();

    /** Lends scratch memory. */
    public Scratch take() {
      Scratch last;
      synchronized (this) {
        last = idle.pollLast();
      }
      if (last == null) {
        synchronized (KEPT) {
          last = KEPT.pollLast();
        }
      }
      return last == null ? new Scratch() : last;
    }

    /** Takes scratch memory back; nothing refers to it any more. */
    public void giveBack(Scratch scratch) {
      scratch.used = 0;
      synchronized (this) {
        idle.add(scratch);
      }
    }

    /** Leaves the idle memory to other operations: one instance for each processor at the most. */
    public void end() {
      synchronized (this) {
        synchronized (KEPT) {
          while (!idle.isEmpty() && KEPT.size() < Runtime.getRuntime().availableProcessors()) {
            Scratch one = idle.removeLast();
            if (one.isSmall()) {
              KEPT.add(one);
            }
          }
        }
        idle.clear();
      }
    }
  }
}
