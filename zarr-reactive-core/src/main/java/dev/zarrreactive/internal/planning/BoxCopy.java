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

  private final List<Loop> loops; // the innermost first
  private final long from;
  private final long to;
  private final int run; // slots that are contiguous on both sides

  private BoxCopy(List<Loop> loops, long from, long to, int run) {
    this.loops = loops;
    this.from = from;
    this.to = to;
    this.run = run;
  }

  /** Returns a copy from a chunk into a result of shape {@code resultExtents}. */
  static BoxCopy toResult(AxisPart[] parts, long[] resultExtents, int slotsPerElement) {
    return of(parts, resultExtents, slotsPerElement, true);
  }

  /** Returns a copy from a result of shape {@code resultExtents} into a chunk. */
  static BoxCopy toChunk(AxisPart[] parts, long[] resultExtents, int slotsPerElement) {
    return of(parts, resultExtents, slotsPerElement, false);
  }

  private static BoxCopy of(AxisPart[] parts, long[] resultExtents, int slots, boolean toResult) {
    List<Loop> loops = new ArrayList<>(parts.length);
    long chunkStart = 0;
    long resultStart = 0;
    long chunkStride = slots;
    long resultStride = slots;
    long run = slots;
    boolean contiguous = true;
    for (int d = parts.length - 1; d >= 0; d--) {
      AxisPart part = parts[d];
      int count = part.count();
      contiguous &=
          part.inChunk().isContiguous(count)
              && part.inResult().isContiguous(count)
              && run == chunkStride
              && run == resultStride;
      if (contiguous) {
        run *= count;
      }
      if (contiguous || count == 1) { // nothing to loop over: a fixed offset
        chunkStart += part.inChunk().get(0) * chunkStride;
        resultStart += part.inResult().get(0) * resultStride;
      } else if (toResult) {
        loops.add(new Loop(count, part.inChunk(), chunkStride, part.inResult(), resultStride));
      } else {
        loops.add(new Loop(count, part.inResult(), resultStride, part.inChunk(), chunkStride));
      }
      chunkStride *= part.extent();
      resultStride *= resultExtents[d];
    }
    return toResult
        ? new BoxCopy(loops, chunkStart, resultStart, (int) run)
        : new BoxCopy(loops, resultStart, chunkStart, (int) run);
  }

  /** Copies. */
  void run(ElementMemory source, ElementMemory target) {
    int fromStart = source.slot(0) + (int) from;
    int toStart = target.slot(0) + (int) to;
    if (loops.isEmpty()) {
      System.arraycopy(source.array(), fromStart, target.array(), toStart, run);
    } else {
      copy(loops.size() - 1, source.array(), fromStart, target.array(), toStart);
    }
  }

  private void copy(int l, Object from, int fromStart, Object to, int toStart) {
    Loop loop = loops.get(l);
    if (l > 0) {
      for (int i = 0; i < loop.count; i++) {
        copy(l - 1, from, fromStart + loop.from(i), to, toStart + loop.to(i));
      }
    } else if (from instanceof byte[] fromBytes && to instanceof byte[] toBytes) {
      copyRuns(loop, fromBytes, fromStart, toBytes, toStart);
    } else {
      copyObjects(loop, from, fromStart, to, toStart);
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
