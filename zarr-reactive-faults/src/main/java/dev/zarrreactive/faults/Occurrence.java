package dev.zarrreactive.faults;

/** How often something goes wrong, and what the store is that meets it. */
public enum Occurrence {
  /** Once; the store does not repeat requests, except by itself. */
  ONCE("once, without retries", 1),
  /** Twice; the store repeats requests. */
  TWICE("twice", 2),
  /** Always; the store repeats requests. */
  ALWAYS("always", Long.MAX_VALUE),
  /** Always; the store repeats requests, and the reader gives up meanwhile. */
  CANCELLED("always, and cancelled", Long.MAX_VALUE);

  private final String words;
  private final long times;

  Occurrence(String words, long times) {
    this.words = words;
    this.times = times;
  }

  /** How many times it happens. */
  long times() {
    return times;
  }

  @Override
  public String toString() {
    return words;
  }
}
