package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatFormat;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.TimeType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The order of elements: exact percentiles and a histogram. Every element has a key of up to 64
 * bits in the same order. A million keys are kept; of more, each pass over the array counts 16
 * further bits of those keys that may be asked for, until a million of them are left. So at most
 * four passes find every percentile exactly, in a bounded memory. Not thread-safe.
 */
public final class Distribution {
  /** The most keys in memory. */
  static final int MOST_KEPT = 1 << 20;

  private static final int DIGIT = 16;

  private final DataType type;
  private final List<Double> percentiles;
  private final int bins;
  private final int mostKept;
  private final int width;

  /** All keys, while they are few. */
  private long[] kept = new long[0];

  private int keptCount;
  private boolean keepsAll = true;

  /** The elements of the array, without NaN. */
  private long count;

  /** How many of the highest bits of keys are known for each rank. */
  private int knownBits;

  /** The ranks that are asked for, with the part of their keys that is known. */
  private final Map<Long, Long> known = new TreeMap<>();

  /** The keys below each known part. */
  private final Map<Long, Long> below = new TreeMap<>();

  /** The counts of the next bits, for each known part. */
  private Map<Long, long[]> counts = new TreeMap<>();

  private int pass;
  private boolean isCollecting;
  private final Map<Long, Long> found = new TreeMap<>();
  private double low = Double.POSITIVE_INFINITY;
  private double high = Double.NEGATIVE_INFINITY;
  private Histogram histogram = new Histogram();

  /**
   * Creates the distribution of no elements.
   *
   * @param percentiles from 0 to 100
   * @param bins of the histogram; 0 for none
   */
  public Distribution(DataType type, List<Double> percentiles, int bins) {
    this(type, percentiles, bins, MOST_KEPT);
  }

  Distribution(DataType type, List<Double> percentiles, int bins, int mostKept) {
    this.type = type;
    this.percentiles = percentiles;
    this.bins = bins;
    this.mostKept = mostKept;
    this.width = width(type);
    counts.put(0L, new long[1 << DIGIT]);
  }

  private static int width(DataType type) {
    if (type instanceof FloatType floats) {
      return floats.format() == FloatFormat.FLOAT64 ? Long.SIZE : Integer.SIZE;
    }
    return Math.max(DIGIT, type.itemSize() * Byte.SIZE);
  }

  /** Adds the elements of an array a number of times. */
  public void add(NdArray data, long times) {
    if (times <= 0) {
      return;
    }
    long size = data.shape().elementCountUpTo(Integer.MAX_VALUE);
    NdArray elements = data.reshape(Shape.of(size));
    for (int i = 0; i < size; i++) {
      if (!isNotNumber(elements, i)) {
        add(key(elements, i), times);
      }
    }
  }

  private boolean isNotNumber(NdArray elements, int i) {
    return type instanceof FloatType
        ? Double.isNaN(elements.getDouble(i))
        : type instanceof TimeType && elements.getLong(i) == TimeType.NAT;
  }

  /** Returns a number of {@link #width} bits, unsigned in the order of the elements. */
  private long key(NdArray elements, int i) {
    if (type instanceof FloatType) {
      double value = elements.getDouble(i) + 0.0; // there is one zero
      if (width == Long.SIZE) {
        long bits = Double.doubleToRawLongBits(value);
        return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
      }
      int bits = Float.floatToRawIntBits((float) value);
      return Integer.toUnsignedLong(bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE);
    } else if (type instanceof BoolType) {
      return elements.getBoolean(i) ? 1 : 0;
    } else if (type.equals(DataTypes.UINT64)) {
      return elements.getUnsignedLong(i);
    }
    return elements.getLong(i) + (1L << (width - 1));
  }

  private double value(long key) {
    if (type instanceof FloatType) {
      if (width == Long.SIZE) {
        return Double.longBitsToDouble(key < 0 ? key ^ Long.MIN_VALUE : ~key);
      }
      int bits = (int) key;
      return Float.intBitsToFloat(bits < 0 ? bits ^ Integer.MIN_VALUE : ~bits);
    } else if (type.equals(DataTypes.UINT64)) {
      double half = (double) (key >>> 1);
      return key >= 0 ? key : (half + (key & 1) * 0.5) * 2;
    }
    return type instanceof BoolType ? key : key - (1L << (width - 1));
  }

  private void add(long key, long times) {
    if (pass == 0) {
      count += times;
      keep(key, times);
      if (bins > 0) {
        widen(value(key));
      }
    } else if (bins > 0 && pass == 1) {
      histogram.add(value(key), times);
    }
    if (pass > 0 && known.isEmpty()) {
      return;
    }
    long part = knownBits == 0 ? 0 : key >>> (width - knownBits);
    if (isCollecting) {
      if (counts.containsKey(part)) {
        Arrays.fill(kept, keptCount, keptCount + (int) times, key);
        keptCount += (int) times;
      }
      return;
    }
    long[] digits = counts.get(part);
    if (digits != null && knownBits < width) {
      digits[(int) (key >>> (width - knownBits - DIGIT)) & ((1 << DIGIT) - 1)] += times;
    }
  }

  private void widen(double value) {
    if (!Double.isInfinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }

  private void keep(long key, long times) {
    if (!keepsAll) {
      return;
    }
    if (times > mostKept - keptCount) {
      keepsAll = false;
      kept = new long[0];
      return;
    }
    int end = keptCount + (int) times;
    if (end > kept.length) {
      int longer = Math.max(end, Math.max(1024, 2 * kept.length));
      kept = Arrays.copyOf(kept, Math.min(mostKept, longer));
    }
    Arrays.fill(kept, keptCount, end, key);
    keptCount = end;
  }

  /** Ends a pass over all elements, and returns whether another pass is needed. */
  public boolean endPass() {
    if (pass == 0) {
      double[] edges = new double[low <= high && bins > 0 ? bins + 1 : 0];
      Arrays.setAll(edges, this::edge);
      histogram = new Histogram(edges);
      for (double percentile : percentiles) {
        for (long rank : ranks(percentile)) {
          known.put(rank, 0L);
        }
      }
      below.put(0L, 0L);
      if (keepsAll) {
        findInAll();
        for (int i = 0; bins > 0 && i < keptCount; i++) {
          histogram.add(value(kept[i]), 1);
        }
        counts = new TreeMap<>();
        return false;
      }
    }
    pass++;
    if (isCollecting) {
      findInCollected();
      return false;
    }
    if (known.isEmpty()) {
      counts = new TreeMap<>();
      return pass == 1 && bins > 0;
    }
    return refine() || (pass == 1 && bins > 0);
  }

  /** Takes the ranks out of all keys. */
  private void findInAll() {
    long[] signed = Arrays.copyOf(kept, keptCount);
    for (int i = 0; i < signed.length; i++) {
      signed[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(signed);
    for (long rank : known.keySet()) {
      found.put(rank, signed[(int) rank] ^ Long.MIN_VALUE);
    }
    known.clear();
  }

  /** Takes the ranks out of the keys that share the known part of one of them. */
  private void findInCollected() {
    long[] all = Arrays.copyOf(kept, keptCount);
    Map<Long, long[]> byPart = new TreeMap<>();
    for (long part : counts.keySet()) {
      byPart.put(
          part,
          Arrays.stream(all)
              .filter(key -> (knownBits == 0 ? 0 : key >>> (width - knownBits)) == part)
              .map(key -> key ^ Long.MIN_VALUE)
              .sorted()
              .toArray());
    }
    known.forEach(
        (rank, part) -> {
          long[] keys = byPart.getOrDefault(part, new long[0]);
          int at = (int) (rank - below.getOrDefault(part, 0L));
          found.put(rank, keys[at] ^ Long.MIN_VALUE);
        });
    known.clear();
  }

  /** Finds the next bits of each rank, and returns whether bits are left to be found. */
  private boolean refine() {
    Map<Long, Long> nextBelow = new TreeMap<>();
    Map<Long, Long> sizes = new TreeMap<>();
    for (var entry : known.entrySet()) {
      long part = entry.getValue();
      long rest = entry.getKey() - below.getOrDefault(part, 0L);
      long[] digits = counts.getOrDefault(part, new long[1 << DIGIT]);
      int digit = 0;
      while (rest >= digits[digit]) {
        rest -= digits[digit++];
      }
      long longer = part << DIGIT | digit;
      nextBelow.put(longer, entry.getKey() - rest);
      sizes.put(longer, digits[digit]);
      entry.setValue(longer);
    }
    knownBits += DIGIT;
    below.clear();
    below.putAll(nextBelow);
    if (knownBits == width) {
      found.putAll(known);
      known.clear();
      counts = new TreeMap<>();
      return false;
    }
    long candidates = sizes.values().stream().mapToLong(size -> size).sum();
    isCollecting = candidates <= mostKept;
    kept = new long[isCollecting ? (int) candidates : 0];
    keptCount = 0;
    counts = new TreeMap<>();
    for (long part : sizes.keySet()) {
      counts.put(part, isCollecting ? new long[0] : new long[1 << DIGIT]);
    }
    return true;
  }

  /** Returns the lower edge of a bin of the histogram; that of the number of bins is the upper. */
  public double edge(int bin) {
    double share = (double) bin / bins;
    return bin == bins ? high : low * (1 - share) + high * share;
  }

  /** Returns the percentiles that were asked for. */
  public List<Double> percentiles() {
    return percentiles;
  }

  /** Returns true if there is an element that a histogram has: a finite one. */
  public boolean hasFiniteNumbers() {
    return low <= high;
  }

  /** Returns how many elements lie in each bin, from its edge to the next. */
  public long[] histogram() {
    return histogram.counts();
  }

  private long[] ranks(double percentile) {
    if (count == 0) {
      return new long[0];
    }
    double place = (count - 1) * (percentile / 100);
    long lower = Math.min(count - 1, (long) Math.floor(place));
    return new long[] {lower, Math.min(count - 1, lower + 1)};
  }

  /**
   * Returns a percentile by linear interpolation, as NumPy does; NaN without elements. Beside an
   * infinite element NumPy may find NaN, too.
   */
  public double percentile(double percentile) {
    long[] ranks = ranks(percentile);
    if (ranks.length == 0) {
      return Double.NaN;
    }
    double lower = value(found.getOrDefault(ranks[0], 0L));
    double upper = value(found.getOrDefault(ranks[1], 0L));
    double share = (count - 1) * (percentile / 100) - ranks[0];
    if (lower == upper || share == 0) {
      return lower;
    }
    double difference = upper - lower;
    if (Double.isInfinite(difference) && !Double.isInfinite(lower) && !Double.isInfinite(upper)) {
      return lower * (1 - share) + upper * share;
    }
    return share >= 0.5 ? upper - difference * (1 - share) : lower + difference * share;
  }

  /** Returns the times' count of a percentile: the nearer of its neighbours. */
  public long nearest(double percentile) {
    long[] ranks = ranks(percentile);
    double share = (count - 1) * (percentile / 100) - ranks[0];
    long key = found.getOrDefault(ranks[share > 0.5 ? 1 : 0], 0L);
    return key - (1L << (width - 1));
  }
}
