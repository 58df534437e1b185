package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.planning.Bands;
import dev.zarrreactive.internal.planning.ChunkPlan;

/**
 * How a selection is read band by band, and how many bytes of the budget each band needs. A band
 * has a thirty-second of the budget where rows of chunks are small, and never more than a quarter.
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

  BandPlan(ArrayStorage array, ResolvedSelection selection) {
    ChunkRepresentation unit = array.checks().unit().representation();
    this.selection = selection;
    this.units =
        array.isSharded()
            ? ChunkGrid.regular(array.metadata().shape(), unit.shape()) // it divides every shard
            : array.grid();
    this.unitBytes = unit.byteSize();
    this.itemSize = array.metadata().dataType().itemSize();
    this.budget = array.context().budget().total();
  }

  /** The bands, in C order. */
  Iterable<ResolvedSelection> bands() {
    long most = Math.min(LARGEST_BAND, budget / MOST_PART);
    return Bands.of(selection, units, itemSize, Math.min(most, budget / TARGET_PART), most);
  }

  /** The size of a band's elements. */
  long bytes(ResolvedSelection band) {
    return band.shape().byteSize(itemSize);
  }

  /**
   * The bytes, encoded and decoded, of the chunks that are worked on while a band is read: of all
   * its chunks, or a quarter of the budget, but of one chunk at least.
   */
  long work(ResolvedSelection band) {
    long one = ByteBudget.sum(ByteBudget.expected(unitBytes), unitBytes);
    long all = ByteBudget.product(ChunkPlan.of(band, units).size(), one);
    long withRoom = ByteBudget.sum(all, all / 2); // an operation leaves a quarter of a budget free
    return Math.max(one, Math.min(withRoom, budget / MOST_PART));
  }
}
