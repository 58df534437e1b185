package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** Legal Zarr that this library, or this store, does not do; the message says what would help. */
public final class UnsupportedFeatureException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public UnsupportedFeatureException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public UnsupportedFeatureException(String message, Location location) {
    this(message, location, null);
  }
}
