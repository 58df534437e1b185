package dev.zarrreactive.s3;

import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.internal.s3.get.ObjectGet;
import dev.zarrreactive.internal.s3.get.ObjectHead;
import dev.zarrreactive.internal.s3.get.SignedGets;
import dev.zarrreactive.internal.s3.http.RequestGate;
import dev.zarrreactive.internal.s3.http.S3Threads;
import dev.zarrreactive.internal.s3.http.StallWatch;
import dev.zarrreactive.internal.s3.http.StreamedResponse;
import dev.zarrreactive.internal.sharing.SharedFailure;
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
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * Sends the requests of one store: within its limit, with credentials at hand, and again in the
 * region of the bucket where a server names that. A cancel reaches the future of the client. Errors
 * are the errors of the client.
 *
 * <p>The AWS SDK sends all requests but GETs. {@link #read} chooses who sends a GET.
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
  private final Mono<Optional<SignedGets>> prepared;

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
    this.prepared =
        clients
            .signedGets(bucket)
            .doOnNext(gets -> direct = gets)
            .map(Optional::of)
            .defaultIfEmpty(Optional.empty())
            .cacheInvalidateIf(gets -> gets.filter(this::isElsewhere).isPresent())
            .onErrorMap(SharedFailure::forOne)
            .flatMap(gets -> clients.prepare().thenReturn(gets));
  }

  /**
   * Sends a GET; ends when the response has ended. Only this method chooses who sends it:
   *
   * <ul>
   *   <li>The SDK sends the GET of an object whose name another client of HTTP would change.
   *   <li>The SDK sends every GET of a bucket of which it would make another request than the store
   *       does: {@link DirectReads#of} finds that out once.
   *   <li>The store signs and sends all others itself, which costs a small read half of the time.
   * </ul>
   */
  <T> Mono<T> read(ObjectGet get, ObjectGet.Reader<T> reader) {
    return inTurn(
        () -> {
          if (!SignedGets.canName(get.object())) {
            return readBySdk(get, reader);
          }
          SignedGets known = direct;
          return known != null && !isElsewhere(known) && clients.arePrepared()
              ? readDirectly(known, get, reader)
              : prepared.flatMap(
                  gets ->
                      gets.isPresent()
                          ? readDirectly(gets.get(), get, reader)
                          : readBySdk(get, reader));
        });
  }

  private boolean isElsewhere(SignedGets gets) {
    return clients.hasLeft(gets.region());
  }

  private <T> Mono<T> readDirectly(SignedGets gets, ObjectGet get, ObjectGet.Reader<T> reader) {
    return inRegion(gets.get(get, reader), gets.region());
  }

  private <T> Mono<T> readBySdk(ObjectGet get, ObjectGet.Reader<T> reader) {
    GetObjectRequest request = get.toSdk();
    return bySdk(
        client ->
            readBySdk(
                client, request, (head, body) -> reader.read(ObjectHead.of(head), body), true));
  }

  /**
   * Sends a request, and once more where its connection closes before a response: by the server, or
   * by the client for a cancelled request whose response had just ended.
   */
  private <T> Mono<T> readBySdk(
      S3AsyncClient client,
      GetObjectRequest request,
      StreamedResponse.Reader<T> reader,
      boolean again) {
    return Mono.defer(
        () -> {
          StallWatch watch = new StallWatch(patience);
          StreamedResponse response = new StreamedResponse(watch);
          return watch
              .watch(
                  gate(
                      watch,
                      gate ->
                          response.of(body -> client.getObject(gate.on(request), body), reader)))
              .onErrorResume(
                  e -> again && !response.hasBegun() && S3Errors.saysClosed(e),
                  e -> readBySdk(client, request, reader, false));
        });
  }

  /** Sends a request without a body; its response has none. */
  <R extends S3Request, T> Mono<T> ask(
      R request, BiFunction<S3AsyncClient, R, CompletableFuture<T>> call) {
    return send(patience, request, (client, sent, watch) -> call.apply(client, sent));
  }

  /** Sends a request with a body; its response has none. */
  <R extends S3Request, T> Mono<T> send(R request, Send<R, T> call) {
    return send(patience, request, call);
  }

  /** Sends a request with a stall timeout of its own. */
  <R extends S3Request, T> Mono<T> send(Duration patience, R request, Send<R, T> call) {
    return inTurn(
        () ->
            bySdk(
                client -> {
                  StallWatch watch = new StallWatch(patience);
                  Mono<T> sent =
                      gate(
                          watch,
                          gate ->
                              Mono.fromFuture(() -> call.with(client, gate.on(request), watch)));
                  return watch.watch(sent.retryWhen(UNSENT));
                }));
  }

  /** A method of the client. */
  interface Send<R, T> {
    /** Calls it; the body of the request reports its progress to {@code watch}. */
    CompletableFuture<T> with(S3AsyncClient client, R request, StallWatch watch);
  }

  /**
   * Emits a gate and then sends the request, so that the earliest cancel closes the gate. The gate
   * is closed when the cancel returns; its refusal has no subscriber.
   */
  private static <T> Mono<T> gate(StallWatch watch, Function<RequestGate, Mono<T>> request) {
    return Mono.defer(
        () -> {
          RequestGate gate = new RequestGate(watch);
          return Mono.<RequestGate>create(subscribed -> subscribed.success(gate))
              .flatMap(request)
              .onErrorResume(e -> gate.hasRefused(), e -> Mono.never())
              .doOnCancel(gate::close);
        });
  }

  /**
   * Makes a request within the limit, and once more in the region of the bucket: the other region
   * has changed nothing.
   */
  private <T> Mono<T> inTurn(Supplier<Mono<T>> request) {
    return limit.inTurn(
        () -> {
          Mono<T> answer = request.get().onErrorResume(OtherRegion.class, e -> request.get());
          return speaksS3 ? answer : answer.doOnNext(value -> speaksS3 = true);
        });
  }

  /**
   * Calls the SDK, and once more where the server says that the time of the signature is wrong: it
   * has changed nothing, and the SDK has learned the time of the server from that answer.
   */
  private <T> Mono<T> bySdk(Function<S3AsyncClient, Mono<T>> call) {
    return clients
        .client()
        .flatMap(
            ready -> {
              Mono<T> once = Mono.defer(() -> call.apply(ready.client()));
              Mono<T> made = once.onErrorResume(S3Requests::saysWrongTime, e -> once);
              return inRegion(
                  clients.mayBlock() ? made.subscribeOn(S3Threads.mayBlock()) : made,
                  ready.region());
            });
  }

  private static boolean saysWrongTime(Throwable error) {
    return error instanceof AwsServiceException answer && answer.isClockSkewException();
  }

  /** Learns from an answer, and repeats a request whose credentials have expired. */
  private <T> Mono<T> inRegion(Mono<T> request, String region) {
    CachedCredentials credentials = clients.credentials();
    return credentials == null
        ? request.onErrorMap(AwsServiceException.class, e -> learned(e, region))
        : signed(request, region, credentials, 0);
  }

  private <T> Mono<T> signed(
      Mono<T> request, String region, CachedCredentials credentials, int renewals) {
    CachedCredentials.Signer signer = credentials.signer();
    if (signer == null) {
      return request.onErrorMap(AwsServiceException.class, e -> learned(e, region));
    }
    HeldCredential used = signer.held();
    Mono<T> answer = used.wasAccepted() ? request : request.doOnSuccess(value -> used.accepted());
    return answer.onErrorResume(
        AwsServiceException.class,
        e -> {
          RuntimeException told = learned(e, region);
          boolean isExpired = S3Errors.saysExpired(e);
          if (told != e || !(isExpired || S3Errors.saysRefused(e))) {
            used.accepted();
            return Mono.error(told);
          }
          return credentials.again(
              used,
              isExpired,
              renewals,
              next -> signed(request, region, credentials, renewals + 1),
              Mono.error(() -> S3Errors.refused(e, credentials.refusal())));
        });
  }

  private RuntimeException learned(AwsServiceException e, String region) {
    speaksS3 = speaksS3 || S3Errors.isOfS3(e);
    return clients.tryMove(region, S3Errors.region(e)) ? new OtherRegion() : e;
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

  /** Signals that the next client is for another region. */
  private static final class OtherRegion extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OtherRegion() {
      super("the bucket is in another region", null, false, false);
    }
  }
}
