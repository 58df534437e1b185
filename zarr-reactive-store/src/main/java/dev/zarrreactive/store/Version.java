package dev.zarrreactive.store;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import org.jspecify.annotations.Nullable;

/**
 * The opaque identity of one state of a value, such as the ETag of an object. Versions can only be
 * compared for equality, and only versions of the same key. Other bytes have another version; the
 * same bytes, written again, may have another one too. The store defines whether a version outlives
 * the process.
 *
 * @param tag as the store has it, not empty
 */
public record Version(String tag) {
  /** A version. */
  public Version {
    if (tag.isEmpty()) {
      throw new IllegalArgumentException("a version without a tag");
    }
  }

  /**
   * Returns the error for a read or a change that wants this version and finds another.
   *
   * @param found the state of the value, such as {@code it is "e2"} or {@code there is none}
   */
  public PreconditionFailedException mismatch(StoreKey key, String found) {
    return new PreconditionFailedException(
        "wanted version " + tag + " of the value, and " + found, Location.ofKey(key.value()));
  }

  /** Returns the error for a change that finds the version {@code actual}; null if no value. */
  public PreconditionFailedException mismatch(StoreKey key, @Nullable Version actual) {
    return mismatch(key, actual == null ? "there is none" : "it is " + actual);
  }

  /** The tag. */
  @Override
  public String toString() {
    return tag;
  }
}
