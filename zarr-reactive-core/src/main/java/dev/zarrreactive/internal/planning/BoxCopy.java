package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ElementMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies a box of elements from one C-ordered array into another, after joining dimensions that are
 * contiguous in both: whole rows are block copies.
 */
final class BoxCopy {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

  /** One loop: how often, and the offsets in slots of each round on both sides. */
  private record Loop(int count, Positions from, long fromStride, Positions to, long toStride) {
    int from(int i) {
      return (int) (from.get(i) * fromStride);
    }

    int to(int i) {
      return (int) (to.get(i) * toStride);
    }
  }

  private final Loop[] loops;
  private final int run; // slots that are contiguous on both sides

  private BoxCopy(Loop[] loops, int run) {
    this.loops = loops;
    this.run = run;
  }

  /**
   * A copy of the box {@code parts}, from its places "in the chunk" to those "in the result".
   *
   * @param fromExtents the shape of the array to read
   * @param toExtents the shape of the array to write
   * @param slots the slots of an element
   */
  static BoxCopy of(List<AxisPart> parts, long[] fromExtents, long[] toExtents, int slots) {
    List<Loop> loops = new ArrayList<>();
    long fromStride = slots;
    long toStride = slots;
    long run = slots;
    boolean contiguous = true;
    for (int d = parts.size() - 1; d >= 0; d--) {
      AxisPart part = parts.get(d);
      int count = part.count();
      contiguous &=
          part.inChunk().isContiguous(count)
              && part.inResult().isContiguous(count)
              && run == fromStride
              && run == toStride;
      if (contiguous) {
        run *= count;
        loops.add(0, new Loop(1, part.inChunk(), fromStride, part.inResult(), toStride));
      } else {
        loops.add(0, new Loop(count, part.inChunk(), fromStride, part.inResult(), toStride));
      }
      fromStride *= fromExtents[d];
      toStride *= toExtents[d];
    }
    return new BoxCopy(loops.toArray(Loop[]::new), (int) run);
  }

  /** Copies. */
  void run(ElementMemory from, ElementMemory to) {
    int fromStart = from.slot(0);
    int toStart = to.slot(0);
    int deepest = -1;
    for (int d = 0; d < loops.length; d++) {
      if (loops[d].count == 0) {
        return;
      }
      if (loops[d].count == 1) { // nothing to loop over: a fixed offset
        fromStart += loops[d].from(0);
        toStart += loops[d].to(0);
      } else {
        deepest = d;
      }
    }
    if (deepest < 0) {
      System.arraycopy(from.array(), fromStart, to.array(), toStart, run);
    } else {
      copy(0, deepest, from.array(), fromStart, to.array(), toStart);
    }
  }

  private void copy(int d, int deepest, Object from, int fromStart, Object to, int toStart) {
    Loop loop = loops[d];
    if (d == deepest) {
      if (from instanceof byte[] fromBytes && to instanceof byte[] toBytes) {
        copyRuns(loop, fromBytes, fromStart, toBytes, toStart);
      } else {
        copyObjects(loop, from, fromStart, to, toStart);
      }
    } else if (loop.count == 1) {
      copy(d + 1, deepest, from, fromStart, to, toStart);
    } else {
      for (int i = 0; i < loop.count; i++) {
        copy(d + 1, deepest, from, fromStart + loop.from(i), to, toStart + loop.to(i));
      }
    }
  }

  private void copyObjects(Loop loop, Object from, int fromStart, Object to, int toStart) {
    for (int i = 0; i < loop.count; i++) {
      System.arraycopy(from, fromStart + loop.from(i), to, toStart + loop.to(i), run);
    }
  }

  private void copyRuns(Loop loop, byte[] from, int fromStart, byte[] to, int toStart) {
    switch (run) {
      case 1 -> {
        for (int i = 0; i < loop.count; i++) {
          to[toStart + loop.to(i)] = from[fromStart + loop.from(i)];
        }
      }
      case 2 -> {
        for (int i = 0; i < loop.count; i++) {
          SHORT.set(to, toStart + loop.to(i), (short) SHORT.get(from, fromStart + loop.from(i)));
        }
      }
      case 4 -> {
        for (int i = 0; i < loop.count; i++) {
          INT.set(to, toStart + loop.to(i), (int) INT.get(from, fromStart + loop.from(i)));
        }
      }
      case 8 -> {
        for (int i = 0; i < loop.count; i++) {
          LONG.set(to, toStart + loop.to(i), (long) LONG.get(from, fromStart + loop.from(i)));
        }
      }
      default -> {
        for (int i = 0; i < loop.count; i++) {
          System.arraycopy(from, fromStart + loop.from(i), to, toStart + loop.to(i), run);
        }
      }
    }
  }
}
