package dev.zarrreactive.simulation;

/**
 * How a consumer takes the elements of a stream.
 *
 * @param batch how many it asks for at once; 0 for all
 * @param pauseMicros how long it pauses before it asks again
 * @param stopAfter after how many elements it asks for no more; -1 for never
 * @param readsInside whether it reads something else of each element before it asks again
 */
record Pace(int batch, long pauseMicros, int stopAfter, boolean readsInside) {
  static final Pace FAST = new Pace(0, 0, -1, false);

  boolean stops() {
    return stopAfter >= 0;
  }

  /** Returns true where bytes may be held while nothing is asked for. */
  boolean mayHoldUp() {
    return batch > 0;
  }

  @Override
  public String toString() {
    return batch == 0
        ? "all at once"
        : batch
            + " at a time"
            + (pauseMicros == 0 ? "" : " every " + pauseMicros + " µs")
            + (readsInside ? ", with a read in between" : "")
            + (stops() ? ", stops after " + stopAfter : "");
  }
}
