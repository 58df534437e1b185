package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** An operation that this store has no capability for. */
public final class StoreCapabilityException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public StoreCapabilityException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public StoreCapabilityException(String message, Location location) {
    this(message, location, null);
  }
}
