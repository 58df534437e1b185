package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** The store lacks the capability for the operation. */
public final class StoreCapabilityException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public StoreCapabilityException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public StoreCapabilityException(String message, Location location) {
    this(message, location, null);
  }
}
