package dev.zarrreactive.store;

/**
 * Measures the reads of an origin, from the request to the last byte. Called by the threads of the
 * store, several at a time; a call returns quickly and throws nothing.
 */
public interface ReadProbe {
  /** Returns the time, in nanoseconds since any fixed moment. */
  long nanoTime();

  /** Records a read that was answered with {@code bytes} after {@code nanos}. */
  void answered(long bytes, long nanos);
}
