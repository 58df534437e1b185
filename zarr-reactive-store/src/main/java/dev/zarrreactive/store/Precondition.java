package dev.zarrreactive.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a write, on what is at the key before it; {@link ReadCondition} is that of a
 * read. Compared by its content.
 */
public final class Precondition {
  /** Writes in any case: an existing value is replaced. */
  public static final Precondition NONE = new Precondition("in any case", null);

  /** Writes only if there is no value at the key. */
  public static final Precondition ABSENT = new Precondition("if there is no value", null);

  private final String text;
  private final @Nullable Version version;

  private Precondition(String text, @Nullable Version version) {
    this.text = text;
    this.version = version;
  }

  /**
   * Writes only if the value has this version; the {@code set} of a missing value fails. Needs
   * {@link StoreCapability#VERSIONS}, too.
   */
  public static Precondition matches(Version version) {
    return new Precondition("if it is " + version, version);
  }

  /** The version that the value must have; null for {@link #NONE} and {@link #ABSENT}. */
  public @Nullable Version version() {
    return version;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this
        || (version != null && other instanceof Precondition that && version.equals(that.version));
  }

  @Override
  public int hashCode() {
    return version == null ? text.hashCode() : Objects.hashCode(version);
  }

  @Override
  public String toString() {
    return text;
  }
}
