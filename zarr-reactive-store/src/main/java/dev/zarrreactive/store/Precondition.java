package dev.zarrreactive.store;

import org.jspecify.annotations.Nullable;

/**
 * The condition of a {@code set}. {@link #NONE} and {@link #ABSENT} are one object each and may be
 * compared with {@code ==}; every other one has a {@link #version}, and two of them are equal if
 * their versions are.
 */
public sealed interface Precondition permits PlainPrecondition, MatchingVersion {
  /** No condition: an existing value is replaced. */
  Precondition NONE = PlainPrecondition.NONE;

  /** There is no value at the key. */
  Precondition ABSENT = PlainPrecondition.ABSENT;

  /**
   * The value has this version; the {@code set} of a missing value fails. Needs {@link
   * StoreCapability#VERSIONS}, too.
   */
  static Precondition matches(Version version) {
    return new MatchingVersion(version);
  }

  /** The version that the value must have; null for {@link #NONE} and {@link #ABSENT}. */
  @Nullable Version version();
}
