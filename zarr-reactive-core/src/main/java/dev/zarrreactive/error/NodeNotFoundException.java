package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** No array or group has its metadata document at the path. */
public final class NodeNotFoundException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public NodeNotFoundException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public NodeNotFoundException(String message, Location location) {
    this(message, location, null);
  }
}
