package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One value that is chosen of each cell, with its place among those of the cell; NaN is left out.
 */
public final class ChosenValues {
  /** The bytes of a cell. */
  public static final int BYTES = Double.BYTES + Long.BYTES + Integer.BYTES;

  private final Choice choice;
  private final int[] places;
  private final double[] values;
  private final long[] ranks;
  private final int[] counts;

  /** Which value is chosen. */
  public enum Choice {
    /** The first one. */
    FIRST,

    /** The last one. */
    LAST,

    /** The first of the least ones. */
    LEAST,

    /** The first of the greatest ones. */
    GREATEST;

    private boolean isBetter(double value, long rank, double other, long otherRank) {
      return switch (this) {
        case FIRST -> rank < otherRank;
        case LAST -> rank > otherRank;
        case LEAST -> value < other || (value == other && rank < otherRank);
        case GREATEST -> value > other || (value == other && rank < otherRank);
      };
    }
  }

  private ChosenValues(Choice choice, int[] places) {
    this.choice = choice;
    this.places = places;
    this.values = new double[places.length];
    this.ranks = new long[places.length];
    this.counts = new int[places.length];
    Arrays.fill(ranks, -1);
  }

  /** Returns the values of no chunk. */
  public static ChosenValues none(Choice choice, int cells) {
    int[] all = new int[cells];
    Arrays.setAll(all, i -> i);
    return new ChosenValues(choice, all);
  }

  /**
   * Returns the values of one chunk.
   *
   * @param decoding of its elements; null where they are values already
   */
  public static ChosenValues of(
      Choice choice, @Nullable CfDecoding decoding, List<CellAxis> axes, Chunk chunk) {
    CellFold cells = new CellFold(axes, chunk);
    ChosenValues chosen = new ChosenValues(choice, cells.places);
    cells.each(decoding, chunk, (value, cell, rank) -> chosen.add(cell, value, rank, 1));
    return chosen;
  }

  private void add(int cell, double value, long rank, int count) {
    if (ranks[cell] < 0 || choice.isBetter(value, rank, values[cell], ranks[cell])) {
      values[cell] = value;
      ranks[cell] = rank;
    }
    counts[cell] += count;
  }

  /** Adds the values of a chunk; returns this. */
  public ChosenValues add(ChosenValues chunk) {
    for (int i = 0; i < chunk.places.length; i++) {
      if (chunk.ranks[i] >= 0) {
        add(chunk.places[i], chunk.values[i], chunk.ranks[i], chunk.counts[i]);
      }
    }
    return this;
  }

  /** Leaves out the cells that lack a value. */
  public ChosenValues keepMissing(List<CellAxis> axes) {
    long[] members = CellAxis.members(axes);
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = counts[i] < members[i] ? -1 : ranks[i];
    }
    return this;
  }

  /** Returns the chosen value of each cell; NaN without one. */
  public NdArray values(List<CellAxis> axes, DataType type) {
    double[] all = values.clone();
    for (int i = 0; i < all.length; i++) {
      all[i] = ranks[i] < 0 ? Double.NaN : all[i];
    }
    NdArray doubles = NdArray.ofDoubles(shape(axes), all);
    boolean hasGroups = axes.stream().anyMatch(CellAxis::isGrouped);
    if (type.equals(DataTypes.BOOL) && !hasGroups) {
      boolean[] flags = new boolean[all.length];
      for (int i = 0; i < flags.length; i++) {
        flags[i] = all[i] != 0;
      }
      return NdArray.ofBooleans(shape(axes), flags);
    }
    return type instanceof FloatType || !hasGroups ? doubles.cast(type) : doubles;
  }

  /** Returns the place of the chosen value of each cell in C order; -1 without one. */
  public NdArray places(List<CellAxis> axes) {
    return NdArray.ofLongs(DataTypes.INT64, shape(axes), ranks.clone());
  }

  private static Shape shape(List<CellAxis> axes) {
    return Shape.of(
        axes.stream().filter(axis -> !axis.isReduced()).mapToLong(CellAxis::cells).toArray());
  }
}
