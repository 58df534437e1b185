package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/** A request to a store failed. A missing key is an empty result, not this error. */
public sealed class StoreException extends ZarrException
    permits TransientStoreException,
        AccessDeniedException,
        NotAValueException,
        StoreCapabilityException,
        PreconditionFailedException,
        RangeOutOfBoundsException,
        ValueTooLargeException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with its place and, if known, its cause. */
  public StoreException(String message, Location location, @Nullable Throwable cause) {
    super(message, location, cause);
  }

  /** Creates an error with its place. */
  public StoreException(String message, Location location) {
    this(message, location, null);
  }
}
