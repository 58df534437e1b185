package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** A node cannot be created: its path has a node already, or an ancestor is an array. */
public final class NodeExistsException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public NodeExistsException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public NodeExistsException(String message, Location location) {
    this(message, location, null);
  }
}
