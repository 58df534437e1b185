package dev.zarrreactive.gcs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.internal.http.ConnectionErrors;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import dev.zarrreactive.store.credential.Credential;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Sends the requests of one store, with credentials, and tells what responses mean. A response that
 * did not do what it was asked for is a {@link GcsRefusal}.
 */
final class GcsRequests {
  private static final int LEAST_SUCCESS = 200;
  private static final int LEAST_REDIRECT = 300;

  /** The answer to a part of an upload that goes on. */
  private static final int RESUME_INCOMPLETE = 308;

  private static final int NOT_FOUND = 404;

  private final Supplier<Mono<HttpClient>> client;
  private final GcsSettings settings;
  private final GcsIdentity identity;

  private volatile @Nullable Prepared prepared;

  /** True after a response that only this service sends. */
  private volatile boolean speaksGoogle;

  private final Mono<Boolean> bucketIsThere =
      Mono.defer(this::findBucket)
          .cacheInvalidateIf(found -> false)
          .onErrorMap(SharedFailure::forOne);

  /**
   * The requests of one store.
   *
   * @param client is asked for the client before each request
   */
  GcsRequests(Supplier<Mono<HttpClient>> client, GcsSettings settings, GcsIdentity identity) {
    this.client = client;
    this.settings = settings;
    this.identity = identity;
  }

  /** Reads a response that did what it was asked for. */
  interface Reader<T> {
    /**
     * Reads the response; never empty.
     *
     * @param body for one subscriber; a part is valid until the next is demanded
     */
    Mono<T> read(HttpClientResponse response, Flux<ByteBuf> body);
  }

  /**
   * Sends a request, and once more with new credentials where the server refuses those that have
   * expired. Ends when the response has ended.
   */
  <T> Mono<T> ask(GcsRequest request, Reader<T> reader) {
    return Mono.defer(client)
        .flatMap(ready -> identity.with(held -> send(prepared(ready, held), request, reader)))
        .onErrorMap(e -> e instanceof ZarrException, e -> ((ZarrException) e).at(request.at()));
  }

  private <T> Mono<T> send(Prepared prepared, GcsRequest request, Reader<T> reader) {
    boolean isOwn = request.url().hasOriginOf(settings.endpoint());
    HttpClient own = isOwn ? prepared.client() : prepared.plain();
    Map<String, String> headers = request.headers();
    HttpClient sender = headers.isEmpty() ? own : own.headers(all -> headers.forEach(all::set));
    List<Bytes> content = request.content();
    String uri = request.url().forClient();
    return content == null
        ? SentRequest.of(
            sender,
            request.method(),
            uri,
            (response, body) -> next(response, body, reader),
            e -> unsent(e, request))
        : SentRequest.once(
            sender,
            request.method(),
            uri,
            content,
            (response, body) -> next(response, body, reader),
            e -> unsent(e, request));
  }

  /** Returns the client with the headers of a credential, made once for the same ones. */
  private Prepared prepared(HttpClient ready, HeldCredential held) {
    Prepared last = prepared;
    if (last == null || last.ready() != ready || last.held() != held) {
      Credential credential = held.credential();
      HttpClient plain =
          ready.headers(all -> all.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY));
      last = new Prepared(ready, held, plain, plain.headers(all -> prove(credential, all)));
      prepared = last;
    }
    return last;
  }

  private void prove(Credential credential, HttpHeaders headers) {
    if (settings.userProject() != null) {
      headers.set("x-goog-user-project", settings.userProject());
    }
    if (credential instanceof Credential.Headers given) {
      given.headers().forEach(headers::set);
    } else if (!(credential instanceof Credential.Anonymous)) {
      throw GcsIdentity.refusal(credential);
    }
  }

  /**
   * A client that was made once.
   *
   * @param plain for another server, which gets no credential
   * @param client for the server of the store
   */
  private record Prepared(
      HttpClient ready, HeldCredential held, HttpClient plain, HttpClient client) {}

  private <T> Publisher<T> next(HttpClientResponse response, ByteBufFlux body, Reader<T> reader) {
    int status = response.status().code();
    boolean isDone = status >= LEAST_SUCCESS && status < LEAST_REDIRECT;
    if (isDone || status == RESUME_INCOMPLETE) {
      speaksGoogle = speaksGoogle || GcsErrors.isOfGoogle("", response.responseHeaders());
      return reader.read(response, body);
    }
    return GcsErrors.code(body)
        .flatMap(
            code -> {
              if (GcsErrors.isOfGoogle(code, response.responseHeaders())) {
                speaksGoogle = true;
              }
              return Mono.error(new GcsRefusal(status, code, response.responseHeaders()));
            });
  }

  private Throwable unsent(Throwable error, GcsRequest request) {
    return error instanceof GcsRefusal
        ? error
        : ConnectionErrors.of(
            error,
            request.at(),
            request.shown() + " at " + settings.endpoint(),
            settings.proxied());
  }

  /**
   * Completes empty where the answer 404 says that a value is missing, and fails where it says that
   * the bucket is missing. A 404 counts if it has a sign of this service, or if the endpoint has
   * answered as this service does. Otherwise a listing of the bucket tells, once for the store: the
   * 404 may come from another server, such as a proxy, and some emulators give no sign.
   */
  <T> Mono<T> missing(GcsRefusal answer) {
    if (answer.code().equals("NoSuchBucket")) {
      return Mono.error(answer);
    }
    return speaksGoogle
        ? Mono.empty()
        : bucketIsThere.flatMap(found -> found ? Mono.empty() : Mono.error(answer));
  }

  private Mono<Boolean> findBucket() {
    GcsRequest listing =
        GcsRequest.read(
            HttpMethod.GET,
            settings.bucket("list-type=2&max-keys=1"),
            Location.UNKNOWN,
            settings.names().url(StorePrefix.ROOT),
            Map.of());
    return ask(listing, (response, body) -> SentRequest.drain(body).thenReturn(true))
        .onErrorResume(
            GcsRefusal.class,
            answer -> answer.status() == NOT_FOUND ? Mono.just(false) : Mono.just(speaksGoogle))
        .onErrorMap(e -> error(e, Location.UNKNOWN, settings.names().url(StorePrefix.ROOT)));
  }

  /** Returns the error of the store for one of a request. */
  Throwable error(Throwable error, Location at, String shown) {
    if (error instanceof GcsRefusal answer) {
      return answered(answer, at, shown);
    }
    return error instanceof ZarrException located ? located.at(at) : error;
  }

  /** Returns the error for a response without a value. */
  StoreException answered(GcsRefusal answer, Location at, String shown) {
    StoreException error = GcsErrors.answered(answer, at, shown, identity.refusal());
    return answer.status() == NOT_FOUND && answer.code().isEmpty()
        ? new StoreException(
            error.statement()
                + "; no bucket "
                + settings.bucket()
                + " is at "
                + settings.endpoint()
                + ": are the bucket and the endpoint right?",
            at)
        : error;
  }

  /** Returns the error for a server that broke the protocol. */
  StoreException violation(StoreKey key, String statement) {
    return ResponseErrors.violation(key, settings.names().url(key), statement);
  }
}
