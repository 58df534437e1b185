package dev.zarrreactive.internal.sharing;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;

/**
 * The rules of a failure that several subscribers wait for: a request answers all of its
 * subscribers, by a failure too, and none of them repeats it.
 */
public final class SharedFailure {
  private SharedFailure() {}

  /** Returns the failure for one of the subscribers, since each of them adds its own place. */
  public static Throwable forOne(Throwable failure) {
    return failure instanceof ZarrException located ? located.copy() : failure;
  }

  /**
   * Returns true for a failure that depends on the requested range. It is told only to subscribers
   * that want the same range: a request for another range of the value may succeed.
   */
  public static boolean dependsOnRange(Throwable failure) {
    return failure instanceof RangeOutOfBoundsException
        || failure instanceof ValueTooLargeException
        || failure instanceof MemoryExhaustedException
        || failure instanceof CodecException;
  }
}
