package dev.zarrreactive.s3;

import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * Conditions on the version of a value. A server is asked for what is wanted, and its answer
 * compared, for not all servers look at what they are asked.
 */
final class Conditions {
  private Conditions() {}

  /**
   * Adds a condition. A version with an id is asked for by that, so that it comes also where it has
   * been replaced. No weak ETag ever matches in {@code If-Match}.
   */
  static void addTo(
      GetObjectRequest.Builder request, ReadCondition condition, S3Settings settings) {
    Version required = condition.required();
    if (required != null) {
      Tag tag = Tag.of(required);
      request.versionId(tag.id());
      if (tag.id() == null) {
        request.ifMatch(settings.asSent(tag.strong()));
      }
    }
    Version known = condition.known();
    if (known != null) {
      request.ifNoneMatch(settings.asSent(Tag.of(known).etag()));
    }
  }

  /**
   * Compares what came with what was wanted.
   *
   * @return that the value is unchanged; null where bytes are wanted
   * @throws PreconditionFailedException where another version is wanted
   */
  static @Nullable VersionedBytes unchanged(StoreKey key, Tag tag, ReadCondition condition) {
    Version actual = tag.version();
    Version required = condition.required();
    if (required != null && !required.equals(actual)) {
      throw failed(key, required, actual == null ? "the server tells none" : "it is " + actual);
    }
    Version known = condition.known();
    return known != null && known.equals(actual) ? VersionedBytes.unchanged(known) : null;
  }

  static PreconditionFailedException failed(StoreKey key, Version required, String found) {
    return new PreconditionFailedException(
        "wanted version " + required + " of the value, and " + found, S3Settings.at(key));
  }
}
