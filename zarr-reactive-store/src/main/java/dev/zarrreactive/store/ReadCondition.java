package dev.zarrreactive.store;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a read on the version of a value, or on its age; {@link Precondition} is that of
 * a write. Compared by its content.
 *
 * <p>A key that is missing is missing under every condition: the read is empty.
 */
public final class ReadCondition {
  /** No condition: any version is read. */
  public static final ReadCondition ALWAYS = new ReadCondition(null, null, null);

  private final @Nullable Version required;
  private final @Nullable Version known;
  private final @Nullable Instant unmodifiedSince;

  private ReadCondition(
      @Nullable Version required, @Nullable Version known, @Nullable Instant unmodifiedSince) {
    this.required = required;
    this.known = known;
    this.unmodifiedSince = unmodifiedSince;
  }

  /**
   * Only bytes of this version; fails with {@link PreconditionFailedException} if the value has
   * another one.
   */
  public static ReadCondition ifMatch(Version version) {
    return new ReadCondition(version, null, null);
  }

  /** Bytes of any other version; the answer for this version is that the value is unchanged. */
  public static ReadCondition ifChanged(Version version) {
    return new ReadCondition(null, version, null);
  }

  /**
   * Only bytes of a value that was not modified after {@code time}; fails with {@link
   * PreconditionFailedException} if it was. Whole seconds are compared, as HTTP does. A store that
   * does not know when its values were modified refuses this condition; those on files, over HTTP
   * and in S3 know it.
   */
  public static ReadCondition ifUnmodifiedSince(Instant time) {
    return new ReadCondition(null, null, time.truncatedTo(ChronoUnit.SECONDS));
  }

  /** The time after which the value must not have been modified; null where it may. */
  public @Nullable Instant unmodifiedSince() {
    return unmodifiedSince;
  }

  /** The version that the value must have; null where any will do. */
  public @Nullable Version required() {
    return required;
  }

  /** The version that the reader has already; null if there is none. */
  public @Nullable Version known() {
    return known;
  }

  /**
   * Checks this condition against the version of a value, for a store: also for one whose server
   * may ignore the condition. It refuses a condition on the time of the value.
   *
   * @param actual the version of the value; null where the store does not know it
   * @return the answer without bytes where the value is unchanged; null where bytes are to be read
   * @throws PreconditionFailedException where this requires another version
   * @throws StoreException where the condition is on the time of the value
   */
  public @Nullable VersionedBytes check(StoreKey key, @Nullable Version actual) {
    return check(key, actual, null);
  }

  /**
   * Checks this condition against the version and the time of a value.
   *
   * @param actual the version of the value; null where the store does not know it
   * @param modified when the value was modified; null where the store does not know it
   * @return the answer without bytes where the value is unchanged; null where bytes are to be read
   * @throws PreconditionFailedException where this requires another version, or an older value
   * @throws StoreException where this needs the time, and the store does not know it
   */
  public @Nullable VersionedBytes check(
      StoreKey key, @Nullable Version actual, @Nullable Instant modified) {
    if (unmodifiedSince != null) {
      checkTime(key, unmodifiedSince, modified);
    }
    if (required != null && !required.equals(actual)) {
      throw required.mismatch(key, actual == null ? "the store sends none" : "it is " + actual);
    }
    return known != null && known.equals(actual) ? VersionedBytes.unchanged(known) : null;
  }

  private static void checkTime(StoreKey key, Instant since, @Nullable Instant modified) {
    if (modified == null) {
      throw new StoreException(
          "wanted the value as it was at "
              + since
              + ", and the store does not tell when it was modified; a store on files, or over a"
              + " server that sends Last-Modified, does",
          Location.ofKey(key.value()));
    }
    if (modified.truncatedTo(ChronoUnit.SECONDS).isAfter(since)) {
      throw newer(key, since, "at " + modified);
    }
  }

  /**
   * Returns the error for a value that was modified after the time of a condition.
   *
   * @param modified when it was, such as {@code at 2026-01-01T00:00:00Z}, or {@code later}
   */
  public static PreconditionFailedException newer(StoreKey key, Instant since, String modified) {
    return new PreconditionFailedException(
        "wanted the value as it was at " + since + ", and it was modified " + modified,
        Location.ofKey(key.value()));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReadCondition that
        && Objects.equals(required, that.required)
        && Objects.equals(known, that.known)
        && Objects.equals(unmodifiedSince, that.unmodifiedSince);
  }

  @Override
  public int hashCode() {
    return Objects.hash(required, known, unmodifiedSince);
  }

  @Override
  public String toString() {
    if (required != null) {
      return "if it is " + required;
    }
    if (unmodifiedSince != null) {
      return "if it was not modified after " + unmodifiedSince;
    }
    return known != null ? "if it is not " + known : "always";
  }
}
