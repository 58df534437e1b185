package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/**
 * Everything that goes wrong after a store was asked. The message says what was expected, what was
 * found and where. Unchecked; arrives through {@code onError}.
 */
public abstract sealed class ZarrException extends RuntimeException
    permits NodeNotFoundException,
        NodeExistsException,
        MetadataException,
        UnknownExtensionException,
        UnsupportedFeatureException,
        CodecException,
        StoreException {
  private static final long serialVersionUID = 1L;

  private transient volatile Location location;

  ZarrException(String message, Location location, @Nullable Throwable cause) {
    super(message, cause);
    this.location = location;
  }

  /** Where it went wrong, as far as it is known. */
  public final Location location() {
    Location known = location;
    return known == null ? Location.UNKNOWN : known; // null after deserialisation
  }

  /**
   * Adds what the caller knows of the place; what is known already stays. Layers call this as the
   * error passes: a codec knows nothing of chunks, the pipeline does.
   *
   * @return this
   */
  public final ZarrException at(Location place) {
    location = location().or(place);
    return this;
  }

  /** The plain statement, without the place. */
  public final String statement() {
    return String.valueOf(super.getMessage());
  }

  @Override
  public final String getMessage() {
    String place = location().toString();
    return place.isEmpty() ? statement() : statement() + " (" + place + ")";
  }
}
