package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** A store could not do what it was asked; never used for a key that is merely missing. */
public sealed class StoreException extends ZarrException
    permits TransientStoreException,
        AccessDeniedException,
        StoreCapabilityException,
        PreconditionFailedException,
        RangeOutOfBoundsException,
        ValueTooLargeException {
  private static final long serialVersionUID = 1L;

  /** An error with its place and, where there is one, its cause. */
  public StoreException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** An error with its place. */
  public StoreException(String message, Location location) {
    this(message, location, null);
  }
}
