package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;

/**
 * The version that came, beside the one that was wanted: a server is asked for what is wanted, and
 * its answer compared, for not all servers look at what they are asked.
 */
public final class WantedVersion {
  private WantedVersion() {}

  /**
   * Compares what came with what was wanted.
   *
   * @param actual the version of what came; null where the server tells none
   * @return that the value is unchanged; null where bytes are wanted
   * @throws PreconditionFailedException where another version is wanted
   */
  public static @Nullable VersionedBytes unchanged(
      StoreKey key, @Nullable Version actual, ReadCondition condition) {
    Version required = condition.required();
    if (required != null && !required.equals(actual)) {
      throw failed(key, required, actual == null ? "the server tells none" : "it is " + actual);
    }
    Version known = condition.known();
    return known != null && known.equals(actual) ? VersionedBytes.unchanged(known) : null;
  }

  /** The value is not of the version that was wanted. */
  public static PreconditionFailedException failed(StoreKey key, Version required, String found) {
    return new PreconditionFailedException(
        "wanted version " + required + " of the value, and " + found, Location.ofKey(key.value()));
  }
}
