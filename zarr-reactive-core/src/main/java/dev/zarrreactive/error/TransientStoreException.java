package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/**
 * A failure that may pass when the request is made again: a timeout, a reset, an overloaded server.
 */
public final class TransientStoreException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public TransientStoreException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public TransientStoreException(String message, Location location) {
    this(message, location, null);
  }
}
