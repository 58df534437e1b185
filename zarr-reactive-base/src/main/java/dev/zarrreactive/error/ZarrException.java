package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/**
 * The root of all errors that an operation signals through {@code onError}. The message says what
 * was expected, what was found and where. Unchecked.
 */
public abstract sealed class ZarrException extends RuntimeException implements Cloneable
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
        CommitConflictException,
        StoreException {
  private static final long serialVersionUID = 1L;

  private transient volatile Location location;

  ZarrException(String message, Location location, @Nullable Throwable cause) {
    super(BoundedText.of(message), cause);
    this.location = location;
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

  /**
   * Returns an equal error for another reader of the same answer, since each reader adds its own
   * place.
   */
  public final ZarrException copy() {
    try {
      return (ZarrException) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e); // every error is cloneable
    }
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
