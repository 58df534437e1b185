package dev.zarrreactive.internal.guard;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import java.util.function.Supplier;

/**
 * Turns an {@link OutOfMemoryError} into an error of ours. Reactor rethrows the error of the JVM
 * instead of signalling it, so that the thread's task ends and the subscriber waits for ever. Each
 * step that allocates by the size of data runs in such a guard.
 */
public final class MemoryGuard {
  private MemoryGuard() {}

  /**
   * Does work that allocates.
   *
   * @param purpose the use of the bytes, such as {@code to decode a chunk}
   * @param bytes how many the work allocates, or {@link MemoryExhaustedException#UNKNOWN_SIZE}
   * @throws MemoryExhaustedException where the heap has no room
   */
  public static <T> T allocating(String purpose, long bytes, Location location, Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(purpose, bytes, location, e);
    }
  }
}
