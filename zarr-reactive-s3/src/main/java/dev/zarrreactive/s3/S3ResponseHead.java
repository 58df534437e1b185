package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.s3.get.ObjectHead;
import dev.zarrreactive.internal.transfer.BodyHead;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import dev.zarrreactive.store.Version;

/** Parses the head of a response with a value. */
final class S3ResponseHead {
  /** The range with which MinIO answers a request for the last bytes of an empty value. */
  private static final String OF_NOTHING = "bytes 0--1/0";

  private S3ResponseHead() {}

  /**
   * Parses the head of a 200 or a 206.
   *
   * @throws StoreException where the head contradicts itself
   */
  static BodyHead of(StoreKey key, S3Settings settings, ObjectHead response) {
    String url = settings.names().url(key);
    Version version = settings.version(response.etag(), response.versionId()).version();
    long length = response.length();
    String range = response.contentRange();
    boolean nothing = length == 0 && OF_NOTHING.equals(range);
    BodyHead head =
        switch (response.status()) {
          case 200 -> BodyHead.whole(key, url, length, response.chunked(), version);
          case 206 ->
              nothing
                  ? BodyHead.whole(key, url, 0, false, version)
                  : BodyHead.partial(key, url, range, length, version);
          default -> throw ResponseErrors.violation(key, url, "answered " + response.status());
        };
    return head.modifiedAt(response.modified());
  }
}
