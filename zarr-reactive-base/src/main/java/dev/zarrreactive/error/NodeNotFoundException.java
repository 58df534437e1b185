package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** The store has no metadata document of an array or group at the path. */
public final class NodeNotFoundException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public NodeNotFoundException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public NodeNotFoundException(String message, Location location) {
    this(message, location, null);
  }
}
