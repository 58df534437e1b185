package dev.zarrreactive.internal.s3.http;

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
 * One response with a body. The future of the client completes when the body has ended: until then
 * a cancel of that future closes the connection, with and without a reader of the body.
 */
public final class StreamedResponse implements AsyncResponseTransformer<GetObjectResponse, Void> {
  private final StallWatch watch;
  private final Sinks.One<GetObjectResponse> begun = Sinks.one();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** The SDK reports a closed connection here, and does not tell the subscriber of the body. */
  private final Sinks.Empty<Void> broken = Sinks.empty();

  private volatile @Nullable GetObjectResponse head;
  private volatile @Nullable SdkPublisher<ByteBuffer> parts;
  private final AtomicBoolean taken = new AtomicBoolean();
  private volatile boolean whole;
  private volatile boolean over;

  public StreamedResponse(StallWatch watch) {
    this.watch = watch;
  }

  /** Reads a response. */
  public interface Reader<T> {
    /** Reads the response, as far as it is needed. */
    Mono<T> read(GetObjectResponse head, Flux<ByteBuffer> body);
  }

  /** Makes the call and reads the response; gives up the rest of the body after the result. */
  public <T> Mono<T> of(
      Function<AsyncResponseTransformer<GetObjectResponse, Void>, CompletableFuture<Void>> call,
      Reader<T> reader) {
    return Mono.using(
        () -> sent(call),
        sent -> begun.asMono().flatMap(head -> reader.read(head, Flux.defer(this::parts))),
        this::over);
  }

  /** Returns true where some of the response has arrived. */
  public boolean hasBegun() {
    return head != null;
  }

  private CompletableFuture<Void> sent(
      Function<AsyncResponseTransformer<GetObjectResponse, Void>, CompletableFuture<Void>> call) {
    CompletableFuture<Void> sent = call.apply(this);
    var unused =
        sent.whenComplete(
            (done, error) -> {
              if (error != null) {
                failed(error);
              }
            });
    return sent;
  }

  private void failed(Throwable error) {
    if (over) {
      return; // most often by the cancel itself, which has no subscriber left
    }
    Throwable cause = error instanceof CompletionException ? error.getCause() : null;
    Throwable known = cause == null ? error : cause;
    begun.tryEmitError(known);
    broken.tryEmitError(known);
  }

  /** Returns the body, for one subscriber; never ends where the body was dropped after a cancel. */
  private Flux<ByteBuffer> parts() {
    SdkPublisher<ByteBuffer> body = parts;
    if (body == null || !taken.compareAndSet(false, true)) {
      return over
          ? Flux.never()
          : Flux.error(() -> new IllegalStateException("the body was read before"));
    }
    return Flux.from(body)
        .takeUntilOther(broken.asMono())
        .doOnNext(part -> watch.progressed())
        .doOnComplete(
            () -> {
              whole = true;
              ended.complete(null);
            });
  }

  private void over(CompletableFuture<Void> sent) {
    over = true;
    if (!whole) {
      sent.cancel(true);
      drop();
    }
  }

  /** Lets the SDK consume a body that has no reader, which releases its buffers. */
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
    watch.progressed();
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
