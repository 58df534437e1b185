package dev.zarrreactive.internal.s3.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * An HTTP client whose requests can be cancelled at any moment. The client of the SDK misses a
 * cancel before the request is written: it sends the request, and holds the connection until the
 * response. Here each request passes its {@link RequestGate} right before it is written.
 */
public final class CancellableHttp implements SdkAsyncHttpClient {
  private final SdkAsyncHttpClient http;

  /** Builds the client around that of the SDK, which a test may decorate. */
  public record Around(SdkAsyncHttpClient.Builder<?> http, UnaryOperator<SdkAsyncHttpClient> own)
      implements SdkAsyncHttpClient.Builder<Around> {
    @Override
    public SdkAsyncHttpClient buildWithDefaults(AttributeMap defaults) {
      return new CancellableHttp(own.apply(http.buildWithDefaults(defaults)));
    }
  }

  CancellableHttp(SdkAsyncHttpClient http) {
    this.http = http;
  }

  @Override
  public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
    RequestRecorder recorder = RequestRecorder.of(request.httpExecutionAttributes());
    if (recorder != null) {
      return recorder.record(request);
    }
    RequestGate carried = RequestGate.of(request.httpExecutionAttributes());
    RequestGate gate = carried == null ? new RequestGate(new StallWatch(Duration.ZERO)) : carried;
    AsyncExecuteRequest.Builder sent =
        AsyncExecuteRequest.builder()
            .request(new GatedRequest(request.request(), gate))
            .requestContentPublisher(new Content(request.requestContentPublisher(), gate))
            .responseHandler(new Handler(request.responseHandler(), gate))
            .fullDuplex(request.fullDuplex())
            .httpExecutionAttributes(request.httpExecutionAttributes());
    request.metricCollector().ifPresent(sent::metricCollector);
    CompletableFuture<Void> call = http.execute(sent.build());
    CompletableFuture<Void> answered = new CompletableFuture<>();
    var unusedAnswer = call.whenComplete((done, error) -> end(answered, error));
    var unusedCancel =
        answered.whenComplete(
            (done, error) -> {
              if (error != null && gate.close()) {
                call.completeExceptionally(error);
              }
            });
    return answered;
  }

  private static void end(CompletableFuture<Void> answered, @Nullable Throwable error) {
    if (error == null) {
      answered.complete(null);
    } else {
      answered.completeExceptionally(error);
    }
  }

  @Override
  public String clientName() {
    return http.clientName();
  }

  @Override
  public void close() {
    http.close();
  }

  /** The handler of a response, which tells the gate of its end. */
  private record Handler(SdkAsyncHttpResponseHandler handler, RequestGate gate)
      implements SdkAsyncHttpResponseHandler {
    @Override
    public void onHeaders(SdkHttpResponse head) {
      handler.onHeaders(head);
    }

    @Override
    public void onStream(Publisher<ByteBuffer> body) {
      handler.onStream(Flux.from(body).doOnComplete(gate::responseEnded));
    }

    @Override
    public void onError(Throwable error) {
      handler.onError(error);
    }
  }

  /** The body of a request, which reports its progress as the connection takes it. */
  private record Content(SdkHttpContentPublisher content, RequestGate gate)
      implements SdkHttpContentPublisher {
    @Override
    public Optional<Long> contentLength() {
      return content.contentLength();
    }

    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
      gate.sending(false);
      Flux.from(content)
          .doOnNext(part -> gate.progressed())
          .doOnComplete(() -> gate.sending(true))
          .subscribe(subscriber);
    }
  }
}
