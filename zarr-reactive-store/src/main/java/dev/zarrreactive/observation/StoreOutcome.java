package dev.zarrreactive.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a request to a store ended.
 *
 * @param kind the way that it ended
 * @param bytes the bytes of values that were read and delivered, or written by a completed write
 * @param count how many values, keys or entries were handed on, written or passed to be erased
 * @param duration from the subscription to the end; for several results this includes the time
 *     without demand
 * @param error what went wrong, where the request failed
 */
public record StoreOutcome(
    Kind kind, long bytes, long count, Duration duration, @Nullable Throwable error) {

  /** The ways a request ends. */
  public enum Kind {
    /** All was done. */
    COMPLETED,
    /** There is no value at the key. */
    MISSING,
    /** The value is the one that the reader knows; no bytes came. */
    UNCHANGED,
    /** There was an error. */
    FAILED,
    /** The subscriber gave up. */
    CANCELLED
  }
}
