package dev.zarrreactive.internal.s3.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/** A request that was cancelled is not written; the SDK asks for its method right before. */
class CancellableHttpTest {
  private final List<AsyncExecuteRequest> made = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> call = new CompletableFuture<>();

  private final SdkAsyncHttpClient http =
      new CancellableHttp(
          new SdkAsyncHttpClient() {
            @Override
            public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
              made.add(request);
              return call;
            }

            @Override
            public void close() {}
          });

  private CompletableFuture<Void> executed() {
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .uri(URI.create("http://127.0.0.1/bucket/key"))
            .build();
    return http.execute(
        AsyncExecuteRequest.builder().request(request).responseHandler(new Reader()).build());
  }

  /** Reads the body of the response to its end. */
  private static final class Reader implements SdkAsyncHttpResponseHandler {
    @Override
    public void onHeaders(SdkHttpResponse head) {}

    @Override
    public void onStream(Publisher<ByteBuffer> body) {
      Flux.from(body).subscribe();
    }

    @Override
    public void onError(Throwable error) {}
  }

  @Test
  void a_cancel_before_the_request_is_written_keeps_it_from_being_written() {
    executed().cancel(true);
    assertThat(call).as("the connection may be another request's").isNotDone();
    assertThatThrownBy(() -> made.get(0).request().method())
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void a_cancel_after_that_gives_the_connection_up() {
    CompletableFuture<Void> answered = executed();
    assertThat(made.get(0).request().method()).isEqualTo(SdkHttpMethod.GET);
    answered.cancel(true);
    assertThat(call).isCompletedExceptionally();
    assertThat(made.get(0).request().method()).as("asked for again").isEqualTo(SdkHttpMethod.GET);
  }

  /** Such as an error in the body of a 200, which is found at its end. */
  @Test
  void an_error_after_the_end_of_the_response_leaves_the_connection_to_the_next_request() {
    CompletableFuture<Void> answered = executed();
    made.get(0).request().method();
    made.get(0).responseHandler().onStream(Flux.just(ByteBuffer.allocate(1)));
    answered.completeExceptionally(new IllegalStateException("an error in the body"));
    assertThat(call).as("the connection may be another request's").isNotDone();
  }

  @Test
  void an_error_in_the_middle_of_the_response_gives_the_connection_up() {
    CompletableFuture<Void> answered = executed();
    made.get(0).request().method();
    made.get(0).responseHandler().onStream(Flux.never());
    answered.completeExceptionally(new IllegalStateException("an error in the body"));
    assertThat(call).isCompletedExceptionally();
  }
}
