package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.cf.CfDecoding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of one chunk with their cells: those that it has a part of, by numbers of their own,
 * and where these are among all. Made on a codec thread.
 */
final class CellFold {
  /** The number of each of the chunk's cells among all cells. */
  final int[] places;

  private final List<CellAxis.Part> parts = new ArrayList<>();
  private final List<int[]> positions = new ArrayList<>();
  private final List<CellAxis> axes;
  private final int[] strides;
  private final long[] ranks;

  /** Takes a value that is not NaN. */
  interface ValueConsumer {
    /**
     * Takes a value.
     *
     * @param cell the number of its cell in the chunk
     * @param rank its place in C order among the dimensions that are no cells of their own
     */
    void accept(double value, int cell, long rank);
  }

  CellFold(List<CellAxis> axes, Chunk chunk) {
    this.axes = axes;
    for (Axis axis : ((ResolvedSelection.Orthogonal) chunk.selection()).axes()) {
      if (!(axis instanceof Axis.Range range && range.dropped())) {
        CellAxis its = axes.get(parts.size());
        parts.add(its.part(axis));
        positions.add(its.positions(axis));
      }
    }
    int rank = axes.size();
    strides = new int[rank];
    ranks = new long[rank];
    int cells = 1;
    long others = 1;
    for (int d = rank - 1; d >= 0; d--) {
      strides[d] = cells;
      cells *= parts.get(d).cells().length;
      if (!axes.get(d).isKept()) {
        ranks[d] = others;
        others *= axes.get(d).extent();
      }
    }
    int[] all = {0};
    for (int d = 0; d < rank; d++) {
      int[] its = parts.get(d).cells();
      int[] next = new int[all.length * its.length];
      for (int i = 0; i < next.length; i++) {
        next[i] = all[i / its.length] * axes.get(d).cells() + its[i % its.length];
      }
      all = next;
    }
    this.places = all;
  }

  /** Gives each value that is not NaN to a consumer, in C order. */
  void each(@Nullable CfDecoding decoding, Chunk chunk, ValueConsumer consumer) {
    ElementReader reader = new ElementReader(decoding, chunk.data());
    int rank = axes.size();
    int[] index = new int[rank];
    int last = rank - 1;
    int row = rank == 0 ? 1 : parts.get(last).local().length;
    int column = 0;
    int cell = 0;
    long place = 0;
    boolean isOut = false;
    for (int from = 0; from < reader.count(); ) {
      int size = reader.load(from, reader.count() - from);
      int at = reader.place(from);
      for (int i = 0; i < size; i++) {
        if (column == 0) {
          cell = 0;
          place = 0;
          isOut = false;
          for (int d = 0; d < last; d++) {
            int local = parts.get(d).local()[index[d]];
            isOut |= local < 0;
            cell += local * strides[d];
            place += positions.get(d)[index[d]] * ranks[d];
          }
        }
        double value = ElementReader.value(reader.values(), at + i * Double.BYTES);
        int local = rank == 0 ? 0 : parts.get(last).local()[column];
        if (!isOut && local >= 0 && !Double.isNaN(value)) {
          long its = rank == 0 ? 0 : positions.get(last)[column] * ranks[last];
          consumer.accept(value, cell + (rank == 0 ? 0 : local), place + its);
        }
        if (++column == row) {
          column = 0;
          for (int d = last - 1; d >= 0 && ++index[d] == parts.get(d).local().length; d--) {
            index[d] = 0;
          }
        }
      }
      from += size;
    }
  }
}
