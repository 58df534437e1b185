package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An answer of a store about a value, or a range of it.
 *
 * @param bytes of the value or range; null for a missing value, and for an answer without bytes
 * @param version of the whole value, where it is known
 * @param askedAt when the store was asked, in nanoseconds of the cache's clock
 */
record StoredValue(
    CacheKey key, Kind kind, @Nullable Bytes bytes, @Nullable Version version, long askedAt) {

  enum Kind {
    READ,
    MISSING,
    /** The value has not changed. */
    CONFIRMED
  }

  static StoredValue missing(CacheKey key, long askedAt) {
    return new StoredValue(key.whole(), Kind.MISSING, null, null, askedAt);
  }

  static StoredValue of(CacheKey key, VersionedBytes answer, long askedAt) {
    Kind kind = answer.isUnchanged() ? Kind.CONFIRMED : Kind.READ;
    return new StoredValue(key.kept(), kind, answer.bytes(), answer.version(), askedAt);
  }

  /** Returns this, confirmed at a time. */
  StoredValue confirmed(long when) {
    return new StoredValue(key, Kind.CONFIRMED, bytes, version, when);
  }

  StoredValue withoutBytes() {
    return new StoredValue(key, kind, null, version, askedAt);
  }

  /** Returns what this says of itself, or of a range of its value. */
  StoredValue of(CacheKey part) {
    Bytes whole = bytes;
    ByteRange range = part.range();
    return whole == null || range == null || key.equals(part)
        ? this
        : new StoredValue(part, kind, range.of(key.key(), whole), version, askedAt);
  }

  boolean isMissing() {
    return kind == Kind.MISSING;
  }

  boolean isOfSameState(StoredValue other) {
    return isMissing() == other.isMissing() && Objects.equals(version, other.version);
  }

  /** Returns what a reader gets; null where there is no value. */
  @Nullable VersionedBytes answer() {
    return isMissing() ? null : new VersionedBytes(bytes, version);
  }
}
