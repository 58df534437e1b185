package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/**
 * The root of all errors that an operation signals through {@code onError}. The message says what
 * was expected, what was found and where. Unchecked.
 */
public abstract sealed class ZarrException extends RuntimeException
    permits NodeNotFoundException,
        NodeExistsException,
        MetadataException,
        UnknownExtensionException,
        UnsupportedFeatureException,
        CodecException,
        MemoryExhaustedException,
        UnfinishedAppendException,
        UnfinishedResizeException,
        UnfinishedWriteException,
        StoreException {
  private static final long serialVersionUID = 1L;

  /** The maximum number of characters of a message. */
  private static final int LONGEST = 4_000;

  private transient volatile Location location;

  ZarrException(String message, Location location, @Nullable Throwable cause) {
    super(shortened(message), cause);
    this.location = location;
  }

  /** Keeps a name of megabytes from a hostile document out of the logs. */
  private static String shortened(String message) {
    return message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "...";
  }

  /** The place of the error, as far as it is known. */
  public final Location location() {
    Location known = location;
    return known == null ? Location.UNKNOWN : known; // null after deserialisation
  }

  /**
   * Adds the parts of the place that are unknown so far. Each layer adds its own as the error
   * passes: a codec knows its name, the reader of the chunk knows the chunk.
   *
   * @return this
   */
  public final ZarrException at(Location place) {
    location = location().or(place);
    return this;
  }

  /** The message without the place. */
  public final String statement() {
    return String.valueOf(super.getMessage());
  }

  @Override
  public final String getMessage() {
    String place = location().toString();
    return place.isEmpty() ? statement() : statement() + " (" + place + ")";
  }
}
