package dev.zarrreactive.azure;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.internal.http.ConnectionErrors;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.internal.transfer.HttpDate;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import dev.zarrreactive.store.credential.Credential;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * did not do what it was asked for is an {@link AzureRefusal}.
 */
final class AzureRequests {
  /** The version of the REST API, which has names in listings that XML cannot express. */
  private static final String API = "2021-12-02";

  private static final int LEAST_SUCCESS = 200;
  private static final int LEAST_REDIRECT = 300;
  private static final int NOT_FOUND = 404;

  /** A page has at most five thousand names of a kilobyte, with as much around each. */
  private static final int MOST_READ = 32 << 20;

  private final Supplier<Mono<HttpClient>> client;
  private final AzureSettings settings;
  private final AzureIdentity identity;

  private volatile @Nullable Signer signer;

  private final Mono<Boolean> containerIsThere =
      Mono.defer(this::findContainer)
          .cacheInvalidateIf(found -> false)
          .onErrorMap(SharedFailure::forOne);

  /**
   * The requests of one store.
   *
   * @param client is asked for the client before each request
   */
  AzureRequests(Supplier<Mono<HttpClient>> client, AzureSettings settings, AzureIdentity identity) {
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
  <T> Mono<T> ask(AzureRequest request, Reader<T> reader) {
    return Mono.defer(client)
        .flatMap(ready -> identity.with(held -> send(ready, held, request, reader)))
        .onErrorMap(e -> e instanceof ZarrException, e -> ((ZarrException) e).at(request.at()));
  }

  /** Sends a request whose response tells nothing but by its headers. */
  Mono<HttpClientResponse> ask(AzureRequest request) {
    return ask(request, (response, body) -> SentRequest.drain(body).thenReturn(response));
  }

  /** Sends a request and collects the body of its response. */
  Mono<byte[]> read(AzureRequest request) {
    return ask(request, (response, body) -> collect(body, request));
  }

  private static Mono<byte[]> collect(Flux<ByteBuf> body, AzureRequest request) {
    return Mono.defer(
        () -> {
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          return body.doOnNext(
                  part -> {
                    if (part.readableBytes() > MOST_READ - all.size()) {
                      throw new StoreException(
                          request.shown() + " answered more than " + MOST_READ + " bytes of XML",
                          request.at());
                    }
                    byte[] bytes = new byte[part.readableBytes()];
                    part.getBytes(part.readerIndex(), bytes);
                    all.writeBytes(bytes);
                  })
              .then(Mono.fromSupplier(all::toByteArray));
        });
  }

  private <T> Mono<T> send(
      HttpClient ready, HeldCredential held, AzureRequest request, Reader<T> reader) {
    Credential credential = held.credential();
    Url url =
        credential instanceof Credential.Query sas
            ? request.url().withQuery(sas.query())
            : request.url();
    SortedMap<String, String> headers = headers(request, held, url);
    HttpClient sender =
        ready.headers(
            all -> {
              headers.forEach(all::set);
              all.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
            });
    List<Bytes> content = request.content();
    SentRequest.Reader<T> next = (response, body) -> next(response, body, reader);
    return content == null
        ? SentRequest.of(sender, request.method(), url.forClient(), next, e -> unsent(e, request))
        : SentRequest.once(
            sender, request.method(), url.forClient(), content, next, e -> unsent(e, request));
  }

  private SortedMap<String, String> headers(AzureRequest request, HeldCredential held, Url url) {
    SortedMap<String, String> headers = new TreeMap<>(request.headers());
    headers.put("x-ms-version", API);
    Credential credential = held.credential();
    if (credential instanceof Credential.Headers given) {
      headers.putAll(given.headers());
    } else if (credential instanceof Credential.AccountKey key) {
      headers.put("x-ms-date", HttpDate.format(Instant.now()));
      if (request.length() > 0) {
        headers.put("content-length", Long.toString(request.length()));
      }
      String signed = signer(held, key).key().authorization(request.method().name(), url, headers);
      headers.remove("content-length");
      headers.put("authorization", signed);
    } else if (!(credential instanceof Credential.Anonymous
        || credential instanceof Credential.Query)) {
      throw AzureIdentity.refusal(credential);
    }
    return headers;
  }

  private Signer signer(HeldCredential held, Credential.AccountKey key) {
    Signer last = signer;
    if (last == null || last.held() != held) {
      last = new Signer(held, new SharedKey(key));
      signer = last;
    }
    return last;
  }

  /** A key that was prepared once. */
  private record Signer(HeldCredential held, SharedKey key) {}

  private static <T> Publisher<T> next(
      HttpClientResponse response, ByteBufFlux body, Reader<T> reader) {
    int status = response.status().code();
    return status >= LEAST_SUCCESS && status < LEAST_REDIRECT
        ? reader.read(response, body)
        : AzureErrors.code(response.responseHeaders(), body)
            .flatMap(
                code -> Mono.error(new AzureRefusal(status, code, response.responseHeaders())));
  }

  private Throwable unsent(Throwable error, AzureRequest request) {
    return error instanceof AzureRefusal
        ? error
        : ConnectionErrors.of(
            error,
            request.at(),
            request.shown() + " at " + settings.endpoint(),
            settings.proxied());
  }

  /**
   * Completes empty where the answer 404 says that a value is missing, and fails where it says that
   * the container is missing or private: the service hides a private container from requests
   * without a credential. An answer with neither code is explained by a look at the container, once
   * for the store.
   */
  <T> Mono<T> missing(AzureRefusal answer) {
    return switch (answer.code()) {
      case "BlobNotFound" -> Mono.empty();
      case "ContainerNotFound", "ContainerBeingDeleted", "ContainerDisabled" -> Mono.error(answer);
      default -> containerIsThere.flatMap(found -> found ? Mono.empty() : Mono.error(answer));
    };
  }

  private Mono<Boolean> findContainer() {
    AzureRequest listing =
        AzureRequest.list(settings, StorePrefix.ROOT, "restype=container&comp=list&maxresults=1");
    return ask(listing)
        .thenReturn(true)
        .onErrorResume(
            AzureRefusal.class,
            answer ->
                answer.status() == NOT_FOUND || answer.isRefused()
                    ? Mono.just(false)
                    : Mono.error(answer))
        .onErrorMap(e -> error(e, Location.UNKNOWN, settings.names().url(StorePrefix.ROOT)));
  }

  /** Returns the error of the store for one of a request. */
  Throwable error(Throwable error, Location at, String shown) {
    if (error instanceof AzureRefusal answer) {
      return answered(answer, at, shown);
    }
    return error instanceof ZarrException located ? located.at(at) : error;
  }

  /** Returns the error for a response without a value. */
  StoreException answered(AzureRefusal answer, Location at, String shown) {
    StoreException error = AzureErrors.answered(answer, at, shown, identity.refusal());
    boolean isUnexplained =
        answer.status() == NOT_FOUND
            && !answer.code().equals("BlobNotFound")
            && !answer.code().equals("ContainerNotFound");
    return isUnexplained
        ? new StoreException(
            error.statement()
                + "; no container "
                + settings.container()
                + " can be seen at "
                + settings.endpoint()
                + (identity.isAnonymous()
                    ? ": it is missing or private" + identity.refusal()
                    : ": are the container and the account right?"),
            at)
        : error;
  }

  /** Returns the error for a server that broke the protocol. */
  StoreException violation(StoreKey key, String statement) {
    return ResponseErrors.violation(key, settings.names().url(key), statement);
  }
}
