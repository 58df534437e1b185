package dev.zarrreactive.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The end of a request to a store.
 *
 * @param kind the kind of end
 * @param bytes the bytes of values that were delivered, or stored by a completed write
 * @param count the number of values, keys or entries that were delivered, stored or erased
 * @param duration the time from the subscription to the end; for several results this includes the
 *     time without demand
 * @param error the error of a failed request, or null
 */
public record StoreOutcome(
    Kind kind, long bytes, long count, Duration duration, @Nullable Throwable error) {

  /** The kinds of ends. */
  public enum Kind {
    /** The request succeeded. */
    COMPLETED,
    /** There is no value at the key. */
    MISSING,
    /** The value has the version that the reader knows; no bytes came. */
    UNCHANGED,
    /** The request signalled an error. */
    FAILED,
    /** The subscriber cancelled. */
    CANCELLED
  }
}
