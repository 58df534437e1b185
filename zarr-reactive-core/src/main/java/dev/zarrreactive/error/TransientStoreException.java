package dev.zarrreactive.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A failure that may pass when the request is made again: a timeout, a reset, an overloaded server.
 */
public final class TransientStoreException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final @Nullable Duration retryAfter;

  /** An error with its place and, where there is one, its cause. */
  public TransientStoreException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
    this.retryAfter = null;
  }

  /** An error with its place. */
  public TransientStoreException(String message, Location location) {
    this(message, location, (Throwable) null);
  }

  /** An error with its place, and the time after which the server wants to be asked again. */
  public TransientStoreException(String message, Location location, @Nullable Duration retryAfter) {
    super(message, location);
    this.retryAfter = retryAfter;
  }

  /** The time after which the server wants to be asked again; null where it did not say. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
