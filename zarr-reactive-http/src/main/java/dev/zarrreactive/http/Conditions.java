package dev.zarrreactive.http;

import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on the version of a value, which is its ETag. A server is asked for what is wanted,
 * and its answer compared, for not all servers look at what they are asked.
 */
final class Conditions {
  private Conditions() {}

  /** True for an ETag that stands for values that are as good as equal. */
  static boolean isWeak(String tag) {
    return tag.startsWith("W/");
  }

  /** Adds the header of a condition. No weak tag ever matches in {@code If-Match}. */
  static void addTo(Map<String, String> headers, ReadCondition condition) {
    Version required = condition.required();
    Version known = condition.known();
    if (required != null && !isWeak(required.tag())) {
      headers.put("if-match", required.tag());
    }
    if (known != null) {
      headers.put("if-none-match", known.tag());
    }
  }

  /**
   * Compares what came with what was wanted.
   *
   * @param tag the ETag of the answer; null where there is none
   * @return that the value is unchanged; null where bytes are wanted
   * @throws PreconditionFailedException where another version is wanted
   */
  static @Nullable VersionedBytes unchanged(
      StoreKey key, @Nullable String tag, ReadCondition condition) {
    Version required = condition.required();
    if (required != null && !required.tag().equals(tag)) {
      throw failed(key, required, tag == null ? "the server tells none" : "it is " + tag);
    }
    Version known = condition.known();
    return known != null && known.tag().equals(tag) ? VersionedBytes.unchanged(known) : null;
  }

  static PreconditionFailedException failed(StoreKey key, Version required, String found) {
    return new PreconditionFailedException(
        "wanted version " + required + " of the value, and " + found, HttpErrors.at(key));
  }

  static @Nullable Version version(@Nullable String tag) {
    return tag == null ? null : new Version(tag);
  }
}
