package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Places along one dimension: evenly spaced, or listed. */
final class Positions {
  private final long start;
  private final long step;
  private final long @Nullable [] listed;

  private Positions(long start, long step, long @Nullable [] listed) {
    this.start = start;
    this.step = step;
    this.listed = listed;
  }

  static Positions spaced(long start, long step) {
    return new Positions(start, step, null);
  }

  static Positions listed(long... places) {
    return new Positions(0, 1, places);
  }

  long get(long i) {
    return listed == null ? start + i * step : listed[Math.toIntExact(i)];
  }

  /** Returns the least of the first {@code count} places, at least one. */
  long least(long count) {
    if (listed == null) {
      return Math.min(start, get(count - 1));
    }
    long least = listed[0];
    for (int i = 1; i < count; i++) {
      least = Math.min(least, listed[i]);
    }
    return least;
  }

  /** Returns the largest of the first {@code count} places, at least one. */
  long most(long count) {
    if (listed == null) {
      return Math.max(start, get(count - 1));
    }
    long most = listed[0];
    for (int i = 1; i < count; i++) {
      most = Math.max(most, listed[i]);
    }
    return most;
  }

  /** Returns true if the places are evenly spaced, by {@link #step}. */
  boolean isSpaced() {
    return listed == null;
  }

  long step() {
    return step;
  }

  /** Returns {@code count} of these places, from number {@code first}. */
  Positions from(long first, long count) {
    if (listed == null) {
      return first == 0 ? this : spaced(get(first), step);
    }
    int start = Math.toIntExact(first);
    return listed(Arrays.copyOfRange(listed, start, Math.toIntExact(start + count)));
  }

  /** Returns the places of these numbers. */
  Positions at(int... numbers) {
    return listed(Arrays.stream(numbers).mapToLong(this::get).toArray());
  }

  /** Returns the first {@code count} places as elements of a dimension. */
  Axis toAxis(long count) {
    return listed == null
        ? new Axis.Range(start, count, count > 1 ? step : 1, false)
        : new Axis.Indices(Arrays.stream(listed).limit(count).toArray());
  }

  /** Returns true if {@code count} places follow each other without a gap. */
  boolean isContiguous(long count) {
    return listed == null && (step == 1 || count == 1);
  }

  /** Returns true if {@code count} places are all of {@code extent}, in any order. */
  boolean coversAll(long count, long extent) {
    if (listed == null) {
      return count >= extent && (step == 1 || count == 1);
    }
    if (count < extent) {
      return false;
    }
    boolean[] seen = new boolean[(int) extent];
    int distinct = 0;
    for (long place : listed) {
      if (place < extent && !seen[(int) place]) {
        seen[(int) place] = true;
        distinct++;
      }
    }
    return distinct == extent;
  }
}
