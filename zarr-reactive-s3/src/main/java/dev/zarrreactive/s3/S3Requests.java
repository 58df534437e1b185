package dev.zarrreactive.s3;

import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.s3.get.ObjectGet;
import dev.zarrreactive.s3.get.ObjectHead;
import dev.zarrreactive.s3.get.ObjectReader;
import dev.zarrreactive.s3.get.SignedGets;
import dev.zarrreactive.s3.http.RequestGate;
import dev.zarrreactive.s3.http.S3Threads;
import dev.zarrreactive.s3.http.StallWatch;
import dev.zarrreactive.s3.http.StreamedResponse;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * Sends the requests of one store: within its limit, with credentials at hand, under a stall watch,
 * and so that a cancel reaches the future of the client. Errors are the errors of the client.
 */
final class S3Requests {
  /**
   * The SDK may reuse a connection before its last request is cleaned up, and cannot write the next
   * one to it. No byte of that has been sent, so that it is sent again over another connection.
   */
  private static final Retry UNSENT = Retry.max(3).filter(S3Errors::saysUnsent);

  private final S3Clients clients;
  private final RequestLimit limit;
  private final Duration patience;

  /** True after a value, or a response that only a server of S3 sends. */
  private volatile boolean speaksS3;

  /** The reads without the SDK; null before the first one, and where the SDK reads. */
  private volatile @Nullable SignedGets direct;

  /** Emits {@link #direct} when all is at hand; nothing inside where the SDK reads. */
  private final Mono<Optional<SignedGets>> found;

  /**
   * The requests of one store.
   *
   * @param limit at most the number of connections, so that no request waits for one
   * @param patience the stall timeout
   */
  S3Requests(S3Clients clients, RequestLimit limit, String bucket, Duration patience) {
    this.clients = clients;
    this.limit = limit;
    this.patience = patience;
    this.found =
        clients
            .signedGets(bucket)
            .doOnNext(gets -> direct = gets)
            .map(Optional::of)
            .defaultIfEmpty(Optional.empty())
            .cacheInvalidateIf(gets -> gets.filter(this::isElsewhere).isPresent())
            .onErrorMap(SharedFailure::forOne);
  }

  /** Sends a request without a body; its response has none. */
  <R extends S3Request, T> Mono<T> ask(
      R request, BiFunction<S3AsyncClient, R, CompletableFuture<T>> call) {
    return ask(patience, request, (client, sent, watch) -> call.apply(client, sent));
  }

  /** Sends a request with a body; its response has none. */
  <R extends S3Request, T> Mono<T> send(R request, Send<R, T> call) {
    return ask(patience, request, call);
  }

  /** Sends a request with a stall timeout of its own. */
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
   * Emits a gate and then sends the request, so that the earliest cancel closes the gate. The gate
   * is closed when the cancel returns; its refusal has no subscriber.
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

  /** Sends a request for a response with a body; ends when the response has ended. */
  <T> Mono<T> read(ObjectGet get, ObjectReader<T> reader) {
    return limited(() -> readInTurn(get, reader));
  }

  private <T> Mono<T> readInTurn(ObjectGet get, ObjectReader<T> reader) {
    SignedGets known = direct;
    return known != null && !isElsewhere(known) && clients.arePrepared()
        ? read(known, get, reader)
        : found.flatMap(
            gets ->
                clients.prepared().then(Mono.defer(() -> read(gets.orElse(null), get, reader))));
  }

  private boolean isElsewhere(SignedGets gets) {
    return clients.hasLeft(gets.region());
  }

  private <T> Mono<T> read(@Nullable SignedGets gets, ObjectGet get, ObjectReader<T> reader) {
    return gets != null && SignedGets.canName(get.object())
        ? inRegion(gets.get(get, reader), gets.region())
        : bySdk(
            client ->
                read(
                    client,
                    get.toSdk(),
                    (head, body) -> reader.read(ObjectHead.of(head), body),
                    true));
  }

  /**
   * Sends a request, and once more where its connection closes before a response: by the server, or
   * by the client for a cancelled request whose response had just ended.
   */
  private <T> Mono<T> read(
      S3AsyncClient client,
      GetObjectRequest request,
      StreamedResponse.Reader<T> reader,
      boolean again) {
    return Mono.defer(
        () -> {
          StallWatch watch = new StallWatch(patience);
          StreamedResponse response = new StreamedResponse(watch);
          return watch
              .over(
                  gated(
                      watch,
                      gate ->
                          response.of(body -> client.getObject(gate.on(request), body), reader)))
              .onErrorResume(
                  e -> again && !response.hasBegun() && S3Errors.saysClosed(e),
                  e -> read(client, request, reader, false));
        });
  }

  /**
   * Returns true for the answer that a value is missing. A 404 counts if it has a sign of S3, or if
   * the endpoint has answered as S3 does before. Any other 404 may come from another server, such
   * as a proxy.
   */
  boolean saysMissing(AwsServiceException answer) {
    return answer.statusCode() == 404
        && !S3Errors.saysNoBucket(answer)
        && (speaksS3 || S3Errors.isOfS3(answer));
  }

  /** Closes the client, unless the application gave it. */
  Mono<Void> close() {
    return clients.close();
  }

  /** A method of the client. */
  interface Send<R, T> {
    /** Calls it; the body of the request reports its progress to {@code watch}. */
    CompletableFuture<T> with(S3AsyncClient client, R request, StallWatch watch);
  }

  private interface Call<T> {
    Mono<T> with(S3AsyncClient client);
  }

  private <T> Mono<T> inTurn(Call<T> call) {
    return limited(() -> bySdk(call));
  }

  /** Sends a request again in the region of the bucket: the other region has changed nothing. */
  private <T> Mono<T> limited(Supplier<Mono<T>> request) {
    return limit.inTurn(
        () -> {
          Mono<T> answer = request.get().onErrorResume(OtherRegion.class, e -> request.get());
          return speaksS3 ? answer : answer.doOnNext(value -> speaksS3 = true);
        });
  }

  private <T> Mono<T> bySdk(Call<T> call) {
    return clients
        .ready()
        .flatMap(
            ready -> {
              Mono<T> made = signedAgain(Mono.defer(() -> call.with(ready.client())));
              return inRegion(
                  clients.mayBlock() ? made.subscribeOn(S3Threads.mayBlock()) : made,
                  ready.region());
            });
  }

  /**
   * Sends a request again where the server says that the time of its signature is wrong: it has
   * changed nothing, and the SDK has learned the time of the server from that answer.
   */
  private static <T> Mono<T> signedAgain(Mono<T> request) {
    return request.onErrorResume(
        e -> e instanceof AwsServiceException answer && answer.isClockSkewException(),
        e -> request);
  }

  /** Learns from an answer without a value. */
  private <T> Mono<T> inRegion(Mono<T> request, String region) {
    AwsCredentialsIdentity used = clients.identity();
    return request.onErrorMap(
        AwsServiceException.class,
        e -> {
          learn(e, used);
          return clients.moves(region, S3Errors.region(e)) ? new OtherRegion() : e;
        });
  }

  private void learn(AwsServiceException error, @Nullable AwsCredentialsIdentity used) {
    speaksS3 = speaksS3 || S3Errors.isOfS3(error);
    if (S3Errors.saysExpired(error)) {
      clients.forget(used);
    }
  }

  /** Signals that the next client is for another region. */
  private static final class OtherRegion extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OtherRegion() {
      super("the bucket is in another region", null, false, false);
    }
  }
}
