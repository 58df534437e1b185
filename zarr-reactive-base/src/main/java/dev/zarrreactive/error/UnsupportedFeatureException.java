package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** Legal Zarr uses a feature that this library or this store lacks. The message says what helps. */
public final class UnsupportedFeatureException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public UnsupportedFeatureException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public UnsupportedFeatureException(String message, Location location) {
    this(message, location, null);
  }
}
