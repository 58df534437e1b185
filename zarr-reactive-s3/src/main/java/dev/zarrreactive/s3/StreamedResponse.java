package dev.zarrreactive.s3;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.SdkPublisher;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * One answer with a body. The client's future does not complete before the body has ended: as long
 * as it has not, a cancel of that future closes the connection, whoever reads the body or not.
 */
final class StreamedResponse implements AsyncResponseTransformer<GetObjectResponse, Void> {
  private final StallWatch watch;
  private final Sinks.One<GetObjectResponse> begun = Sinks.one();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** The SDK tells here, and not whoever reads the body, that its connection has closed. */
  private final Sinks.Empty<Void> broken = Sinks.empty();

  private volatile @Nullable GetObjectResponse head;
  private volatile @Nullable SdkPublisher<ByteBuffer> parts;
  private final AtomicBoolean taken = new AtomicBoolean();
  private volatile boolean whole;
  private volatile boolean over;

  StreamedResponse(StallWatch watch) {
    this.watch = watch;
  }

  /** What becomes of an answer. */
  interface Answer<T> {
    Mono<T> read(GetObjectResponse head, Flux<ByteBuffer> body);
  }

  /**
   * Makes the call and reads the answer; what has not arrived when the result is there is given up.
   */
  <T> Mono<T> of(
      Function<AsyncResponseTransformer<GetObjectResponse, Void>, CompletableFuture<Void>> call,
      Answer<T> answer) {
    return Mono.using(
        () -> asked(call),
        asked -> begun.asMono().flatMap(head -> answer.read(head, Flux.defer(this::parts))),
        this::over);
  }

  /** True where something of the answer came. */
  boolean hasBegun() {
    return head != null;
  }

  private CompletableFuture<Void> asked(
      Function<AsyncResponseTransformer<GetObjectResponse, Void>, CompletableFuture<Void>> call) {
    CompletableFuture<Void> asked = call.apply(this);
    var unused =
        asked.whenComplete(
            (done, error) -> {
              if (error != null) {
                failed(error);
              }
            });
    return asked;
  }

  private void failed(Throwable error) {
    if (over) {
      return; // by the cancel itself, most of the time: nobody waits
    }
    Throwable cause = error instanceof CompletionException ? error.getCause() : null;
    Throwable told = cause == null ? error : cause;
    begun.tryEmitError(told);
    broken.tryEmitError(told);
  }

  /** The body, for one subscriber; nothing where that one is gone and the body was dropped. */
  private Flux<ByteBuffer> parts() {
    SdkPublisher<ByteBuffer> body = parts;
    if (body == null || !taken.compareAndSet(false, true)) {
      return over
          ? Flux.never()
          : Flux.error(() -> new IllegalStateException("there is no body any more"));
    }
    return Flux.from(body)
        .takeUntilOther(broken.asMono())
        .doOnNext(part -> watch.moved())
        .doOnComplete(
            () -> {
              whole = true;
              ended.complete(null);
            });
  }

  private void over(CompletableFuture<Void> asked) {
    over = true;
    if (!whole) {
      asked.cancel(true);
      drop();
    }
  }

  /** What has come of a body that nobody reads would be kept for ever: the SDK takes it back. */
  private void drop() {
    SdkPublisher<ByteBuffer> body = parts;
    GetObjectResponse response = head;
    if (body != null && response != null && taken.compareAndSet(false, true)) {
      AsyncResponseTransformer<GetObjectResponse, ResponseBytes<GetObjectResponse>> away =
          AsyncResponseTransformer.toBytes();
      var unused = away.prepare();
      away.onResponse(response);
      away.onStream(body);
    }
  }

  @Override
  public CompletableFuture<Void> prepare() {
    return ended;
  }

  @Override
  public void onResponse(GetObjectResponse response) {
    watch.moved();
    head = response;
  }

  @Override
  public void onStream(SdkPublisher<ByteBuffer> body) {
    GetObjectResponse response = head;
    parts = body;
    if (response != null) {
      begun.tryEmitValue(response);
    }
    if (over) {
      drop();
    }
  }

  @Override
  public void exceptionOccurred(Throwable error) {
    ended.completeExceptionally(error);
    failed(error);
  }
}
