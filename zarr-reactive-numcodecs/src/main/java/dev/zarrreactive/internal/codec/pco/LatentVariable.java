package dev.zarrreactive.internal.codec.pco;

/** Decodes one latent variable of a page, batch after batch. */
final class LatentVariable {
  static final int BATCH = 256;
  private static final int INTERLEAVED = 4;

  private final Bins bins;
  private final Differences delta;
  private final int[] states = new int[INTERLEAVED];
  private final int[] path = new int[BATCH];
  private final byte[] offsetBits = new byte[BATCH];

  /** The latent numbers of a batch. */
  private final long[] batch = new long[BATCH];

  /** The numbers of the page that have been neither decoded nor told by the delta's state. */
  private int stored;

  /** Reads the state with which a page begins. */
  LatentVariable(PcoInput in, Bins bins, Differences.Of deltas, int count) {
    this.bins = bins;
    this.delta = deltas.begin(in, bins.bits(), count);
    stored = Math.max(0, count - deltas.stateCount());
    for (int i = 0; i < INTERLEAVED; i++) {
      states[i] = in.small(bins.sizeLog());
    }
    if (bins.count() == 0 && stored > 0) {
      throw PcoInput.damaged("numbers without bins");
    }
  }

  /**
   * Reads the next numbers.
   *
   * @param lookbacks for each, how far back the number lies that it is a difference to; only some
   *     differences need them
   */
  long[] read(PcoInput in, int count, long[] lookbacks) {
    int known = Math.min(count, stored);
    stored -= known;
    bins.read(in, states, path, batch, offsetBits, known);
    in.addTo(batch, offsetBits, known, PcoNumber.mask(bins.bits()));
    delta.decode(batch, known, count, lookbacks);
    return batch;
  }
}
