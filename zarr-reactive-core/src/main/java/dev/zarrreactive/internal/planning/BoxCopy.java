package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ElementMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

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

  private final AxisPart[] parts;
  private final long[] resultExtents;
  private final boolean toResult;
  private final int last; // the innermost dimension to loop over; -1 for none
  private final int run; // slots that are contiguous on both sides
  private final int from; // the first slot, by the dimensions after the last loop
  private final int to;
  private final int fromStride; // in slots, of the last loop
  private final int toStride;

  private BoxCopy(AxisPart[] parts, long[] resultExtents, int slots, boolean toResult) {
    this.parts = parts;
    this.resultExtents = resultExtents;
    this.toResult = toResult;
    long run = slots;
    long from = 0;
    long to = 0;
    long fromStride = slots;
    long toStride = slots;
    int d = parts.length - 1;
    for (; d >= 0; d--) {
      int count = parts[d].count();
      Positions fromPlaces = fromPlaces(d);
      Positions toPlaces = toPlaces(d);
      if (run == fromStride
          && run == toStride
          && fromPlaces.isContiguous(count)
          && toPlaces.isContiguous(count)) {
        run *= count;
      } else if (count > 1) {
        break;
      }
      from += fromPlaces.get(0) * fromStride;
      to += toPlaces.get(0) * toStride;
      fromStride *= fromExtent(d);
      toStride *= toExtent(d);
    }
    this.last = d;
    this.run = (int) run;
    this.from = (int) from;
    this.to = (int) to;
    this.fromStride = (int) fromStride;
    this.toStride = (int) toStride;
  }

  /** Returns a copy from a chunk into a result of shape {@code resultExtents}. */
  static BoxCopy toResult(AxisPart[] parts, long[] resultExtents, int slotsPerElement) {
    return new BoxCopy(parts, resultExtents, slotsPerElement, true);
  }

  /** Returns a copy from a result of shape {@code resultExtents} into a chunk. */
  static BoxCopy toChunk(AxisPart[] parts, long[] resultExtents, int slotsPerElement) {
    return new BoxCopy(parts, resultExtents, slotsPerElement, false);
  }

  private Positions fromPlaces(int d) {
    return toResult ? parts[d].inChunk() : parts[d].inResult();
  }

  private Positions toPlaces(int d) {
    return toResult ? parts[d].inResult() : parts[d].inChunk();
  }

  private long fromExtent(int d) {
    return toResult ? parts[d].extent() : resultExtents[d];
  }

  private long toExtent(int d) {
    return toResult ? resultExtents[d] : parts[d].extent();
  }

  /** Copies. */
  void run(ElementMemory source, ElementMemory target) {
    int fromStart = source.slot(0) + from;
    int toStart = target.slot(0) + to;
    if (last < 0) {
      System.arraycopy(source.array(), fromStart, target.array(), toStart, run);
    } else {
      loop(0, source.array(), fromStart, target.array(), toStart);
    }
  }

  private void loop(int d, Object from, int fromStart, Object to, int toStart) {
    int count = parts[d].count();
    Positions fromPlaces = fromPlaces(d);
    Positions toPlaces = toPlaces(d);
    if (d == last) {
      copy(count, from, fromStart, fromPlaces, to, toStart, toPlaces);
      return;
    }
    int outerFromStride = fromStride;
    int outerToStride = toStride;
    for (int inner = last; inner > d; inner--) {
      outerFromStride *= (int) fromExtent(inner);
      outerToStride *= (int) toExtent(inner);
    }
    for (int i = 0; i < count; i++) {
      loop(
          d + 1,
          from,
          fromStart + (int) fromPlaces.get(i) * outerFromStride,
          to,
          toStart + (int) toPlaces.get(i) * outerToStride);
    }
  }

  /** Copies the runs of the last loop. */
  private void copy(
      int count,
      Object from,
      int fromStart,
      Positions fromPlaces,
      Object to,
      int toStart,
      Positions toPlaces) {
    if (from instanceof byte[] bytes && to instanceof byte[] toBytes && run <= Long.BYTES) {
      copyBytes(count, bytes, fromStart, fromPlaces, toBytes, toStart, toPlaces);
      return;
    }
    for (int i = 0; i < count; i++) {
      int source = fromStart + (int) fromPlaces.get(i) * fromStride;
      int target = toStart + (int) toPlaces.get(i) * toStride;
      System.arraycopy(from, source, to, target, run);
    }
  }

  /** Copies runs that are as short as an element. */
  private void copyBytes(
      int count,
      byte[] from,
      int fromStart,
      Positions fromPlaces,
      byte[] to,
      int toStart,
      Positions toPlaces) {
    for (int i = 0; i < count; i++) {
      int source = fromStart + (int) fromPlaces.get(i) * fromStride;
      int target = toStart + (int) toPlaces.get(i) * toStride;
      switch (run) {
        case 1 -> to[target] = from[source];
        case 2 -> SHORT.set(to, target, (short) SHORT.get(from, source));
        case 4 -> INT.set(to, target, (int) INT.get(from, source));
        case 8 -> LONG.set(to, target, (long) LONG.get(from, source));
        default -> System.arraycopy(from, source, to, target, run);
      }
    }
  }
}
