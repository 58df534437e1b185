package dev.zarrreactive.internal.service;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.internal.http.ConnectionErrors;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
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
 * did not do what it was asked for is a {@link ServiceRefusal}. Errors show the status and the code
 * of the server, and not its text.
 */
public final class ServiceRequests {
  /**
   * A page of a listing has at most five thousand names of a kilobyte, with as much around each.
   */
  private static final int MOST_READ = 32 << 20;

  private final Supplier<Mono<HttpClient>> client;
  private final ServiceSettings settings;
  private final ObjectService service;
  private final ServiceIdentity identity;

  private volatile @Nullable Prepared prepared;

  /** True after a response that only this service sends. */
  private volatile boolean isKnown;

  private final Mono<Boolean> containerIsThere =
      Mono.defer(this::findContainer)
          .cacheInvalidateIf(found -> false)
          .onErrorMap(SharedFailure::forOne);

  /**
   * The requests of one store.
   *
   * @param client is asked for the client before each request
   */
  public ServiceRequests(
      Supplier<Mono<HttpClient>> client, ServiceSettings settings, ServiceIdentity identity) {
    this.client = client;
    this.settings = settings;
    this.service = identity.service();
    this.identity = identity;
  }

  /** Reads a response that did what it was asked for. */
  public interface Reader<T> {
    /**
     * Reads the response; never empty.
     *
     * @param body for one subscriber; a part is valid until the next is demanded
     */
    Mono<T> read(HttpClientResponse response, Flux<ByteBuf> body);
  }

  /** The settings of these requests. */
  public ServiceSettings settings() {
    return settings;
  }

  /** The service that answers. */
  ObjectService service() {
    return service;
  }

  /**
   * Sends a request, and once more with new credentials where the server refuses those that have
   * expired. Ends when the response has ended.
   */
  public <T> Mono<T> ask(ServiceRequest request, Reader<T> reader) {
    return Mono.defer(client)
        .flatMap(ready -> identity.with(held -> send(prepared(ready, held), request, reader)))
        .onErrorMap(e -> e instanceof ZarrException, e -> ((ZarrException) e).at(request.at()));
  }

  /** Sends a request whose response tells nothing but by its headers. */
  public Mono<HttpClientResponse> ask(ServiceRequest request) {
    return ask(request, (response, body) -> SentRequest.drain(body).thenReturn(response));
  }

  /** Asks for the headers of a value; empty where there is none. Errors are of the service. */
  public <T> Mono<T> look(StoreKey key, Function<HttpHeaders, T> reader) {
    return ask(settings.read(HttpMethod.HEAD, key, Map.of()))
        .map(response -> reader.apply(response.responseHeaders()))
        .onErrorResume(
            e -> e instanceof ServiceRefusal answer && answer.isMissing(),
            e -> missing((ServiceRefusal) e));
  }

  /**
   * Sends a request and collects the body of its response.
   *
   * @param tooLarge makes the error for a body of more than so many bytes
   */
  public Mono<byte[]> collect(ServiceRequest request, IntFunction<StoreException> tooLarge) {
    return ask(request, (response, body) -> collected(body, tooLarge));
  }

  private static Mono<byte[]> collected(Flux<ByteBuf> body, IntFunction<StoreException> tooLarge) {
    return Mono.defer(
        () -> {
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          return body.doOnNext(
                  part -> {
                    if (part.readableBytes() > MOST_READ - all.size()) {
                      throw tooLarge.apply(MOST_READ);
                    }
                    byte[] bytes = new byte[part.readableBytes()];
                    part.getBytes(part.readerIndex(), bytes);
                    all.writeBytes(bytes);
                  })
              .then(Mono.fromSupplier(all::toByteArray));
        });
  }

  private <T> Mono<T> send(Prepared prepared, ServiceRequest request, Reader<T> reader) {
    boolean isOwn = request.url().hasOriginOf(settings.endpoint());
    ServiceRequest sent = isOwn ? prepared.proof().signed(request) : request;
    HttpClient own = isOwn ? prepared.client() : prepared.plain();
    Map<String, String> headers = sent.headers();
    HttpClient sender = headers.isEmpty() ? own : own.headers(all -> headers.forEach(all::set));
    String uri = sent.url().forClient();
    List<Bytes> content = sent.content();
    SentRequest.Reader<T> next = (response, body) -> next(response, body, reader);
    return content == null
        ? SentRequest.of(sender, sent.method(), uri, next, e -> unsent(e, request))
        : SentRequest.once(sender, sent.method(), uri, content, next, e -> unsent(e, request));
  }

  /** Returns the client with the headers of a credential, made once for the same ones. */
  private Prepared prepared(HttpClient ready, HeldCredential held) {
    Prepared last = prepared;
    if (last == null || last.ready() != ready || last.held() != held) {
      ObjectService.Proof proof = service.proof(held.credential());
      HttpClient plain =
          ready.headers(all -> all.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY));
      HttpClient proven = plain.headers(all -> proof.headers().forEach(all::set));
      last = new Prepared(ready, held, proof, plain, proven);
      prepared = last;
    }
    return last;
  }

  /**
   * A client that was made once.
   *
   * @param plain for another server, which gets no credential
   * @param client for the server of the store
   */
  private record Prepared(
      HttpClient ready,
      HeldCredential held,
      ObjectService.Proof proof,
      HttpClient plain,
      HttpClient client) {}

  private <T> Publisher<T> next(HttpClientResponse response, ByteBufFlux body, Reader<T> reader) {
    int status = response.status().code();
    HttpHeaders headers = response.responseHeaders();
    if (service.isDone(status)) {
      isKnown = isKnown || service.isOwn("", headers);
      return reader.read(response, body);
    }
    String told = service.code(headers);
    return (told == null ? ErrorBody.code(body) : SentRequest.drain(body).thenReturn(told))
        .flatMap(
            code -> {
              isKnown = isKnown || service.isOwn(code, headers);
              return Mono.error(new ServiceRefusal(status, code, headers));
            });
  }

  private Throwable unsent(Throwable error, ServiceRequest request) {
    return error instanceof ServiceRefusal
        ? error
        : ConnectionErrors.of(
            error,
            request.at(),
            request.shown() + " at " + settings.endpoint(),
            settings.proxied());
  }

  /**
   * Completes empty where the answer 404 says that a value is missing, and fails where it says that
   * the container is missing or hidden. An answer that tells neither counts as one of a value if
   * the server has answered as only this service does. Otherwise a look at the container tells,
   * once for the store: the 404 may come from another server, such as a proxy.
   */
  public <T> Mono<T> missing(ServiceRefusal answer) {
    return switch (service.missing(answer)) {
      case VALUE -> Mono.empty();
      case CONTAINER -> Mono.error(answer);
      case UNTOLD ->
          isKnown
              ? Mono.empty()
              : containerIsThere.flatMap(found -> found ? Mono.empty() : Mono.error(answer));
    };
  }

  private Mono<Boolean> findContainer() {
    ServiceRequest listing = settings.list(StorePrefix.ROOT, service.smallestListing());
    return ask(listing)
        .thenReturn(true)
        .onErrorResume(ServiceRefusal.class, answer -> service.found(answer, isKnown))
        .onErrorMap(e -> error(e, Location.UNKNOWN, settings.names().url(StorePrefix.ROOT)));
  }

  /** Returns the error of the store for one of a request. */
  public Throwable error(Throwable error, Location at, String shown) {
    if (error instanceof ServiceRefusal answer) {
      return answered(answer, at, shown);
    }
    return error instanceof ZarrException located ? located.at(at) : error;
  }

  /** Returns the error for a response without a value. */
  public StoreException answered(ServiceRefusal answer, Location at, String shown) {
    String hint = service.hint(answer.code());
    String statement =
        shown
            + " answered "
            + answer.shown()
            + (hint.isEmpty() ? "" : "; " + hint)
            + (service.saysRefused(answer) ? identity.refusal() : "");
    Duration wait = ResponseErrors.retryAfter(answer.header("retry-after"));
    StoreException error =
        service.mayPass(answer)
            ? new TransientStoreException(statement, at, wait)
            : ResponseErrors.of(answer.status(), statement, at, wait);
    String unexplained = answer.isMissing() ? service.unexplained(answer, settings, identity) : "";
    return unexplained.isEmpty() ? error : new StoreException(error.statement() + unexplained, at);
  }

  /** Returns the error for a server that broke the protocol. */
  public StoreException violation(StoreKey key, String statement) {
    return ResponseErrors.violation(key, settings.names().url(key), statement);
  }
}
