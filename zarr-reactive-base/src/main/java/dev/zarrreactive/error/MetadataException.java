package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** A metadata document breaks a rule of the specification. The JSON pointer says where. */
public final class MetadataException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public MetadataException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public MetadataException(String message, Location location) {
    this(message, location, null);
  }
}
