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
        MemoryExhaustedException,
        StoreException {
  private static final long serialVersionUID = 1L;

  /** The most characters of a message. */
  private static final int LONGEST = 4_000;

  private transient volatile Location location;

  ZarrException(String message, Location location, @Nullable Throwable cause) {
    super(shortened(message), cause);
    this.location = location;
  }

  /** A name in a hostile document may have megabytes, which would all stand in each log. */
  private static String shortened(String message) {
    return message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "...";
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
