package dev.zarrreactive.internal.encode;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.planning.Bands;
import dev.zarrreactive.internal.planning.ChunkPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Divides a selection into bands and computes the bytes of the budget that each band needs. A band
 * takes a thirty-second of the budget where rows of chunks are small, and a quarter at most. Beside
 * many streams it is smaller: all of their bands together take half of the budget, if their chunks
 * are small enough. A band of a slow subscriber is held for long, and the others wait.
 */
final class BandPlan {
  private static final int TARGET_PART = 32;
  private static final int MOST_PART = 4;
  private static final long LARGEST_BAND = 1 << 30;

  private final ResolvedSelection selection;
  private final ChunkGrid units;
  private final long unitBytes;
  private final @Nullable ElementConversion conversion;
  private final int itemSize;
  private final long budget;
  private final long reserve;
  private final long target;

  /**
   * Divides a selection.
   *
   * @param conversion makes the bands' elements; null for those that are stored
   * @param streams the streams that share the budget, with this one
   */
  BandPlan(
      ArrayStorage array,
      ResolvedSelection selection,
      @Nullable ElementConversion conversion,
      int streams) {
    ChunkRepresentation unit = array.checks().unit().representation();
    this.selection = selection;
    this.units =
        array.isSharded()
            ? ChunkGrid.regular(
                array.metadata().shape(), unit.shape()) // its chunks divide every shard
            : array.grid();
    this.unitBytes = unit.byteSize();
    this.conversion = conversion;
    this.itemSize =
        (conversion == null ? array.metadata().dataType() : conversion.target()).memorySize();
    this.budget = array.context().budget().total();
    this.reserve = array.context().budget().reserve();
    this.target = budget / Math.max(TARGET_PART, 2L * streams);
  }

  /** Returns the bands, in C order. */
  Iterable<ResolvedSelection> bands() {
    long most = Math.min(LARGEST_BAND, budget / MOST_PART);
    if (conversion == null || conversion.joined().isEmpty()) {
      return Bands.of(selection, units, itemSize, Math.min(most, target), most);
    }
    List<Axis> axes = ((ResolvedSelection.Orthogonal) selection).axes();
    int last = axes.size() - 1;
    Iterable<ResolvedSelection> bands =
        Bands.of(
            new ResolvedSelection.Orthogonal(axes.subList(0, last)),
            units,
            Math.max(itemSize, conversion.joined().getAsInt()),
            Math.min(most, target),
            most);
    return () ->
        StreamSupport.stream(bands.spliterator(), false)
            .map(band -> withRows(band, axes.get(last)))
            .iterator();
  }

  /** Returns a band of results with the dimension that is joined, which no band divides. */
  private static ResolvedSelection withRows(ResolvedSelection band, Axis row) {
    List<Axis> axes = new ArrayList<>(((ResolvedSelection.Orthogonal) band).axes());
    axes.add(row);
    return new ResolvedSelection.Orthogonal(axes);
  }

  /** Returns the size of all elements, of which one Java array may hold too few. */
  long bytes() {
    Shape shape = selection.shape();
    Shape made = conversion == null ? shape : conversion.shape(shape);
    return ByteBudget.product(made.elementCountUpTo(Long.MAX_VALUE), itemSize);
  }

  /** Returns the size of a band's elements. */
  long bytes(ResolvedSelection band) {
    Shape shape = band.shape();
    return (conversion == null ? shape : conversion.shape(shape)).byteSize(itemSize);
  }

  /**
   * Returns the bytes, encoded and decoded, that the chunks of a band may hold in flight: the bytes
   * of all its chunks, at most a quarter of the budget, and at least the bytes of one chunk.
   */
  long work(ResolvedSelection band) {
    return work(band, budget / MOST_PART);
  }

  /**
   * Returns the bytes that the chunks of a band may hold in flight, so that they have room in the
   * reserve beside its elements, if there is a reserve.
   */
  long workInReserve(ResolvedSelection band) {
    return reserve == 0 ? work(band) : work(band, reserve - Math.min(reserve, bytes(band)));
  }

  private long work(ResolvedSelection band, long most) {
    long one = ByteBudget.sum(ByteBudget.expected(unitBytes), unitBytes);
    long all = ByteBudget.product(ChunkPlan.of(band, units).size(), one);
    long withRoom = ByteBudget.sum(all, all / 2); // an operation leaves a quarter of a budget free
    return Math.max(one, Math.min(withRoom, most));
  }
}
