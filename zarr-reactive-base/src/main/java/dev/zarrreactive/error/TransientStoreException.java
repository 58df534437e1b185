package dev.zarrreactive.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request failed that may succeed when it is repeated: after a timeout, a reset, an overload. */
public final class TransientStoreException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final @Nullable Duration retryAfter;

  /** Creates an error with its place and, if known, its cause. */
  public TransientStoreException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
    this.retryAfter = null;
  }

  /** Creates an error with its place. */
  public TransientStoreException(String message, Location location) {
    this(message, location, (Throwable) null);
  }

  /** Creates an error with its place, and the delay that the server asks for before a retry. */
  public TransientStoreException(String message, Location location, @Nullable Duration retryAfter) {
    super(message, location);
    this.retryAfter = retryAfter;
  }

  /** The delay that the server asks for before a retry, or null. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
