package dev.zarrreactive.partition;

import java.util.List;

/**
 * The splits of a selection, with what is known without a request.
 *
 * @param splits the cells of each split, in C order of the chunk grid
 * @param cells the number of selected cells
 * @param bytes their decoded size
 * @param chunks the number of chunks, or shards, that have a selected cell; at most {@link
 *     Long#MAX_VALUE}
 */
public record SplitPlan(List<IndexBox> splits, long cells, long bytes, long chunks) {
  /** Copies {@code splits}. */
  public SplitPlan {
    splits = List.copyOf(splits);
  }

  /** Returns the first splits that together have at least {@code cells} cells. */
  public SplitPlan first(long cells) {
    long found = 0;
    int count = 0;
    while (count < splits.size() && found < cells) {
      found += splits.get(count).cells();
      count++;
    }
    return count == splits.size()
        ? this
        : new SplitPlan(
            splits.subList(0, count), found, (long) ((double) bytes * found / this.cells), chunks);
  }
}
