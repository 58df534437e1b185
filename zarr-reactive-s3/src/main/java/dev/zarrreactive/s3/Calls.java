package dev.zarrreactive.s3;

import dev.zarrreactive.store.RequestLimit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * Makes calls: each in its turn, with credentials that are there, watched, and so that a cancel
 * reaches the future that the client gave. Errors are the client's.
 */
final class Calls {
  /**
   * The client may hand a connection on while its last request is not wholly gone, and then cannot
   * write the next one to it. Nothing of that has been sent, so that it is made again on another.
   */
  private static final Retry UNSENT = Retry.max(3).filter(S3Errors::saysUnsent);

  private final Clients clients;
  private final RequestLimit limit;
  private final Duration patience;

  /**
   * Calls of one store.
   *
   * @param limit no more than there are connections, so that none waits for one
   * @param patience how long nothing may move
   */
  Calls(Clients clients, RequestLimit limit, Duration patience) {
    this.clients = clients;
    this.limit = limit;
    this.patience = patience;
  }

  /** An answer without a body. */
  <T> Mono<T> ask(BiFunction<S3AsyncClient, Watch, CompletableFuture<T>> call) {
    return ask(patience, call);
  }

  /** An answer without a body, for which the server may take its time. */
  <T> Mono<T> ask(Duration patience, BiFunction<S3AsyncClient, Watch, CompletableFuture<T>> call) {
    return inTurn(
        client -> {
          Watch watch = new Watch(patience);
          return watch.over(Mono.fromFuture(() -> call.apply(client, watch)).retryWhen(UNSENT));
        });
  }

  /** An answer with a body. What is done next is done when the answer has ended. */
  <T> Mono<T> read(GetObjectRequest request, Arrival.Answer<T> answer) {
    return inTurn(client -> read(client, request, answer, true));
  }

  /**
   * Asks; once more where the connection was closed before any answer: by the server, or since the
   * request before on the same connection was cancelled when its answer had just come.
   */
  private <T> Mono<T> read(
      S3AsyncClient client, GetObjectRequest request, Arrival.Answer<T> answer, boolean again) {
    return Mono.defer(
        () -> {
          Arrival arrival = new Arrival(new Watch(patience));
          return arrival
              .of(body -> client.getObject(request, body), answer)
              .onErrorResume(
                  e -> again && !arrival.hasBegun() && S3Errors.saysClosed(e),
                  e -> read(client, request, answer, false));
        });
  }

  /** Closes the client, if it was made here. */
  Mono<Void> close() {
    return clients.close();
  }

  private interface Call<T> {
    Mono<T> with(S3AsyncClient client);
  }

  private <T> Mono<T> inTurn(Call<T> call) {
    return limit.inTurn(
        () ->
            clients
                .ready()
                .flatMap(
                    client -> {
                      Mono<T> made = Mono.defer(() -> call.with(client));
                      return clients.mayBlock() ? made.subscribeOn(S3Threads.mayBlock()) : made;
                    })
                .doOnError(AwsServiceException.class, this::learn));
  }

  private void learn(AwsServiceException error) {
    if (S3Errors.saysExpired(error)) {
      clients.forgetCredentials();
    }
  }
}
