package dev.zarrreactive.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The end of an operation.
 *
 * @param kind the kind of end
 * @param duration the time from the subscription to the end; of a stream this includes time without
 *     demand
 * @param error the error of a failed operation, or null
 */
public record OperationOutcome(Kind kind, Duration duration, @Nullable Throwable error) {
  /** The kinds of ends. */
  public enum Kind {
    /** The operation succeeded. */
    COMPLETED,
    /** The operation signalled an error. */
    FAILED,
    /** The subscriber cancelled. */
    CANCELLED
  }
}
