package dev.zarrreactive.internal.codec.pco;

/**
 * The bins of one latent variable. A number is its bin's lower bound and an offset, and the bins
 * are coded by a table of states (tANS): a state names a bin, the bits to read, and the state from
 * which these bits count.
 */
final class Bins {
  static final int MOST_SIZE_LOG = 14;
  static final int SIZE_LOG_BITS = 4;
  static final int COUNT_BITS = 15;

  private final int bits;
  private final int sizeLog;
  private final int count;

  // of each state: its bin's lower bound and bits of offsets, the next state without the bits that
  // are read, and how many these are
  private final long[] lowers;
  private final byte[] offsetBits;
  private final short[] nextBases;
  private final byte[] nextBits;

  private Bins(int bits, int sizeLog, int count) {
    this.bits = bits;
    this.sizeLog = sizeLog;
    this.count = count;
    int size = 1 << sizeLog;
    lowers = new long[size];
    offsetBits = new byte[size];
    nextBases = new short[size];
    nextBits = new byte[size];
  }

  /** The bits of a number. */
  int bits() {
    return bits;
  }

  /** The logarithm of the number of states. */
  int sizeLog() {
    return sizeLog;
  }

  /** The number of bins. */
  int count() {
    return count;
  }

  long lower(int state) {
    return lowers[state];
  }

  byte offsetBits(int state) {
    return offsetBits[state];
  }

  /**
   * Reads the bins of numbers, from four states in turns.
   *
   * @param path room for as many states
   * @param numbers gets the lower bounds of the bins
   * @param counts gets the bits of their offsets
   */
  void read(PcoInput in, int[] states, int[] path, long[] numbers, byte[] counts, int count) {
    in.follow(states, nextBases, nextBits, path, count);
    for (int i = 0; i < count; i++) {
      numbers[i] = lowers[path[i]];
      counts[i] = offsetBits[path[i]];
    }
  }

  /** Returns the bits that a number of bits up to {@code bits} takes. */
  static int lengthBits(int bits) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(bits);
  }

  /**
   * Reads the bins of a variable.
   *
   * @param least the least lower bound
   * @param most the greatest one
   */
  static Bins read(PcoInput in, int bits, long least, long most) {
    int sizeLog = in.small(SIZE_LOG_BITS);
    int count = in.small(COUNT_BITS);
    if (sizeLog > MOST_SIZE_LOG || count > 1 << sizeLog || (count <= 1 && sizeLog > 0)) {
      throw PcoInput.damaged(count + " bins for 2^" + sizeLog + " states");
    }
    in.require((long) count * (sizeLog + bits + lengthBits(bits)));
    int[] weights = new int[Math.max(1, count)];
    weights[0] = 1;
    long[] lowers = new long[weights.length];
    byte[] offsetBits = new byte[weights.length];
    for (int i = 0; i < count; i++) {
      weights[i] = in.small(sizeLog) + 1;
      lowers[i] = in.bits(bits);
      offsetBits[i] = (byte) in.bits(lengthBits(bits));
      if (offsetBits[i] > bits) {
        throw PcoInput.damaged("an offset of " + offsetBits[i] + " bits in numbers of " + bits);
      } else if (Long.compareUnsigned(lowers[i], least) < 0
          || Long.compareUnsigned(lowers[i], most) > 0) {
        throw PcoInput.damaged("a bin at " + Long.toUnsignedString(lowers[i]));
      }
    }
    return of(bits, sizeLog, count, weights, lowers, offsetBits);
  }

  private static Bins of(
      int bits, int sizeLog, int count, int[] weights, long[] lowers, byte[] offsetBits) {
    int[] symbols = spread(sizeLog, weights);
    Bins bins = new Bins(bits, sizeLog, count);
    int[] visits = weights.clone();
    for (int state = 0; state < symbols.length; state++) {
      int symbol = symbols[state];
      int visit = visits[symbol]++;
      int shift =
          Integer.numberOfLeadingZeros(visit) - Integer.numberOfLeadingZeros(symbols.length);
      bins.lowers[state] = lowers[symbol];
      bins.offsetBits[state] = offsetBits[symbol];
      bins.nextBases[state] = (short) ((visit << shift) - symbols.length);
      bins.nextBits[state] = (byte) shift;
    }
    return bins;
  }

  /** Spreads the bins over the states, each as often as it weighs, in steps of about 3/5. */
  static int[] spread(int sizeLog, int[] weights) {
    int size = 1 << sizeLog;
    int sum = 0;
    for (int weight : weights) {
      sum += weight;
    }
    if (sum != size) {
      throw PcoInput.damaged("bins weigh " + sum + ", expected " + size);
    }
    int stride = (3 * size / 5) | 1;
    int[] symbols = new int[size];
    int step = 0;
    for (int symbol = 0; symbol < weights.length; symbol++) {
      for (int i = 0; i < weights[symbol]; i++) {
        symbols[(stride * step++) & (size - 1)] = symbol;
      }
    }
    return symbols;
  }
}
