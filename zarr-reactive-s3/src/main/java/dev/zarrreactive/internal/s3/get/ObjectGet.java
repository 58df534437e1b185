package dev.zarrreactive.internal.s3.get;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.transfer.HttpDate;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.RequestPayer;

/**
 * One GET of an object.
 *
 * @param object the name of the object
 * @param range the header {@code Range}; null for the whole object
 * @param ifMatch the header {@code If-Match}; null for none
 * @param ifNoneMatch the header {@code If-None-Match}; null for none
 * @param ifUnmodifiedSince the time of the header {@code If-Unmodified-Since}; null for none
 * @param versionId null for the current version
 * @param payer true where the caller pays for the request
 * @param at the place for messages
 * @param url of the object, for messages
 */
public record ObjectGet(
    String bucket,
    String object,
    @Nullable String range,
    @Nullable String ifMatch,
    @Nullable String ifNoneMatch,
    @Nullable Instant ifUnmodifiedSince,
    @Nullable String versionId,
    boolean payer,
    Location at,
    String url) {

  /** Reads a response with bytes of an object. */
  public interface Reader<T> {
    /**
     * Reads the response, as far as it is needed.
     *
     * @param body for one subscriber; a part is valid until the next is demanded
     */
    Mono<T> read(ObjectHead head, Flux<ByteBuffer> body);
  }

  /** Returns the same request for the SDK. */
  public GetObjectRequest toSdk() {
    return GetObjectRequest.builder()
        .bucket(bucket)
        .key(object)
        .range(range)
        .ifMatch(ifMatch)
        .ifNoneMatch(ifNoneMatch)
        .ifUnmodifiedSince(ifUnmodifiedSince)
        .versionId(versionId)
        .requestPayer(payer ? RequestPayer.REQUESTER : null)
        .build();
  }

  /** Returns the headers of the request, with names in lower case, without its signature. */
  SortedMap<String, String> headers() {
    SortedMap<String, String> headers = new TreeMap<>();
    put(headers, "range", range);
    put(headers, "if-match", ifMatch);
    put(headers, "if-none-match", ifNoneMatch);
    put(
        headers,
        "if-unmodified-since",
        ifUnmodifiedSince == null ? null : HttpDate.format(ifUnmodifiedSince));
    put(headers, "x-amz-request-payer", payer ? RequestPayer.REQUESTER.toString() : null);
    return headers;
  }

  private static void put(SortedMap<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }
}
