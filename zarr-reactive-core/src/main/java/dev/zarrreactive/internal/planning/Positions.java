package dev.zarrreactive.internal.planning;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Places along one dimension: evenly spaced, or listed. */
final class Positions {
  private final long start;
  private final long step;
  private final int @Nullable [] listed;

  private Positions(long start, long step, int @Nullable [] listed) {
    this.start = start;
    this.step = step;
    this.listed = listed;
  }

  static Positions spaced(long start, long step) {
    return new Positions(start, step, null);
  }

  static Positions listed(int[] places) {
    return new Positions(0, 1, places);
  }

  long get(long i) {
    return listed == null ? start + i * step : listed[Math.toIntExact(i)];
  }

  /** The first {@code count} places of these, looked up in {@code outer}. */
  Positions within(Positions outer, int count) {
    if (listed == null && outer.listed == null) {
      return spaced(outer.get(start), step * outer.step);
    }
    int[] places = new int[count];
    Arrays.setAll(places, i -> Math.toIntExact(outer.get(get(i))));
    return listed(places);
  }

  /** True where {@code count} places follow each other without a gap. */
  boolean isContiguous(int count) {
    return listed == null && (step == 1 || count == 1);
  }

  /** True where {@code count} places are all of {@code extent}, in any order. */
  boolean coversAll(int count, long extent) {
    if (listed == null) {
      return count >= extent && (step == 1 || count == 1);
    }
    if (count < extent) {
      return false;
    }
    boolean[] seen = new boolean[(int) extent];
    int distinct = 0;
    for (int place : listed) {
      if (place < extent && !seen[place]) {
        seen[place] = true;
        distinct++;
      }
    }
    return distinct == extent;
  }
}
