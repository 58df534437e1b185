package dev.zarrreactive.http;

import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.transfer.BodyHead;
import dev.zarrreactive.internal.transfer.Refusal;
import dev.zarrreactive.store.StoreKey;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClientResponse;

/**
 * What the head of an answer with a value says.
 *
 * @param body what it says of the body
 * @param tag the ETag, weak or strong, with its quotation marks; null where there is none
 */
record Reply(BodyHead body, @Nullable String tag) {

  /**
   * Reads the head of a 200 or a 206.
   *
   * @throws StoreException where the head contradicts itself or the body is encoded
   */
  static Reply of(StoreKey key, Url url, HttpClientResponse response) {
    HttpHeaders headers = response.responseHeaders();
    String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
    if (encoding != null && !HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(encoding.strip())) {
      throw Refusal.violation(
          key,
          url.toString(),
          "answered with Content-Encoding \"" + encoding + "\", asked for identity");
    }
    String tag = tag(headers);
    String version = tag == null || Conditions.isWeak(tag) ? null : tag;
    String range = headers.get(HttpHeaderNames.CONTENT_RANGE);
    String at = url.toString();
    BodyHead body =
        response.status().code() == 206
            ? BodyHead.partial(key, at, range, length(headers), version)
            : BodyHead.whole(
                key,
                at,
                length(headers),
                HttpUtil.isTransferEncodingChunked(head(response)),
                version);
    return new Reply(body, tag);
  }

  /** True where this may be the value that was {@code expected}. */
  boolean isOf(Size expected) {
    return (body.total() < 0 || body.total() == expected.total())
        && (expected.tag() == null || expected.tag().equals(tag));
  }

  /** The length of the body; -1 where it is missing or no number. */
  static long length(HttpHeaders headers) {
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    return length != null && length.matches("\\d{1,18}") ? Long.parseLong(length) : -1;
  }

  /** The ETag; null where there is none. */
  static @Nullable String tag(HttpHeaders headers) {
    String tag = headers.get(HttpHeaderNames.ETAG);
    return tag == null || tag.isBlank() ? null : tag;
  }

  private static io.netty.handler.codec.http.HttpMessage head(HttpClientResponse response) {
    return new io.netty.handler.codec.http.DefaultHttpResponse(
        response.version(), response.status(), response.responseHeaders());
  }
}
