package dev.zarrreactive.http;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.BodyCoding;
import dev.zarrreactive.internal.transfer.BodyHead;
import dev.zarrreactive.internal.transfer.HttpDate;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClientResponse;

/** Parses the head of a response. */
final class ResponseHead {
  private ResponseHead() {}

  /**
   * Parses the head of a 200 or a 206.
   *
   * @throws StoreException where the head contradicts itself, or the body cannot be decoded
   */
  static BodyHead of(StoreKey key, Url url, HttpClientResponse response) {
    HttpHeaders headers = response.responseHeaders();
    String at = url.toString();
    Version version = version(headers);
    long length = SentRequest.length(headers);
    BodyCoding coding = coding(key, url, headers);
    if (response.status().code() != 206) {
      return BodyHead.whole(key, at, length, isChunked(headers), version, coding)
          .modifiedAt(modified(headers));
    }
    if (coding != null) {
      throw BodyCoding.refusal(key, at, coding.toString());
    }
    return BodyHead.partial(key, at, headers.get(HttpHeaderNames.CONTENT_RANGE), length, version)
        .modifiedAt(modified(headers));
  }

  /**
   * Returns the coding of a body; null where it is as the value is stored.
   *
   * @throws StoreException for a coding that cannot be decoded
   */
  static @Nullable BodyCoding coding(StoreKey key, Url url, HttpHeaders headers) {
    return BodyCoding.of(
        key,
        url.toString(),
        headers.getAll(HttpHeaderNames.CONTENT_ENCODING),
        headers.getAll(HttpHeaderNames.TRANSFER_ENCODING));
  }

  /** Returns the ETag, weak or strong; null where there is none. */
  static @Nullable Version version(HttpHeaders headers) {
    String tag = headers.get(HttpHeaderNames.ETAG);
    return tag == null || tag.isBlank() ? null : new Version(tag);
  }

  /** Returns when the value was modified; null where the head does not say. */
  static @Nullable Instant modified(HttpHeaders headers) {
    return HttpDate.parse(headers.get(HttpHeaderNames.LAST_MODIFIED));
  }

  private static boolean isChunked(HttpHeaders headers) {
    return headers.containsValue(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED, true);
  }
}
