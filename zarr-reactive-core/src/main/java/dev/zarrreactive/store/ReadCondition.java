package dev.zarrreactive.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which state of a value a read is to answer with. Two are equal where they say the same.
 *
 * <p>A key that is missing is missing under every condition: the read is empty.
 */
public final class ReadCondition {
  /** Whatever there is. */
  public static final ReadCondition ALWAYS = new ReadCondition(null, null);

  private final @Nullable Version required;
  private final @Nullable Version known;

  private ReadCondition(@Nullable Version required, @Nullable Version known) {
    this.required = required;
    this.known = known;
  }

  /**
   * Only bytes of this version; {@link dev.zarrreactive.error.PreconditionFailedException} where
   * the value has another one.
   */
  public static ReadCondition ifMatch(Version version) {
    return new ReadCondition(version, null);
  }

  /** Bytes of any other version; where the value has this one, only that it is unchanged. */
  public static ReadCondition ifChanged(Version version) {
    return new ReadCondition(null, version);
  }

  /** The version that the value must have; null where any will do. */
  public @Nullable Version required() {
    return required;
  }

  /** The version that no bytes are wanted of; null where there is none. */
  public @Nullable Version known() {
    return known;
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
