package dev.zarrreactive.store;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a read on the version of a value; {@link Precondition} is that of a write.
 * Compared by its content.
 *
 * <p>A key that is missing is missing under every condition: the read is empty.
 */
public final class ReadCondition {
  /** No condition: any version is read. */
  public static final ReadCondition ALWAYS = new ReadCondition(null, null);

  private final @Nullable Version required;
  private final @Nullable Version known;

  private ReadCondition(@Nullable Version required, @Nullable Version known) {
    this.required = required;
    this.known = known;
  }

  /**
   * Only bytes of this version; fails with {@link PreconditionFailedException} if the value has
   * another one.
   */
  public static ReadCondition ifMatch(Version version) {
    return new ReadCondition(version, null);
  }

  /** Bytes of any other version; the answer for this version is that the value is unchanged. */
  public static ReadCondition ifChanged(Version version) {
    return new ReadCondition(null, version);
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
   * may ignore the condition.
   *
   * @param actual the version of the value; null where the store does not know it
   * @return the answer without bytes where the value is unchanged; null where bytes are to be read
   * @throws PreconditionFailedException where this requires another version
   */
  public @Nullable VersionedBytes check(StoreKey key, @Nullable Version actual) {
    if (required != null && !required.equals(actual)) {
      throw required.mismatch(key, actual == null ? "the store sends none" : "it is " + actual);
    }
    return known != null && known.equals(actual) ? VersionedBytes.unchanged(known) : null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReadCondition that
        && Objects.equals(required, that.required)
        && Objects.equals(known, that.known);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hashCode(required) + Objects.hashCode(known);
  }

  @Override
  public String toString() {
    if (required != null) {
      return "if it is " + required;
    }
    return known != null ? "if it is not " + known : "always";
  }
}
