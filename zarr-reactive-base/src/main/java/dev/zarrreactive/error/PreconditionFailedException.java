package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** The condition of a conditional write no longer holds. */
public final class PreconditionFailedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public PreconditionFailedException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public PreconditionFailedException(String message, Location location) {
    this(message, location, null);
  }
}
