package dev.zarrreactive.internal.sharing;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ValueTooLargeException;

/**
 * The failures of a request that depend on its range. All who wait for a shared request hear its
 * answer, and its failure too; but a failure of this kind only if they want the same range.
 */
public final class RangeFailures {
  private RangeFailures() {}

  /** Returns true if a request for another range of the same value may succeed. */
  public static boolean include(Throwable failure) {
    return failure instanceof RangeOutOfBoundsException
        || failure instanceof ValueTooLargeException
        || failure instanceof MemoryExhaustedException
        || failure instanceof CodecException;
  }
}
