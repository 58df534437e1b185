package dev.zarrreactive.internal.rows;

import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetBlock;
import dev.zarrreactive.internal.flow.ByteBudget;
import java.util.List;

/**
 * The rows of a block: one for each index of the dimensions of all its variables, in C order.
 * Immutable.
 */
public final class TableRows {
  private final List<String> dimensions;
  private final int[] extents;
  private final long[] origin;
  private final long count;

  private TableRows(List<String> dimensions, int[] extents, long[] origin) {
    this.dimensions = dimensions;
    this.extents = extents;
    this.origin = origin;
    long rows = 1;
    for (int extent : extents) {
      rows = Math.multiplyExact(rows, (long) extent);
    }
    this.count = rows;
  }

  /**
   * Returns the rows of a block.
   *
   * @param dimensions those of its variables, slowest first
   */
  public static TableRows of(DatasetBlock block, List<String> dimensions) {
    int[] extents = new int[dimensions.size()];
    long[] origin = new long[extents.length];
    for (int d = 0; d < extents.length; d++) {
      extents[d] = Math.toIntExact(block.sizes().getOrDefault(dimensions.get(d), 1L));
      origin[d] = block.origin().getOrDefault(dimensions.get(d), 0L);
    }
    return new TableRows(List.copyOf(dimensions), extents, origin);
  }

  /** Returns the dimensions of the rows that some variables have together, in their order. */
  public static List<String> dimensions(List<List<String>> variables) {
    return variables.stream().flatMap(List::stream).distinct().toList();
  }

  /**
   * Returns the number of rows of a whole dataset; {@link Long#MAX_VALUE} for more.
   *
   * @param dimensions those of its variables
   */
  public static long count(Dataset dataset, List<String> dimensions) {
    return dimensions.stream()
        .mapToLong(dimension -> dataset.sizes().getOrDefault(dimension, 1L))
        .reduce(1, ByteBudget::product);
  }

  /** The number of rows. */
  public long count() {
    return count;
  }

  /** Returns the index in the dataset of the block's first element along a dimension. */
  public long origin(int dimension) {
    return origin[dimension];
  }

  /** Returns the places of the rows in the values of a variable with some of the dimensions. */
  public RowPlaces places(List<String> own) {
    int[] numbers = own.stream().mapToInt(dimensions::indexOf).toArray();
    return RowPlaces.of(extents, RowPlaces.strides(extents, numbers));
  }
}
