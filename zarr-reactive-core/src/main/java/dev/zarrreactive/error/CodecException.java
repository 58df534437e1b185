package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** Stored bytes, or elements to store, that a codec cannot decode or encode. */
public sealed class CodecException extends ZarrException permits ChecksumMismatchException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public CodecException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public CodecException(String message, Location location) {
    this(message, location, null);
  }
}
