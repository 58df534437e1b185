package dev.zarrreactive.s3;

import dev.zarrreactive.store.RequestLimit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * Makes calls: each in its turn, with credentials that are there, watched, and so that a cancel
 * reaches the future that the client gave. Errors are the client's.
 */
final class S3Requests {
  /**
   * The client may hand a connection on while its last request is not wholly gone, and then cannot
   * write the next one to it. Nothing of that has been sent, so that it is made again on another.
   */
  private static final Retry UNSENT = Retry.max(3).filter(S3Errors::saysUnsent);

  private final S3Clients clients;
  private final RequestLimit limit;
  private final Duration patience;

  /** The endpoint has given an answer that only a server of S3 gives, or a value. */
  private volatile boolean speaksS3;

  /**
   * S3Requests of one store.
   *
   * @param limit no more than there are connections, so that none waits for one
   * @param patience how long nothing may move
   */
  S3Requests(S3Clients clients, RequestLimit limit, Duration patience) {
    this.clients = clients;
    this.limit = limit;
    this.patience = patience;
  }

  /** Makes a request without a body, for an answer without one. */
  <R extends S3Request, T> Mono<T> ask(
      R request, BiFunction<S3AsyncClient, R, CompletableFuture<T>> call) {
    return ask(patience, request, (client, sent, watch) -> call.apply(client, sent));
  }

  /** Makes a request with a body, for an answer without one. */
  <R extends S3Request, T> Mono<T> send(R request, Send<R, T> call) {
    return ask(patience, request, call);
  }

  /** Makes a request, for which the server may take its time. */
  <R extends S3Request, T> Mono<T> ask(Duration patience, R request, Send<R, T> call) {
    return inTurn(
        client -> {
          StallWatch watch = new StallWatch(patience);
          Mono<T> asked =
              gated(
                  watch, gate -> Mono.fromFuture(() -> call.with(client, gate.on(request), watch)));
          return watch.over(asked.retryWhen(UNSENT));
        });
  }

  /**
   * Hands its subscription on before it makes the request: a cancel never comes too early to be
   * seen. The gate is closed before the cancel returns; its refusal has no subscriber.
   */
  private static <T> Mono<T> gated(StallWatch watch, Function<RequestGate, Mono<T>> request) {
    return Mono.defer(
        () -> {
          RequestGate gate = new RequestGate(watch);
          return Mono.<RequestGate>create(subscribed -> subscribed.success(gate))
              .flatMap(request)
              .onErrorResume(e -> gate.hasRefused(), e -> Mono.never())
              .doOnCancel(gate::close);
        });
  }

  /** An answer with a body. What is done next is done when the answer has ended. */
  <T> Mono<T> read(GetObjectRequest request, StreamedResponse.Answer<T> answer) {
    return inTurn(client -> read(client, request, answer, true));
  }

  /**
   * Asks; once more where the connection was closed before any answer: by the server, or since the
   * request before on the same connection was cancelled when its answer had just come.
   */
  private <T> Mono<T> read(
      S3AsyncClient client,
      GetObjectRequest request,
      StreamedResponse.Answer<T> answer,
      boolean again) {
    return Mono.defer(
        () -> {
          StallWatch watch = new StallWatch(patience);
          StreamedResponse arrival = new StreamedResponse(watch);
          return watch
              .over(
                  gated(
                      watch,
                      gate -> arrival.of(body -> client.getObject(gate.on(request), body), answer)))
              .onErrorResume(
                  e -> again && !arrival.hasBegun() && S3Errors.saysClosed(e),
                  e -> read(client, request, answer, false));
        });
  }

  /**
   * True where the answer means that there is no such value. A 404 without a word of S3, from an
   * endpoint that has never answered as S3 does, may come from anything, such as a proxy.
   */
  boolean saysMissing(AwsServiceException answer) {
    return answer.statusCode() == 404
        && !S3Errors.saysNoBucket(answer)
        && (speaksS3 || S3Errors.isOfS3(answer));
  }

  /** Closes the client, if it was made here. */
  Mono<Void> close() {
    return clients.close();
  }

  /** A request of the client. */
  interface Send<R, T> {
    /** Makes it; {@code watch} is told of the parts of its body. */
    CompletableFuture<T> with(S3AsyncClient client, R request, StallWatch watch);
  }

  private interface Call<T> {
    Mono<T> with(S3AsyncClient client);
  }

  private <T> Mono<T> inTurn(Call<T> call) {
    return limit.inTurn(
        () ->
            Mono.defer(() -> inRegion(call))
                .onErrorResume(OtherRegion.class, e -> inRegion(call))
                .doOnSuccess(answer -> speaksS3 = speaksS3 || answer != null)
                .doOnError(AwsServiceException.class, this::learn));
  }

  /** Nothing was done in a region in which the bucket is not: the call is made again in its own. */
  private <T> Mono<T> inRegion(Call<T> call) {
    return clients
        .ready()
        .flatMap(
            client -> {
              Mono<T> made = Mono.defer(() -> call.with(client));
              return (clients.mayBlock() ? made.subscribeOn(S3Threads.mayBlock()) : made)
                  .onErrorMap(
                      AwsServiceException.class,
                      e -> clients.moves(client, S3Errors.region(e)) ? new OtherRegion() : e);
            });
  }

  private void learn(AwsServiceException error) {
    speaksS3 = speaksS3 || S3Errors.isOfS3(error);
    if (S3Errors.saysExpired(error)) {
      clients.forgetCredentials();
    }
  }

  /** The client has been made again, for the region of the bucket. */
  private static final class OtherRegion extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OtherRegion() {
      super("the bucket is in another region", null, false, false);
    }
  }
}
