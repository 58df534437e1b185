package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** A codec failed to decode stored bytes, or to encode the elements to store. */
public sealed class CodecException extends ZarrException permits ChecksumMismatchException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public CodecException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public CodecException(String message, Location location) {
    this(message, location, null);
  }
}
