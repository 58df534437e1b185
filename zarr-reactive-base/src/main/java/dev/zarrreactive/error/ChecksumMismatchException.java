package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** Stored bytes are damaged: their checksum differs from the stored one. */
public final class ChecksumMismatchException extends CodecException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public ChecksumMismatchException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public ChecksumMismatchException(String message, Location location) {
    this(message, location, null);
  }
}
