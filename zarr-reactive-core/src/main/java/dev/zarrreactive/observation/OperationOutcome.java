package dev.zarrreactive.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an operation ended.
 *
 * @param kind the way that it ended
 * @param duration from the subscription to the end; of a stream this includes the time in which
 *     nobody demanded anything
 * @param error what went wrong, where it failed
 */
public record OperationOutcome(Kind kind, Duration duration, @Nullable Throwable error) {
  /** The ways an operation ends. */
  public enum Kind {
    /** All was done. */
    COMPLETED,
    /** There was an error. */
    FAILED,
    /** The subscriber gave up. */
    CANCELLED
  }
}
