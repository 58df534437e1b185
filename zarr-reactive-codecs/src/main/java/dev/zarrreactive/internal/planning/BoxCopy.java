package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.internal.planning.ChunkPlan.AxisPart;
import dev.zarrreactive.internal.planning.ChunkPlan.Positions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

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
      long count = parts[d].count();
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
    Object images = source.array();
    Object copies = target.array();
    int fromStart = source.slot(0) + from;
    int toStart = target.slot(0) + to;
    if (last < 0) {
      System.arraycopy(images, fromStart, copies, toStart, run);
    } else {
      walk(0, fromStart, toStart, images, copies, null);
    }
  }

  /** Returns the number of slots that are contiguous on both sides. */
  int runLength() {
    return run;
  }

  /**
   * Converts elements; a slot of this copy is an element, of whatever size on either side. Elements
   * that are joined are in one run.
   */
  void convert(ElementMemory source, ElementMemory target, ElementConversion conversion) {
    byte[] images = (byte[]) source.array();
    int joined = conversion.joined().orElse(1);
    Slots run =
        (start, place) ->
            conversion.convert(
                images, source.slot(start), this.run / joined, target, place / joined);
    if (last < 0) {
      run.accept(from, to);
    } else {
      walk(0, from, to, images, target, (start, place) -> forEachRun(start, place, run));
    }
  }

  /** Is told the first slot of a run or of a row on both sides. */
  private interface Slots {
    void accept(int from, int to);
  }

  /**
   * Walks the dimensions before the last loop, and tells {@code rows} where each of its rows is.
   *
   * @param rows null to copy each row, without an object for each copy
   */
  private void walk(
      int d, int fromStart, int toStart, Object images, Object copies, @Nullable Slots rows) {
    if (d == last) {
      if (rows == null) {
        copyRow(images, fromStart, copies, toStart);
      } else {
        rows.accept(fromStart, toStart);
      }
      return;
    }
    int outerFromStride = fromStride;
    int outerToStride = toStride;
    for (int inner = last; inner > d; inner--) {
      outerFromStride *= (int) fromExtent(inner);
      outerToStride *= (int) toExtent(inner);
    }
    Positions fromPlaces = fromPlaces(d);
    Positions toPlaces = toPlaces(d);
    for (int i = 0; i < parts[d].count(); i++) {
      int source = slot(fromStart, fromPlaces, i, outerFromStride);
      int target = slot(toStart, toPlaces, i, outerToStride);
      walk(d + 1, source, target, images, copies, rows);
    }
  }

  private static int slot(int start, Positions places, int number, int stride) {
    return start + (int) places.get(number) * stride;
  }

  /** Tells {@code runs} the runs of a row. */
  private void forEachRun(int fromStart, int toStart, Slots runs) {
    Positions fromPlaces = fromPlaces(last);
    Positions toPlaces = toPlaces(last);
    for (int i = 0; i < parts[last].count(); i++) {
      runs.accept(slot(fromStart, fromPlaces, i, fromStride), slot(toStart, toPlaces, i, toStride));
    }
  }

  /** Copies the runs of the last loop. */
  private void copyRow(Object from, int fromStart, Object to, int toStart) {
    Positions fromPlaces = fromPlaces(last);
    Positions toPlaces = toPlaces(last);
    int count = (int) parts[last].count();
    boolean areBytes = from instanceof byte[] && to instanceof byte[];
    if (areBytes && fromPlaces.isSpaced() && toPlaces.isSpaced()) {
      int source = slot(fromStart, fromPlaces, 0, fromStride);
      int target = slot(toStart, toPlaces, 0, toStride);
      int sourceStep = (int) fromPlaces.step() * fromStride;
      int targetStep = (int) toPlaces.step() * toStride;
      copySpaced((byte[]) from, source, sourceStep, (byte[]) to, target, targetStep, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      int source = slot(fromStart, fromPlaces, i, fromStride);
      int target = slot(toStart, toPlaces, i, toStride);
      if (areBytes) {
        copySpaced((byte[]) from, source, 0, (byte[]) to, target, 0, 1);
      } else {
        System.arraycopy(from, source, to, target, run);
      }
    }
  }

  /** Copies evenly spaced runs. A short run is copied without a call. */
  private void copySpaced(
      byte[] from, int source, int sourceStep, byte[] to, int target, int targetStep, int count) {
    int at = source;
    int place = target;
    int length = run;
    switch (length) {
      case 1 -> {
        for (int i = 0; i < count; i++, at += sourceStep, place += targetStep) {
          to[place] = from[at];
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++, at += sourceStep, place += targetStep) {
          SHORT.set(to, place, (short) SHORT.get(from, at));
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++, at += sourceStep, place += targetStep) {
          INT.set(to, place, (int) INT.get(from, at));
        }
      }
      case 8 -> {
        for (int i = 0; i < count; i++, at += sourceStep, place += targetStep) {
          LONG.set(to, place, (long) LONG.get(from, at));
        }
      }
      default -> {
        for (int i = 0; i < count; i++, at += sourceStep, place += targetStep) {
          System.arraycopy(from, at, to, place, length);
        }
      }
    }
  }
}
