package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.Axis;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One dimension of a reduction: the cell of the result to which each of its positions belongs. */
public final class CellAxis {
  private final String name;
  private final Axis stored;
  private final int cells;
  private final boolean isKept;
  private final int @Nullable [] groups;

  private CellAxis(String name, Axis stored, int cells, boolean isKept, int @Nullable [] groups) {
    this.name = name;
    this.stored = stored;
    this.cells = cells;
    this.isKept = isKept;
    this.groups = groups;
  }

  /** Each position is a cell of its own. */
  public static CellAxis kept(String name, Axis stored) {
    return new CellAxis(
        name, stored, (int) Math.min(Integer.MAX_VALUE, stored.count()), true, null);
  }

  /** All positions are one cell, and the result lacks the dimension. */
  public static CellAxis reduced(String name, Axis stored) {
    return new CellAxis(name, stored, 1, false, null);
  }

  /**
   * Positions belong to groups.
   *
   * @param groups the group of each position; -1 for none
   */
  public static CellAxis grouped(String name, Axis stored, int count, int... groups) {
    return new CellAxis(name, stored, count, false, groups);
  }

  /** The name of the dimension. */
  public String name() {
    return name;
  }

  /** The extent in the result; 1 for a dimension that it lacks. */
  public int cells() {
    return cells;
  }

  /** Returns true if each position is a cell of its own. */
  public boolean isKept() {
    return isKept;
  }

  /** Returns true if the result lacks the dimension. */
  public boolean isReduced() {
    return !isKept && groups == null;
  }

  /** Returns true if positions belong to groups. */
  public boolean isGrouped() {
    return groups != null;
  }

  /** Returns the group of a position, -1 for none; 0 where there are no groups. */
  public int group(int position) {
    return groups == null ? 0 : groups[position];
  }

  /**
   * Returns a bound of the cells that so many positions of a chunk belong to, at least 1. Positions
   * of a range follow each other, and those of one group mostly stand together.
   */
  public long mostCells(long positions) {
    if (groups == null) {
      return isKept ? Math.max(1, positions) : 1;
    }
    long most = stored instanceof Axis.Range ? 1 : positions;
    for (int first = 0, runs = 1, last = 1; last < groups.length; last++) {
      runs += groups[last] == groups[last - 1] ? 0 : 1;
      if (last - first >= positions) {
        runs -= groups[first] == groups[first + 1] ? 0 : 1;
        first++;
      }
      most = Math.max(most, runs);
    }
    return Math.max(1, Math.min(most, cells));
  }

  /** Returns the number of positions of each cell; of kept and reduced dimensions one for all. */
  long[] members() {
    if (groups == null) {
      return new long[] {isKept ? 1 : stored.count()};
    }
    long[] members = new long[cells];
    for (int group : groups) {
      if (group >= 0) {
        members[group]++;
      }
    }
    return members;
  }

  /** The number of positions. */
  long extent() {
    return stored.count();
  }

  /** Returns the number of positions of each cell of several dimensions. */
  static long[] members(List<CellAxis> axes) {
    long[] members = {1};
    for (CellAxis axis : axes) {
      long[] its = axis.members();
      int cells = axis.cells();
      long[] product = new long[members.length * cells];
      for (int i = 0; i < product.length; i++) {
        product[i] = members[i / cells] * its[its.length == 1 ? 0 : i % cells];
      }
      members = product;
    }
    return members;
  }

  /**
   * The cells of a chunk along the dimension: the cells in the result, and the place among them of
   * each of the chunk's positions, -1 for none.
   */
  static final class Part {
    private final int[] local;
    private final int[] cells;

    Part(int[] local, int[] cells) {
      this.local = local;
      this.cells = cells;
    }

    int[] local() {
      return local;
    }

    int[] cells() {
      return cells;
    }

    /** Returns true if the cells follow each other. */
    boolean isContiguous() {
      return cells.length == 0 || cells[cells.length - 1] - cells[0] == cells.length - 1;
    }
  }

  /** Returns the cells of stored indices, which a chunk has. */
  Part part(Axis chunk) {
    int count = (int) chunk.count();
    if (isReduced()) {
      return new Part(new int[count], new int[1]);
    }
    int[] positions = positions(chunk, count);
    if (isKept) {
      int[] local = new int[count];
      Arrays.setAll(local, i -> i);
      return new Part(local, positions);
    }
    int[] group = groups;
    int[] local = new int[count];
    int[] found = new int[count];
    int used = 0;
    Map<Integer, Integer> known = new HashMap<>();
    for (int i = 0; i < count; i++) {
      int of = group == null ? 0 : group[positions[i]];
      Integer place = of < 0 ? Integer.valueOf(-1) : known.get(of);
      if (place == null) {
        place = used;
        known.put(of, used);
        found[used++] = of;
      }
      local[i] = place;
    }
    return new Part(local, Arrays.copyOf(found, used));
  }

  /** Returns the position in the dimension of each of a chunk's positions. */
  int[] positions(Axis chunk) {
    return positions(chunk, (int) chunk.count());
  }

  private int[] positions(Axis chunk, int count) {
    int[] positions = new int[count];
    if (stored instanceof Axis.Range all && chunk instanceof Axis.Range part) {
      long first = (part.start() - all.start()) / all.step();
      long step = part.step() / all.step();
      Arrays.setAll(positions, i -> (int) (first + i * step));
      return positions;
    }
    Map<Long, int[]> places = new HashMap<>();
    for (int p = 0; p < stored.count(); p++) {
      int place = p;
      places.merge(index(stored, p), new int[] {place}, CellAxis::both);
    }
    Map<Long, Integer> used = new HashMap<>();
    for (int i = 0; i < count; i++) {
      int[] equal = places.getOrDefault(index(chunk, i), new int[1]);
      positions[i] = equal[used.merge(index(chunk, i), 1, Integer::sum) - 1];
    }
    return positions;
  }

  private static long index(Axis axis, int position) {
    return axis instanceof Axis.Range range
        ? range.start() + position * range.step()
        : ((Axis.Indices) axis).index(position);
  }

  private static int[] both(int[] some, int... more) {
    int[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }
}
