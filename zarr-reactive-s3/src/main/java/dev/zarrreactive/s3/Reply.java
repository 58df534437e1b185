package dev.zarrreactive.s3;

import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.transfer.BodyHead;
import dev.zarrreactive.internal.transfer.Refusal;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * What the head of an answer with a value says.
 *
 * @param body what it says of the body
 */
record Reply(BodyHead body, Tag tag) {

  /** How MinIO answers a range of the last bytes of an empty value. */
  private static final String OF_NOTHING = "bytes 0--1/0";

  /**
   * Reads the head of a 200 or a 206.
   *
   * @throws StoreException where the head contradicts itself
   */
  static Reply of(StoreKey key, S3Settings settings, GetObjectResponse response) {
    String url = settings.url(key);
    Tag tag = settings.tag(response.eTag(), response.versionId());
    SdkHttpResponse http = response.sdkHttpResponse();
    long length = response.contentLength() == null ? -1 : response.contentLength();
    Version version = tag.strong() == null ? null : tag.version();
    String same = version == null ? null : version.tag();
    return switch (http.statusCode()) {
      case 200 -> new Reply(BodyHead.whole(key, url, length, isChunked(http), same), tag);
      case 206 -> {
        boolean nothing =
            length == 0 && String.valueOf(response.contentRange()).matches(OF_NOTHING);
        yield nothing
            ? new Reply(BodyHead.whole(key, url, 0, false, same), tag)
            : new Reply(BodyHead.partial(key, url, response.contentRange(), length, same), tag);
      }
      default -> throw Refusal.violation(key, url, "answered " + http.statusCode());
    };
  }

  private static boolean isChunked(SdkHttpResponse http) {
    return http.firstMatchingHeader("Transfer-Encoding").orElse("").equalsIgnoreCase("chunked");
  }
}
