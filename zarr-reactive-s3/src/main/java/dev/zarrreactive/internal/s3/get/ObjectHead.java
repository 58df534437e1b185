package dev.zarrreactive.internal.s3.get;

import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.transfer.HttpDate;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClientResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * The head of a response to a GET.
 *
 * @param etag as the server writes it; null where the head has none
 * @param versionId null where the head has none
 * @param length of the body; -1 where the head does not say
 * @param contentRange null where the head has none
 * @param modified when the object was modified; null where the head does not say
 * @param chunked true where the transfer coding marks the end of the body
 */
public record ObjectHead(
    int status,
    @Nullable String etag,
    @Nullable String versionId,
    long length,
    @Nullable String contentRange,
    @Nullable Instant modified,
    boolean chunked) {

  static ObjectHead of(HttpClientResponse response) {
    HttpHeaders headers = response.responseHeaders();
    return new ObjectHead(
        response.status().code(),
        headers.get(HttpHeaderNames.ETAG),
        headers.get("x-amz-version-id"),
        SentRequest.length(headers),
        headers.get(HttpHeaderNames.CONTENT_RANGE),
        HttpDate.parse(headers.get(HttpHeaderNames.LAST_MODIFIED)),
        headers.containsValue(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED, true));
  }

  /** Returns the head of a response of the SDK. */
  public static ObjectHead of(GetObjectResponse response) {
    SdkHttpResponse http = response.sdkHttpResponse();
    return new ObjectHead(
        http.statusCode(),
        response.eTag(),
        response.versionId(),
        response.contentLength() == null ? -1 : response.contentLength(),
        response.contentRange(),
        response.lastModified(),
        http.firstMatchingHeader("Transfer-Encoding").orElse("").equalsIgnoreCase("chunked"));
  }
}
