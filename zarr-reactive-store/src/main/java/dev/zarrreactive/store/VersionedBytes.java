package dev.zarrreactive.store;

import dev.zarrreactive.base.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A value or a range of it, and the version of the whole value that the bytes are of; or that the
 * value is still the one that the reader knows.
 *
 * @param bytes the requested bytes; null if the value has not changed
 * @param version of the whole value; null where the store knows none
 */
public record VersionedBytes(@Nullable Bytes bytes, @Nullable Version version) {
  /** Bytes, or where they have not changed at least a version. */
  public VersionedBytes {
    if (bytes == null && version == null) {
      throw new IllegalArgumentException("neither bytes nor a version");
    }
  }

  /** The value has the version that {@link ReadCondition#ifChanged} named; no bytes came. */
  public static VersionedBytes unchanged(Version version) {
    return new VersionedBytes(null, version);
  }

  /** Returns true if the value is unchanged, in an answer without bytes. */
  public boolean isUnchanged() {
    return bytes == null;
  }
}
