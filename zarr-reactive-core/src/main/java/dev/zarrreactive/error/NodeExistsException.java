package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** A node stands where one was to be created, or an array stands among its ancestors. */
public final class NodeExistsException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public NodeExistsException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public NodeExistsException(String message, Location location) {
    this(message, location, null);
  }
}
