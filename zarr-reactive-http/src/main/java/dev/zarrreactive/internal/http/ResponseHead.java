package dev.zarrreactive.internal.http;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
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
public final class ResponseHead {
  /** The range of some servers for the last bytes of an empty value. */
  private static final String OF_NOTHING = "bytes 0--1/0";

  private ResponseHead() {}

  /**
   * Parses the head of a 200 or a 206, whose version is its ETag.
   *
   * @throws StoreException where the head contradicts itself, or the body cannot be decoded
   */
  public static BodyHead of(StoreKey key, Url url, HttpClientResponse response) {
    return of(key, url.toString(), response, version(response.responseHeaders()));
  }

  /**
   * Parses the head of a 200 or a 206.
   *
   * @param url of the value, for messages; without secrets
   * @param version of the whole value; null where the head has none
   * @throws StoreException where the head contradicts itself, or the body cannot be decoded
   */
  public static BodyHead of(
      StoreKey key, String url, HttpClientResponse response, @Nullable Version version) {
    HttpHeaders headers = response.responseHeaders();
    long length = SentRequest.length(headers);
    BodyCoding coding = coding(key, url, headers);
    if (response.status().code() != 206) {
      return BodyHead.whole(key, url, length, isChunked(headers), version, coding)
          .modifiedAt(modified(headers));
    }
    if (coding != null) {
      throw BodyCoding.refusal(key, url, coding.toString());
    }
    String range = headers.get(HttpHeaderNames.CONTENT_RANGE);
    if (length == 0 && OF_NOTHING.equals(range)) {
      return BodyHead.whole(key, url, 0, false, version).modifiedAt(modified(headers));
    }
    return BodyHead.partial(key, url, range, length, version).modifiedAt(modified(headers));
  }

  /**
   * Returns the coding of a body; null where it is as the value is stored.
   *
   * @throws StoreException for a coding that cannot be decoded
   */
  public static @Nullable BodyCoding coding(StoreKey key, String url, HttpHeaders headers) {
    return BodyCoding.of(
        key,
        url,
        headers.getAll(HttpHeaderNames.CONTENT_ENCODING),
        headers.getAll(HttpHeaderNames.TRANSFER_ENCODING));
  }

  /** Returns the ETag, weak or strong; null where there is none. */
  public static @Nullable Version version(HttpHeaders headers) {
    String tag = headers.get(HttpHeaderNames.ETAG);
    return tag == null || tag.isBlank() ? null : new Version(tag);
  }

  /** Returns when the value was modified; null where the head does not say. */
  public static @Nullable Instant modified(HttpHeaders headers) {
    return HttpDate.parse(headers.get(HttpHeaderNames.LAST_MODIFIED));
  }

  private static boolean isChunked(HttpHeaders headers) {
    return headers.containsValue(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED, true);
  }
}
