package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** The store refuses the caller. */
public final class AccessDeniedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public AccessDeniedException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public AccessDeniedException(String message, Location location) {
    this(message, location, null);
  }
}
