package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.guard.MemoryGuard;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Exact quantiles of cells whose values do not fit into memory, in a few passes over them. A pass
 * divides the range in which a wanted value is, and counts the values of each part; the next one
 * does so in the part that has the wanted rank. As soon as the values that are left fit, one pass
 * collects them. Numbers are compared by their bits in the order of their values, so each pass
 * makes the ranges at least 2 times smaller, and mostly some hundred times. Codec threads find, and
 * one thread adds.
 */
public final class RankSearch {
  private static final int MOST_BITS = 16;
  private static final int BITS_BEYOND_FLOAT32 = 29;

  private final Quantiles quantiles;
  private final boolean keepsMissing;
  private final long[] members;
  private final long memory;

  /** The last bits of doubles, which are equal in all values. */
  private final int drop;

  private final long[] counts;
  private final long[] least;
  private final long[] greatest;
  private final double[] results;
  private final boolean[] areFound;
  private List<Part> parts = new ArrayList<>();
  private int[] starts;
  private long[] counters = {};
  private boolean isFirst = true;
  private boolean isCollecting;

  /** A range of numbers in which a wanted value of a cell is. */
  private static final class Part {
    final int cell;
    final long low;
    final long high;
    final long before;
    final long count;
    int shift;
    int base;
    long[] kept = {};
    int filled;

    /**
     * Creates a range.
     *
     * @param low the least key
     * @param high the greatest key
     * @param before the number of the cell's values that are less
     * @param count the number of its values in the range
     */
    Part(int cell, long low, long high, long before, long count) {
      this.cell = cell;
      this.low = low;
      this.high = high;
      this.before = before;
      this.count = count;
    }

    boolean has(long key) {
      return Long.compareUnsigned(key, low) >= 0 && Long.compareUnsigned(key, high) <= 0;
    }

    int bins() {
      return (int) ((high - low) >>> shift) + 1;
    }
  }

  /** What a pass finds in a chunk. */
  public static final class Found {
    private final int[] cells;
    private final long[] least;
    private final long[] greatest;
    private int[] places = new int[64];
    private long[] keys = {};
    private int size;

    private Found(int[] cells) {
      this.cells = cells;
      this.least = new long[cells.length];
      this.greatest = new long[cells.length];
      Arrays.fill(least, -1);
    }

    private void bound(int cell, long key) {
      least[cell] = Long.compareUnsigned(key, least[cell]) < 0 ? key : least[cell];
      greatest[cell] = Long.compareUnsigned(key, greatest[cell]) > 0 ? key : greatest[cell];
    }

    private void add(int place, long key, boolean isKept) {
      if (size == places.length) {
        places = Arrays.copyOf(places, 2 * size);
      }
      if (isKept) {
        keys = keys.length == places.length ? keys : Arrays.copyOf(keys, places.length);
        keys[size] = key;
      }
      places[size++] = place;
    }
  }

  /**
   * Creates a search.
   *
   * @param axes of the cells
   * @param isNarrow whether all values are those of {@code float32}
   * @param memory the bytes of counters, and of values that are collected
   */
  public RankSearch(
      Quantiles quantiles,
      List<CellAxis> axes,
      boolean keepsMissing,
      boolean isNarrow,
      long memory) {
    int cells = axes.stream().mapToInt(CellAxis::cells).reduce(1, Math::multiplyExact);
    this.quantiles = quantiles;
    this.keepsMissing = keepsMissing;
    this.members = CellAxis.members(axes);
    this.memory = memory;
    this.drop = isNarrow ? BITS_BEYOND_FLOAT32 : 0;
    this.counts = new long[cells];
    this.least = new long[cells];
    this.greatest = new long[cells];
    this.results = new double[Math.multiplyExact(cells, quantiles.count())];
    this.areFound = new boolean[results.length];
    this.starts = new int[cells + 1];
    Arrays.fill(least, -1);
    Arrays.fill(results, Double.NaN);
    for (int cell = 0; cell < cells; cell++) {
      parts.add(new Part(cell, 0, -1L >>> drop, 0, 0));
    }
    prepare();
  }

  /** Returns true if no further pass is needed. */
  public boolean isDone() {
    return parts.isEmpty();
  }

  /** The quantiles of all cells, one quantile after the other. */
  public double[] results() {
    return results.clone();
  }

  /** Returns the place of a number among all; those of equal numbers are equal. */
  private long key(double value) {
    long bits = Double.doubleToRawLongBits(value == 0 ? 0.0 : value);
    return (bits < 0 ? ~bits : bits ^ Long.MIN_VALUE) >>> drop;
  }

  private double value(long key) {
    long whole = key << drop;
    return Double.longBitsToDouble(
        whole < 0 ? whole ^ Long.MIN_VALUE : ~(whole | ((1L << drop) - 1)));
  }

  /**
   * Finds what this pass needs of a chunk; called by codec threads.
   *
   * @param decoding of its elements; null where they are values already
   */
  public Found find(@Nullable CfDecoding decoding, List<CellAxis> axes, Chunk chunk) {
    CellFold cells = new CellFold(axes, chunk);
    Found found = new Found(cells.places);
    cells.each(
        decoding,
        chunk,
        (value, local, rank) -> {
          long key = key(value);
          int cell = cells.places[local];
          if (isFirst) {
            found.bound(local, key);
          }
          for (int p = starts[cell]; p < starts[cell + 1]; p++) {
            Part part = parts.get(p);
            if (part.has(key)) {
              int place = isCollecting ? p : part.base + (int) ((key - part.low) >>> part.shift);
              found.add(place, key, isCollecting);
            }
          }
        });
    return found;
  }

  /** Adds what was found in a chunk; returns this. */
  public RankSearch add(Found found) {
    for (int i = 0; i < found.size; i++) {
      if (isCollecting) {
        Part part = parts.get(found.places[i]);
        if (part.filled == part.count) {
          throw changed();
        }
        part.kept[part.filled++] = found.keys[i];
      } else {
        counters[found.places[i]]++;
      }
    }
    for (int i = 0; isFirst && i < found.cells.length; i++) {
      int cell = found.cells[i];
      long low = found.least[i];
      long high = found.greatest[i];
      least[cell] = Long.compareUnsigned(low, least[cell]) < 0 ? low : least[cell];
      greatest[cell] = Long.compareUnsigned(high, greatest[cell]) > 0 ? high : greatest[cell];
    }
    return this;
  }

  private static UnsupportedFeatureException changed() {
    return new UnsupportedFeatureException(
        "the values have changed while their quantiles were searched, which reads them several"
            + " times",
        Location.UNKNOWN);
  }

  /** Ends a pass; returns this. */
  public RankSearch endPass() {
    List<Part> narrower = new ArrayList<>();
    for (int cell = 0; cell < counts.length; cell++) {
      if (isFirst) {
        Part all = parts.get(cell);
        for (int bin = 0; bin < all.bins(); bin++) {
          counts[cell] += counters[all.base + bin];
        }
      }
      boolean isMissing = counts[cell] == 0 || (keepsMissing && counts[cell] < members[cell]);
      if (!isMissing) {
        narrow(cell, narrower);
      }
    }
    isFirst = false;
    parts = narrower;
    prepare();
    return this;
  }

  /** Narrows the parts of a cell, and finishes the quantiles whose values are known. */
  private void narrow(int cell, List<Part> narrower) {
    for (int p = starts[cell]; isCollecting && p < starts[cell + 1]; p++) {
      Part part = parts.get(p);
      if (part.filled < part.count) {
        throw changed();
      }
      for (int i = 0; i < part.filled; i++) {
        part.kept[i] ^= Long.MIN_VALUE; // signed numbers in the order of unsigned ones
      }
      Arrays.sort(part.kept);
    }
    int from = narrower.size();
    for (int which = 0; which < quantiles.count(); which++) {
      int place = which * counts.length + cell;
      if (!areFound[place]) {
        long rank = quantiles.rank(which, counts[cell]);
        Part below = narrowed(cell, rank);
        Part above = quantiles.isBetween(which, counts[cell]) ? narrowed(cell, rank + 1) : below;
        if (below.low == below.high && above.low == above.high) {
          areFound[place] = true;
          results[place] =
              quantiles.between(which, counts[cell], value(below.low), value(above.low));
        } else {
          put(below, narrower, from);
          put(above, narrower, from);
        }
      }
    }
  }

  private static void put(Part part, List<Part> narrower, int from) {
    boolean isThere =
        narrower.subList(from, narrower.size()).stream().anyMatch(its -> its.low == part.low);
    if (!isThere) {
      narrower.add(part);
    }
  }

  /** Returns the part of this pass that has a rank; of a value that is known one of one key. */
  private Part narrowed(int cell, long rank) {
    for (int p = starts[cell]; p < starts[cell + 1]; p++) {
      Part part = parts.get(p);
      if (isFirst || (rank >= part.before && rank < part.before + part.count)) {
        if (isCollecting) {
          long key = part.kept[(int) (rank - part.before)] ^ Long.MIN_VALUE;
          return new Part(cell, key, key, rank, 1);
        }
        return narrowed(part, rank);
      }
    }
    throw changed();
  }

  private Part narrowed(Part part, long rank) {
    long before = part.before;
    for (int bin = 0; bin < part.bins(); bin++) {
      long its = counters[part.base + bin];
      if (rank < before + its) {
        long low = part.low + ((long) bin << part.shift);
        long last = (1L << part.shift) - 1;
        long high = Long.compareUnsigned(part.high - low, last) < 0 ? part.high : low + last;
        low = Long.compareUnsigned(low, least[part.cell]) < 0 ? least[part.cell] : low;
        high = Long.compareUnsigned(high, greatest[part.cell]) > 0 ? greatest[part.cell] : high;
        return new Part(part.cell, low, high, before, its);
      }
      before += its;
    }
    throw changed();
  }

  /** Prepares the next pass over the values. */
  private void prepare() {
    int next = 0;
    for (int cell = 0; cell < counts.length; cell++) {
      starts[cell] = next;
      while (next < parts.size() && parts.get(next).cell == cell) {
        next++;
      }
    }
    starts[counts.length] = next;
    long values = parts.stream().mapToLong(part -> part.count).sum();
    isCollecting = !isFirst && values <= memory / Long.BYTES;
    if (isCollecting) {
      parts.forEach(part -> part.kept = allocate(part.count));
      counters = allocate(0);
      return;
    }
    long most = memory / Long.BYTES / Math.max(1, parts.size());
    int bits =
        Math.max(
            1, Math.min(MOST_BITS, Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, most))));
    int base = 0;
    for (Part part : parts) {
      int width = Long.SIZE - Long.numberOfLeadingZeros(part.high - part.low);
      part.shift = Math.max(0, width - bits);
      part.base = base;
      base = Math.addExact(base, part.bins());
    }
    counters = allocate(base);
  }

  private static long[] allocate(long count) {
    return MemoryGuard.allocating(
        "of quantiles", count * Long.BYTES, Location.UNKNOWN, () -> new long[(int) count]);
  }
}
