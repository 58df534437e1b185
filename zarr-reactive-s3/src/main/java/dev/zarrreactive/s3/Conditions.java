package dev.zarrreactive.s3;

import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * Conditions on the version of a value, as they are sent; what comes is compared with them, too.
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
}
