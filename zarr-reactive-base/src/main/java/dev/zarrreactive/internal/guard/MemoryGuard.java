package dev.zarrreactive.internal.guard;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import java.util.function.Supplier;

/**
 * Turns an {@link OutOfMemoryError} into an error of this library. Reactor rethrows the error of
 * the JVM without a signal: the thread's task ends, and the subscriber waits for ever. Each step
 * that allocates by the size of data runs in such a guard.
 */
public final class MemoryGuard {
  private MemoryGuard() {}

  /**
   * Runs work that allocates.
   *
   * @param purpose the use of the bytes, for example {@code to decode a chunk}
   * @param bytes the number of bytes that the work allocates, or {@link
   *     MemoryExhaustedException#UNKNOWN_SIZE}
   * @throws MemoryExhaustedException for a heap without room
   */
  public static <T> T allocating(String purpose, long bytes, Location location, Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(purpose, bytes, location, e);
    }
  }
}
