package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** A conditional write whose condition no longer holds. */
public final class PreconditionFailedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public PreconditionFailedException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public PreconditionFailedException(String message, Location location) {
    this(message, location, null);
  }
}
