package dev.zarrreactive.faults;

/** The number of faults in a trial, with or without retries. */
public enum Occurrence {
  /** One fault, without a retrying decorator. */
  ONCE("once, without retries", 1),
  /** Two faults, with retries. */
  TWICE("twice", 2),
  /** A fault at each request, with retries. */
  ALWAYS("always", Long.MAX_VALUE),
  /** A fault at each request, with retries, and a reader that cancels. */
  CANCELLED("always, and cancelled", Long.MAX_VALUE);

  private final String words;
  private final long times;

  Occurrence(String words, long times) {
    this.words = words;
    this.times = times;
  }

  /** Returns the number of faults. */
  public long times() {
    return times;
  }

  @Override
  public String toString() {
    return words;
  }
}
