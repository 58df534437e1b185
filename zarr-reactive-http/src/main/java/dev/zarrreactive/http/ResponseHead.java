package dev.zarrreactive.http;

import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.transfer.BodyHead;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClientResponse;

/** Parses the head of a response. */
final class ResponseHead {
  private ResponseHead() {}

  /**
   * Parses the head of a 200 or a 206.
   *
   * @throws StoreException where the head contradicts itself or the body is encoded
   */
  static BodyHead of(StoreKey key, Url url, HttpClientResponse response) {
    HttpHeaders headers = response.responseHeaders();
    String at = url.toString();
    String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
    if (encoding != null && !HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(encoding.strip())) {
      throw ResponseErrors.violation(
          key, at, "answered with Content-Encoding \"" + encoding + "\", asked for identity");
    }
    Version version = version(headers);
    return response.status().code() == 206
        ? BodyHead.partial(
            key, at, headers.get(HttpHeaderNames.CONTENT_RANGE), length(headers), version)
        : BodyHead.whole(key, at, length(headers), isChunked(headers), version);
  }

  /** Returns the length of the body; -1 where the header is missing or no number. */
  static long length(HttpHeaders headers) {
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    return length != null && isNumber(length) ? Long.parseLong(length) : -1;
  }

  /** Returns the ETag, weak or strong; null where there is none. */
  static @Nullable Version version(HttpHeaders headers) {
    String tag = headers.get(HttpHeaderNames.ETAG);
    return tag == null || tag.isBlank() ? null : new Version(tag);
  }

  /** Returns true for up to 18 digits, which a long can hold. */
  private static boolean isNumber(String text) {
    boolean digits = !text.isEmpty() && text.length() <= 18;
    for (int i = 0; digits && i < text.length(); i++) {
      digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return digits;
  }

  private static boolean isChunked(HttpHeaders headers) {
    return headers.containsValue(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED, true);
  }
}
