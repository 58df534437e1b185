package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;

/** Compares the version in a response with the condition: some servers ignore its header. */
final class VersionCheck {
  private VersionCheck() {}

  /**
   * Returns the news that the value is unchanged; null where the condition allows its bytes.
   *
   * @param actual the version in the response; null where it has none
   * @throws PreconditionFailedException where the condition requires another version
   */
  static @Nullable VersionedBytes unchanged(
      StoreKey key, @Nullable Version actual, ReadCondition condition) {
    Version required = condition.required();
    if (required != null && !required.equals(actual)) {
      throw failed(key, required, actual == null ? "the server sends none" : "it is " + actual);
    }
    Version known = condition.known();
    return known != null && known.equals(actual) ? VersionedBytes.unchanged(known) : null;
  }

  /** Returns the error for a value of another version than the required one. */
  static PreconditionFailedException failed(StoreKey key, Version required, String found) {
    return new PreconditionFailedException(
        "wanted version " + required + " of the value, and " + found, Location.ofKey(key.value()));
  }
}
