package dev.zarrreactive.internal.s3.http;

import dev.zarrreactive.internal.objects.XmlHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Finds errors in responses with status 200. S3 sends the status of some responses before it has
 * done the work, and a failure in the body; some proxies do so for every request. The SDK checks
 * the bodies of some operations only. A listing without a {@code ListBucketResult} is an error too:
 * the SDK would read it as an empty one. Bodies of values pass unread.
 */
public final class HiddenErrors implements ExecutionInterceptor {
  /** The bytes in which to find the root element: white space before it keeps connections alive. */
  private static final int HEAD = 16 << 10;

  @Override
  public Optional<Publisher<ByteBuffer>> modifyAsyncHttpResponseContent(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    Optional<Publisher<ByteBuffer>> body = context.responsePublisher();
    boolean looked =
        context.httpResponse().isSuccessful() && !(context.request() instanceof GetObjectRequest);
    return looked ? body.map(parts -> check(parts, context)) : body;
  }

  /** Collects the body, as the SDK does with these. */
  private static Publisher<ByteBuffer> check(
      Publisher<ByteBuffer> body, Context.ModifyHttpResponse context) {
    boolean isListing = context.request() instanceof ListObjectsV2Request;
    return Flux.from(body)
        .collectList()
        .flatMapMany(
            parts -> {
              String head = head(parts);
              String name = XmlHead.root(head);
              if (name.equals("Error")) {
                return Flux.error(error(context.httpResponse(), XmlHead.code(head)));
              }
              return isListing && !name.equals("ListBucketResult")
                  ? Flux.error(error(context.httpResponse(), "without a listing"))
                  : Flux.fromIterable(parts);
            });
  }

  private static String head(List<ByteBuffer> parts) {
    StringBuilder head = new StringBuilder();
    for (ByteBuffer part : parts) {
      ByteBuffer view = part.duplicate();
      view.limit(Math.min(view.limit(), view.position() + HEAD - head.length()));
      head.append(StandardCharsets.ISO_8859_1.decode(view)); // names and codes are ASCII
      if (head.length() >= HEAD) {
        break;
      }
    }
    return head.toString();
  }

  private static S3Exception error(SdkHttpResponse response, String code) {
    AwsErrorDetails details =
        AwsErrorDetails.builder().errorCode(code).sdkHttpResponse(response).build();
    return (S3Exception)
        S3Exception.builder()
            .message("an error in a response with status 200: " + code)
            .statusCode(response.statusCode())
            .requestId(response.firstMatchingHeader("x-amz-request-id").orElse(null))
            .awsErrorDetails(details)
            .build();
  }
}
