package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/**
 * No value can be at a key of a store: a directory or another kind of file is there, the path leads
 * through a file, or the file system has no such name. A reader of an array fails, for a chunk may
 * be lost. A server that is asked for the name answers as for a missing one.
 */
public final class NotAValueException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public NotAValueException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public NotAValueException(String message, Location location) {
    this(message, location, null);
  }
}
