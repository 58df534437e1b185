package dev.zarrreactive.s3;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;

/**
 * A client of HTTP whose requests can be cancelled at any moment. The SDK's own one does not notice
 * a cancel that comes when a connection has been found and the request is not yet written to it: it
 * sends the request all the same, and has that connection in use until the server answers.
 */
final class CancellableHttp implements SdkAsyncHttpClient {
  private final SdkAsyncHttpClient http;

  CancellableHttp(SdkAsyncHttpClient http) {
    this.http = http;
  }

  @Override
  public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
    Content content = new Content(request.requestContentPublisher());
    AsyncExecuteRequest.Builder sent =
        AsyncExecuteRequest.builder()
            .request(request.request())
            .requestContentPublisher(content)
            .responseHandler(request.responseHandler())
            .fullDuplex(request.fullDuplex())
            .httpExecutionAttributes(request.httpExecutionAttributes());
    request.metricCollector().ifPresent(sent::metricCollector);
    CompletableFuture<Void> call = http.execute(sent.build());
    CompletableFuture<Void> answered = new CompletableFuture<>();
    var unusedAnswer = call.whenComplete((done, error) -> pass(answered, error));
    var unusedCancel =
        answered.whenComplete(
            (done, error) -> {
              if (error != null && content.isUnderWay()) {
                call.completeExceptionally(error);
              }
            });
    return answered;
  }

  private static void pass(CompletableFuture<Void> answered, Throwable error) {
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

  /** What a request sends, if only its head: it is asked for when the request is being written. */
  private static final class Content implements SdkHttpContentPublisher {
    private final SdkHttpContentPublisher content;
    private boolean begun;
    private boolean cancelled;

    Content(SdkHttpContentPublisher content) {
      this.content = content;
    }

    /** Whether it is being sent; if it is not, it never will be. */
    synchronized boolean isUnderWay() {
      cancelled = true;
      return begun;
    }

    private synchronized boolean begins() {
      begun = !cancelled;
      return begun;
    }

    @Override
    public Optional<Long> contentLength() {
      return content.contentLength();
    }

    /** An error makes the SDK give the connection up. */
    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
      if (begins()) {
        content.subscribe(subscriber);
      } else {
        Flux.<ByteBuffer>error(new CancellationException("cancelled")).subscribe(subscriber);
      }
    }
  }
}
