package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** The store rejects the caller's credentials, or they lack the permission for the request. */
public final class AccessDeniedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public AccessDeniedException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public AccessDeniedException(String message, Location location) {
    this(message, location, null);
  }
}
