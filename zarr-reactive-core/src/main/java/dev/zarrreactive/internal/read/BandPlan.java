package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.planning.Bands;
import dev.zarrreactive.internal.planning.ChunkPlan;

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
  private final int itemSize;
  private final long budget;
  private final long target;

  /**
   * Divides a selection.
   *
   * @param type the type of the bands' elements
   * @param streams the streams that share the budget, with this one
   */
  BandPlan(ArrayStorage array, ResolvedSelection selection, DataType type, int streams) {
    ChunkRepresentation unit = array.checks().unit().representation();
    this.selection = selection;
    this.units =
        array.isSharded()
            ? ChunkGrid.regular(
                array.metadata().shape(), unit.shape()) // its chunks divide every shard
            : array.grid();
    this.unitBytes = unit.byteSize();
    this.itemSize = type.memorySize();
    this.budget = array.context().budget().total();
    this.target = budget / Math.max(TARGET_PART, 2L * streams);
  }

  /** Returns the bands, in C order. */
  Iterable<ResolvedSelection> bands() {
    long most = Math.min(LARGEST_BAND, budget / MOST_PART);
    return Bands.of(selection, units, itemSize, Math.min(most, target), most);
  }

  /** Returns the size of a band's elements. */
  long bytes(ResolvedSelection band) {
    return band.shape().byteSize(itemSize);
  }

  /**
   * Returns the bytes, encoded and decoded, that the chunks of a band may hold in flight: the bytes
   * of all its chunks, at most a quarter of the budget, and at least the bytes of one chunk.
   */
  long work(ResolvedSelection band) {
    long one = ByteBudget.sum(ByteBudget.expected(unitBytes), unitBytes);
    long all = ByteBudget.product(ChunkPlan.of(band, units).size(), one);
    long withRoom = ByteBudget.sum(all, all / 2); // an operation leaves a quarter of a budget free
    return Math.max(one, Math.min(withRoom, budget / MOST_PART));
  }
}
