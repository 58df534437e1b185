package dev.zarrreactive.internal.s3.http;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpExecutionAttributes;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * Takes one request of the SDK in place of the server: endpoint, host, headers and signature are
 * those of a request that is sent. The call of the SDK fails.
 */
public final class RequestRecorder {
  private static final Attribute ATTRIBUTE = new Attribute();

  private volatile @Nullable SdkHttpRequest recorded;

  /** Returns the recorder that a request carries; null for a request to a server. */
  static @Nullable RequestRecorder of(@Nullable SdkHttpExecutionAttributes attributes) {
    return attributes == null ? null : attributes.getAttribute(ATTRIBUTE);
  }

  /** Returns {@code request}, which carries this recorder. */
  public <R extends S3Request> R on(R request) {
    return RequestGate.carrying(request, ATTRIBUTE, this);
  }

  /** Returns the request; null before there is one. */
  public @Nullable SdkHttpRequest recorded() {
    return recorded;
  }

  CompletableFuture<Void> record(AsyncExecuteRequest request) {
    recorded = request.request();
    IllegalStateException unsent = new IllegalStateException("recorded, not sent");
    request.responseHandler().onError(unsent);
    return CompletableFuture.failedFuture(unsent);
  }

  private static final class Attribute extends SdkHttpExecutionAttribute<RequestRecorder> {
    Attribute() {
      super(RequestRecorder.class);
    }
  }
}
