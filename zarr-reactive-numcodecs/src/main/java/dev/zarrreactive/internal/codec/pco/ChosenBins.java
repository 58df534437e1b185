package dev.zarrreactive.internal.codec.pco;

import java.util.Arrays;

/**
 * Bins for numbers to encode: of the bounds at every so many numbers those that cost the fewest
 * bits together.
 */
final class ChosenBins {
  private static final int MOST_PARTS = 128;
  private static final int MOST_SIZE_LOG = 12;
  private static final int SIZE_LOG_BEYOND_COUNT = 4;
  private static final int INTERLEAVED = 4;

  private final int bits;
  private final long[] lowers;
  private final int[] offsetBits;
  private final double cost;
  private final int sizeLog;
  private final int[] weights;

  private ChosenBins(int bits, long[] lowers, int[] offsetBits, int[] counts, double cost) {
    this.bits = bits;
    this.lowers = lowers;
    this.offsetBits = offsetBits;
    this.cost = cost;
    int count = lowers.length;
    sizeLog =
        count <= 1
            ? 0
            : Math.min(MOST_SIZE_LOG, Bins.lengthBits(count - 1) + SIZE_LOG_BEYOND_COUNT);
    weights = weights(counts, 1 << sizeLog);
  }

  /** Chooses bins for numbers of so many bits. */
  static ChosenBins of(long[] numbers, int bits) {
    if (numbers.length == 0) {
      return new ChosenBins(bits, new long[0], new int[0], new int[0], 0);
    }
    long[] sorted = new long[numbers.length];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = numbers[i] ^ Long.MIN_VALUE;
    }
    Arrays.sort(sorted);
    int[] bounds = bounds(sorted);
    int parts = bounds.length - 1;

    // the least cost of the numbers before each bound, and the bound at which its last bin begins
    double[] least = new double[parts + 1];
    int[] begins = new int[parts + 1];
    double ofBin = bits + Bins.lengthBits(bits) + MOST_SIZE_LOG;
    for (int to = 1; to <= parts; to++) {
      least[to] = Double.POSITIVE_INFINITY;
      for (int from = 0; from < to; from++) {
        int count = bounds[to] - bounds[from];
        int offset = width(sorted[bounds[to] - 1] - sorted[bounds[from]]);
        double symbol = Math.log((double) sorted.length / count) / Math.log(2);
        double total = least[from] + ofBin + count * (offset + symbol);
        if (total < least[to]) {
          least[to] = total;
          begins[to] = from;
        }
      }
    }
    int bins = 0;
    for (int to = parts; to > 0; to = begins[to]) {
      bins++;
    }
    long[] lowers = new long[bins];
    int[] offsetBits = new int[bins];
    int[] counts = new int[bins];
    int at = bins;
    for (int to = parts; to > 0; to = begins[to]) {
      int from = begins[to];
      at--;
      lowers[at] = sorted[bounds[from]] ^ Long.MIN_VALUE;
      offsetBits[at] = width(sorted[bounds[to] - 1] - sorted[bounds[from]]);
      counts[at] = bounds[to] - bounds[from];
    }
    return new ChosenBins(bits, lowers, offsetBits, counts, least[parts]);
  }

  private static int width(long offset) {
    return Long.SIZE - Long.numberOfLeadingZeros(offset);
  }

  /** Returns the indices at which bins may begin, and the end: equal numbers stay together. */
  private static int[] bounds(long[] sorted) {
    int[] bounds = new int[MOST_PARTS + 1];
    int count = 1;
    for (int i = 1; i < MOST_PARTS; i++) {
      int at = (int) ((long) sorted.length * i / MOST_PARTS);
      while (at > bounds[count - 1] && sorted[at] == sorted[at - 1]) {
        at--;
      }
      if (at > bounds[count - 1]) {
        bounds[count++] = at;
      }
    }
    bounds[count++] = sorted.length;
    return Arrays.copyOf(bounds, count);
  }

  /** Returns weights of at least 1 in about the ratio of the counts, whose sum is {@code size}. */
  private static int[] weights(int[] counts, int size) {
    int[] weights = new int[counts.length];
    long total = 0;
    for (int count : counts) {
      total += count;
    }
    int sum = 0;
    for (int i = 0; i < counts.length; i++) {
      weights[i] = (int) Math.max(1, (long) size * counts[i] / total);
      sum += weights[i];
    }
    while (counts.length > 0 && sum != size) {
      int greatest = 0;
      for (int i = 1; i < weights.length; i++) {
        greatest = weights[i] > weights[greatest] ? i : greatest;
      }
      int change = sum < size ? size - sum : -Math.min(sum - size, weights[greatest] / 2);
      weights[greatest] += change;
      sum += change;
    }
    return weights;
  }

  /** The bits that bins and numbers take, about. */
  double cost() {
    return cost;
  }

  /** Writes the bins. */
  void write(PcoOutput out) {
    out.bits(sizeLog, Bins.SIZE_LOG_BITS);
    out.bits(lowers.length, Bins.COUNT_BITS);
    for (int i = 0; i < lowers.length; i++) {
      out.bits(weights[i] - 1, sizeLog);
      out.bits(lowers[i], bits);
      out.bits(offsetBits[i], Bins.lengthBits(bits));
    }
  }

  /** Writes the first states and the numbers, which the states code from the last one on. */
  void encode(long[] numbers, PcoOutput out) {
    int size = 1 << sizeLog;
    int[][] next = nextStates(size);
    int[] symbols = new int[numbers.length];
    short[] coded = new short[numbers.length];
    byte[] codedBits = new byte[numbers.length];
    int[] states = new int[INTERLEAVED];
    Arrays.fill(states, size);
    for (int i = numbers.length - 1; i >= 0; i--) {
      int symbol = symbol(numbers[i]);
      symbols[i] = symbol;
      int state = states[i % INTERLEAVED];
      int weight = weights[symbol];
      int shift = sizeLog - (Bins.lengthBits(2 * weight - 1) - 1);
      shift += state >= (2 * weight) << shift ? 1 : 0;
      coded[i] = (short) state;
      codedBits[i] = (byte) shift;
      states[i % INTERLEAVED] = next[symbol][(state >>> shift) - weight];
    }
    for (int state : states) {
      out.bits(state - size, sizeLog);
    }
    out.align();
    for (int from = 0; from < numbers.length; from += LatentVariable.BATCH) {
      int to = Math.min(numbers.length, from + LatentVariable.BATCH);
      for (int i = from; i < to; i++) {
        out.bits(coded[i], codedBits[i]);
      }
      for (int i = from; i < to; i++) {
        out.bits(numbers[i] - lowers[symbols[i]], offsetBits[symbols[i]]);
      }
    }
  }

  /** Returns the states of each bin, in their order. */
  private int[][] nextStates(int size) {
    int[][] next = new int[weights.length][];
    if (weights.length == 0) {
      return next;
    }
    for (int i = 0; i < weights.length; i++) {
      next[i] = new int[weights[i]];
    }
    int[] filled = new int[weights.length];
    int[] spread = Bins.spread(sizeLog, weights);
    for (int state = 0; state < size; state++) {
      int symbol = spread[state];
      next[symbol][filled[symbol]++] = size + state;
    }
    return next;
  }

  /** Returns the bin of a number: the last one that does not begin after it. */
  private int symbol(long number) {
    int low = 0;
    int high = lowers.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (Long.compareUnsigned(lowers[middle], number) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
