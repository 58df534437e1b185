package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** Stored bytes whose checksum says that they are damaged. */
public final class ChecksumMismatchException extends CodecException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public ChecksumMismatchException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public ChecksumMismatchException(String message, Location location) {
    this(message, location, null);
  }
}
