package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.ElementSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements of one chunk that have arrived, in any order and some of them perhaps twice; the
 * others are fill value. Not thread-safe while elements arrive.
 */
final class GatheredElements implements NewElements.Gathered {
  private final long[] index;
  private final long[] start;
  private final Shape array;
  private final ChunkRepresentation chunk;
  private final ElementMemory elements;
  private final ElementSet arrived;

  /**
   * Begins with no element.
   *
   * @param array the shape of the array, which a chunk at its end reaches out of
   */
  GatheredElements(long[] index, long[] start, Shape array, ChunkCodec codec) {
    this.index = index;
    this.start = start;
    this.array = array;
    this.chunk = codec.representation();
    this.elements =
        MemoryGuard.allocating(
            "to gather a chunk",
            bytes(chunk),
            Location.UNKNOWN,
            () -> ElementMemory.filled(chunk.shape(), chunk.fillValue()));
    this.arrived = new ElementSet(elements.count());
  }

  /** Returns the bytes that the elements of a chunk take here, and the record of their arrival. */
  static long bytes(ChunkRepresentation chunk) {
    return ByteBudget.sum(
        chunk.byteSize(), ElementSet.bytes(chunk.shape().elementCountUpTo(Integer.MAX_VALUE)));
  }

  @Override
  public long bytes() {
    return bytes(chunk);
  }

  @Override
  public boolean add(ChunkProjection part, NdArray data) {
    SelectedElements.copy(data, part.region(), elements);
    part.region().addTo(arrived);
    return isWhole(array);
  }

  @Override
  public long[] chunkIndex() {
    return index;
  }

  @Override
  public boolean isWhole(Shape shape) {
    long inside = 1;
    for (int d = 0; d < start.length; d++) {
      inside *= Math.min(chunk.shape().extent(d), shape.extent(d) - start[d]);
    }
    return arrived.size() >= inside;
  }

  @Override
  public int copies() {
    return 1; // the old elements, where some are missing here
  }

  @Override
  public ElementMemory among(@Nullable Bytes old, ChunkCodec codec) {
    return old == null
        ? elements
        : amongOld(old, codec, new long[start.length], codec.representation().shape());
  }

  @Override
  public ChunkPlan inner(ShardLayout layout) {
    return ChunkPlan.of(Selection.all().resolve(chunk.shape()), layout.innerGrid())
        .where(inner -> arrivedIn(inner) > 0);
  }

  @Override
  public boolean isWhole(ChunkProjection inner) {
    return arrivedIn(inner) == inner.region().shape().elementCountUpTo(Integer.MAX_VALUE);
  }

  @Override
  public ElementMemory among(@Nullable Bytes old, ChunkProjection inner, ChunkCodec codec) {
    if (old != null) {
      return amongOld(old, codec, first(inner), inner.region().shape());
    }
    ElementMemory alone = ElementMemory.allocate(chunk.dataType(), codec.representation().shape());
    inner.region().copyToChunk(elements, alone);
    return alone;
  }

  /** Returns the first element of an inner chunk in this chunk. */
  private static long[] first(ChunkProjection inner) {
    List<Axis> axes = ((ResolvedSelection.Orthogonal) inner.region().places()).axes();
    return axes.stream().mapToLong(axis -> ((Axis.Range) axis).start()).toArray();
  }

  private int arrivedIn(ChunkProjection inner) {
    int[] count = new int[1];
    forEachRow(
        first(inner),
        inner.region().shape(),
        (from, to, row) -> count[0] += arrived.count(from, to));
    return count[0];
  }

  /** Returns the old elements of a box of this chunk, and in it those that have arrived. */
  private ElementMemory amongOld(Bytes old, ChunkCodec codec, long[] first, Shape box) {
    return MemoryGuard.allocating(
        "of a chunk",
        codec.representation().byteSize(),
        Location.UNKNOWN,
        () -> {
          ElementMemory all =
              ElementMemory.allocate(chunk.dataType(), codec.representation().shape());
          codec.decodeInto(old, all, 0);
          forEachRow(first, box, (from, to, row) -> copyArrived(from, to, all, row * (to - from)));
          return all;
        });
  }

  private void copyArrived(int from, int to, ElementMemory target, int place) {
    if (arrived.count(from, to) == to - from) {
      copy(from, to - from, target, place);
      return;
    }
    for (int at = from; at < to; at++) {
      if (arrived.contains(at)) {
        copy(at, 1, target, place + at - from);
      }
    }
  }

  private void copy(int from, int count, ElementMemory target, int place) {
    System.arraycopy(
        elements.array(),
        elements.slot(from),
        target.array(),
        target.slot(place),
        count * elements.slotsPerElement());
  }

  private interface Rows {
    void row(int from, int to, int number);
  }

  /** Calls for each row of a box: with its places in this chunk's C order, and its number. */
  private void forEachRow(long[] first, Shape box, Rows rows) {
    int last = start.length - 1;
    int length = last < 0 ? 1 : (int) box.extent(last);
    int count = (int) (box.elementCountUpTo(Integer.MAX_VALUE) / length);
    for (int number = 0; number < count; number++) {
      long place = last < 0 ? 0 : first[last];
      long stride = last < 0 ? 1 : chunk.shape().extent(last);
      int rest = number;
      for (int d = last - 1; d >= 0; d--) {
        place += (first[d] + rest % box.extent(d)) * stride;
        rest /= (int) box.extent(d);
        stride *= chunk.shape().extent(d);
      }
      rows.row((int) place, (int) place + length, number);
    }
  }
}
