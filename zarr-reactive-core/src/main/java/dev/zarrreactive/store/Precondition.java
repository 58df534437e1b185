package dev.zarrreactive.store;

import org.jspecify.annotations.Nullable;

/**
 * What must hold for a {@code set} to happen. {@link #NONE} and {@link #ABSENT} are one object each
 * and may be compared with {@code ==}; every other one has a {@link #version}, and two of them are
 * equal where the versions are.
 */
public sealed interface Precondition permits PlainPrecondition, MatchingVersion {
  /** Nothing: what stands at the key is replaced. */
  Precondition NONE = PlainPrecondition.NONE;

  /** There is no value at the key. */
  Precondition ABSENT = PlainPrecondition.ABSENT;

  /**
   * The value has this version; one that is missing has none, so that the {@code set} fails. Needs
   * {@link StoreCapability#VERSIONS}, too.
   */
  static Precondition matches(Version version) {
    return new MatchingVersion(version);
  }

  /** The version that the value must have; null for {@link #NONE} and {@link #ABSENT}. */
  @Nullable Version version();
}
