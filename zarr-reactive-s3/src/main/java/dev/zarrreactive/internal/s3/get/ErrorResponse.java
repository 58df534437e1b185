package dev.zarrreactive.internal.s3.get;

import dev.zarrreactive.internal.objects.XmlHead;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClientResponse;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Makes the errors of the SDK from responses. */
final class ErrorResponse {
  /** An error of S3 has less than a thousand bytes. */
  private static final int MOST = 64 << 10;

  private static final int NOT_FOUND = 404;
  private static final Set<String> ROOTS = Set.of("Error", "ErrorResponse");

  private ErrorResponse() {}

  /**
   * Reads the body of a response without a value and emits its error. A body of 404 that is cut is
   * an error of the connection: it may have told of a missing bucket.
   */
  static <T> Mono<T> of(HttpClientResponse response, ByteBufFlux body) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Mono<Void> read =
        body.asByteArray()
            .doOnNext(part -> text.write(part, 0, Math.min(part.length, MOST - text.size())))
            .takeUntil(part -> text.size() >= MOST)
            .then();
    return (response.status().code() == NOT_FOUND ? read : read.onErrorComplete())
        .then(Mono.error(() -> error(response, text.toByteArray())));
  }

  private static AwsServiceException error(HttpClientResponse response, byte[] body) {
    SdkHttpResponse.Builder http = SdkHttpResponse.builder().statusCode(response.status().code());
    response.responseHeaders().forEach(each -> http.appendHeader(each.getKey(), each.getValue()));
    String head = new String(body, StandardCharsets.ISO_8859_1); // names and codes are ASCII
    AwsErrorDetails details =
        AwsErrorDetails.builder()
            .errorCode(ROOTS.contains(XmlHead.root(head)) ? XmlHead.code(head) : "")
            .rawResponse(SdkBytes.fromByteArrayUnsafe(body))
            .sdkHttpResponse(http.build())
            .build();
    return S3Exception.builder()
        .message("a response without a value")
        .statusCode(response.status().code())
        .requestId(response.responseHeaders().get("x-amz-request-id"))
        .awsErrorDetails(details)
        .writableStackTrace(false)
        .build();
  }
}
