package dev.zarrreactive.internal.codec.pco;

import java.util.Arrays;

/**
 * Turns differences of latent numbers into the numbers. Differences are stored around the middle of
 * the range, and a page begins with some numbers or moments as they are.
 */
interface Delta {
  long[] NO_LOOKBACKS = {};

  /**
   * Decodes a batch in place.
   *
   * @param known how many differences there are
   * @param count how many numbers there are; the last ones of a page follow from what was before
   * @param lookbacks for each difference the place it counts from, if there are any
   */
  void decode(long[] batch, int known, int count, long[] lookbacks);

  /** Differences of one kind. */
  interface Of {
    /** Returns how many numbers a page begins with. */
    int stateCount();

    /** Reads what a page of {@code count} numbers of so many bits begins with. */
    Delta begin(PcoInput in, int bits, int count);
  }

  /** The numbers as they are. */
  Of NONE =
      new Of() {
        @Override
        public int stateCount() {
          return 0;
        }

        @Override
        public Delta begin(PcoInput in, int bits, int count) {
          return (batch, known, size, lookbacks) -> {};
        }
      };

  private static long[] state(PcoInput in, int bits, int count) {
    in.require((long) bits * count);
    long[] state = new long[count];
    for (int i = 0; i < count; i++) {
      state[i] = in.bits(bits);
    }
    return state;
  }

  /** Differences of differences, {@code order} times. */
  record Consecutive(int order) implements Of {
    @Override
    public int stateCount() {
      return order;
    }

    @Override
    public Delta begin(PcoInput in, int bits, int count) {
      long[] moments = state(in, bits, order);
      long middle = 1L << (bits - 1);
      long mask = PcoNumber.mask(bits);
      return (batch, known, size, lookbacks) -> {
        for (int i = 0; i < size; i++) {
          batch[i] = i < known ? batch[i] + middle : 0;
        }
        for (int n = order - 1; n >= 0; n--) {
          long moment = moments[n];
          for (int i = 0; i < size; i++) {
            long difference = batch[i];
            batch[i] = moment;
            moment += difference;
          }
          moments[n] = moment;
        }
        for (int i = 0; i < size; i++) {
          batch[i] &= mask;
        }
      };
    }
  }

  /** Differences to a number before, which another variable tells. */
  record Lookback(int windowLog, int stateLog) implements Of {
    @Override
    public int stateCount() {
      return 1 << stateLog;
    }

    @Override
    public Delta begin(PcoInput in, int bits, int count) {
      long[] state = state(in, bits, stateCount());
      long[] history = Arrays.copyOf(state, Math.max(count, state.length));
      long middle = 1L << (bits - 1);
      long mask = PcoNumber.mask(bits);
      int[] next = {0};
      return (batch, known, size, lookbacks) -> {
        for (int i = 0; i < known; i++) {
          int at = next[0] + state.length + i;
          long lookback = lookbacks[i];
          if (lookback < 1 || lookback > 1L << windowLog) {
            throw PcoInput.damaged("a difference to " + lookback + " numbers before");
          }
          long before = lookback > at ? 0 : history[at - (int) lookback];
          history[at] = (batch[i] + middle + before) & mask;
        }
        System.arraycopy(history, next[0], batch, 0, size);
        next[0] += size;
      };
    }
  }

  /** Differences to a sum of the numbers before, each with its weight. */
  final class Convolution implements Of {
    private final int quantization;
    private final long bias;
    private final long[] weights;

    Convolution(int quantization, long bias, long... weights) {
      this.quantization = quantization;
      this.bias = bias;
      this.weights = weights;
    }

    /** Checks that no sum leaves the range of integers of double width. */
    void checkRange(int bits) {
      double most = Math.abs((double) bias);
      for (long weight : weights) {
        most += Math.scalb(Math.abs((double) weight), bits);
      }
      if (bits > 32 || quantization > 2 * bits - 1 || most >= Math.scalb(1.0, 2 * bits - 1)) {
        throw PcoInput.damaged("weights of numbers before that exceed their range");
      }
    }

    @Override
    public int stateCount() {
      return weights.length;
    }

    @Override
    public Delta begin(PcoInput in, int bits, int count) {
      long[] state = state(in, bits, weights.length);
      long middle = 1L << (bits - 1);
      long mask = PcoNumber.mask(bits);
      return (batch, known, size, lookbacks) -> {
        for (int i = 0; i < size; i++) {
          long sum = bias;
          for (int j = 0; j < weights.length; j++) {
            sum += weights[j] * state[j];
          }
          long difference = i < known ? batch[i] + middle : 0;
          long decoded = ((Math.max(sum, 0) >> quantization) + difference) & mask;
          batch[i] = state[0];
          System.arraycopy(state, 1, state, 0, weights.length - 1);
          state[weights.length - 1] = decoded;
        }
      };
    }
  }
}
