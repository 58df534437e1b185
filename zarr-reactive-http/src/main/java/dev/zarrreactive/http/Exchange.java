package dev.zarrreactive.http;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.BodyCoding;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Sends requests and classifies their responses. It authenticates requests, follows redirects,
 * refreshes credentials once, and tells missing values from errors.
 */
final class Exchange {
  private static final int MOST_REDIRECTS = 8;

  private final Supplier<Mono<HttpClient>> client;
  private final Url base;
  private final HttpSettings settings;
  private final HttpCredentials credentials;

  /** The client with the headers that all requests to the server of the store have. */
  private volatile @Nullable Prepared prepared;

  /**
   * The requests of one store.
   *
   * @param client is asked for the client before each request
   */
  Exchange(
      Supplier<Mono<HttpClient>> client,
      Url base,
      HttpSettings settings,
      HttpCredentials credentials) {
    this.client = client;
    this.base = base;
    this.settings = settings;
    this.credentials = credentials;
  }

  /** Reads a response that may come with a value. */
  interface Reader<T> {
    /**
     * Reads the response; never empty.
     *
     * @param body for one subscriber; a part is valid until the next is demanded
     */
    Mono<T> read(HttpClientResponse response, Flux<ByteBuf> body, Url url);
  }

  /**
   * Sends one request for the value at {@code key}. A failure is an error, a missing value an empty
   * result; all other responses go to {@code reader}.
   */
  <T> Mono<T> ask(StoreKey key, HttpMethod method, Map<String, String> headers, Reader<T> reader) {
    return Mono.defer(client)
        .onErrorMap(e -> HttpErrors.of(e, key, base, settings.proxied()))
        .flatMap(
            ready -> new Request<>(ready, key, method, headers, reader).to(base.of(key), 0, false));
  }

  private final class Request<T> {
    private final HttpClient client;
    private final StoreKey key;
    private final HttpMethod method;
    private final Map<String, String> headers;
    private final Reader<T> reader;

    Request(
        HttpClient client,
        StoreKey key,
        HttpMethod method,
        Map<String, String> headers,
        Reader<T> reader) {
      this.client = client;
      this.key = key;
      this.method = method;
      this.headers = headers;
      this.reader = reader;
    }

    /** Takes the next step when the response has ended: one request is in flight at a time. */
    Mono<T> to(Url url, int redirects, boolean refreshed) {
      HttpCredentials.Held known = credentials.known();
      return known != null
          ? with(known, url, redirects, refreshed)
          : held(url).flatMap(held -> with(held, url, redirects, refreshed));
    }

    private Mono<T> with(HttpCredentials.Held held, Url url, int redirects, boolean refreshed) {
      return sent(url, held, redirects, refreshed).flatMap(Function.identity());
    }

    private Mono<Mono<T>> sent(
        Url url, HttpCredentials.Held held, int redirects, boolean refreshed) {
      return SentRequest.of(
          sender(url, held),
          method,
          url.forClient(),
          (response, body) -> next(response, body, url, held, redirects, refreshed),
          e -> HttpErrors.of(e, key, url, settings.proxied()));
    }

    private Mono<HttpCredentials.Held> held(Url url) {
      return credentials
          .get()
          .onErrorMap(
              e -> !(e instanceof ZarrException) && !(e instanceof Error),
              e -> new StoreException("no credentials for " + url, HttpErrors.at(key), e))
          .onErrorMap(e -> HttpErrors.of(e, key, url, settings.proxied()));
    }

    /** Sends headers and credentials of the user to their server only. */
    private HttpClient sender(Url url, HttpCredentials.Held held) {
      HttpClient own = url.hasOriginOf(base) ? toOwnServer(held) : toOther();
      return headers.isEmpty() ? own : own.headers(all -> headers.forEach(all::set));
    }

    private HttpClient toOwnServer(HttpCredentials.Held held) {
      Prepared last = prepared;
      if (last == null || last.plain != client || last.held != held) {
        last = new Prepared(client, held, settings);
        prepared = last;
      }
      return last.client;
    }

    private HttpClient toOther() {
      return client.headers(
          all -> {
            String agent = all.get(HttpHeaderNames.USER_AGENT);
            all.clear();
            if (agent != null) {
              all.set(HttpHeaderNames.USER_AGENT, agent);
            }
            all.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
          });
    }

    private Publisher<Mono<T>> next(
        HttpClientResponse response,
        ByteBufFlux body,
        Url url,
        HttpCredentials.Held held,
        int redirects,
        boolean refreshed) {
      return switch (response.status().code()) {
        case 301, 302, 303, 307, 308 ->
            SentRequest.drained(body)
                .then(Mono.just(redirected(response, url, redirects, refreshed)));
        case 401 -> {
          boolean again = url.hasOriginOf(base) && credentials.refuse(held) && !refreshed;
          Mono<T> next =
              again ? Mono.defer(() -> to(url, redirects, true)) : refused(response, url);
          yield SentRequest.drained(body).then(Mono.just(next));
        }
        case 403 -> SentRequest.drained(body).then(Mono.just(refused(response, url)));
        case 404, 410 -> SentRequest.drained(body).then(Mono.just(Mono.empty()));
        case 200, 206 ->
            HtmlPage.isTypeOf(response, key)
                ? valueOrPage(response, body, url)
                : reader.read(response, body, url).map(Mono::just);
        case 304, 400, 405, 412, 416, 501 -> reader.read(response, body, url).map(Mono::just);
        default -> SentRequest.drained(body).then(Mono.just(failed(response, url)));
      };
    }

    /** The first bytes tell a page from a value that the server only calls one. */
    private Publisher<Mono<T>> valueOrPage(HttpClientResponse response, ByteBufFlux body, Url url) {
      BodyCoding coding = ResponseHead.coding(key, url, response.responseHeaders());
      return body.switchOnFirst(
          (first, all) -> {
            ByteBuf part = first.get();
            if (part == null || !HtmlPage.begins(part, coding)) {
              return reader.read(response, all, url).map(Mono::just);
            }
            Mono<T> next =
                settings.pagesAreMissing() ? Mono.empty() : Mono.error(HtmlPage.error(key, url));
            return SentRequest.drained(all).then(Mono.just(next));
          });
    }

    private Mono<T> refused(HttpClientResponse response, Url url) {
      return settings.forbiddenIsMissing() ? Mono.empty() : failed(response, url);
    }

    private Mono<T> failed(HttpClientResponse response, Url url) {
      return Mono.error(HttpErrors.status(key, url, response));
    }

    /** Follows a redirect. One to the same path with a slash names a directory: a missing value. */
    private Mono<T> redirected(
        HttpClientResponse response, Url url, int redirects, boolean refreshed) {
      Url target = target(response.responseHeaders(), url);
      if (target == null) {
        return violation(url, "answered " + HttpErrors.shown(response) + " without a URL");
      }
      if (target.isDirectoryOf(url)) {
        return Mono.empty();
      }
      if (!settings.followRedirects()) {
        return violation(url, "redirects to " + target + ", and redirects are off");
      }
      if (redirects == MOST_REDIRECTS) {
        return violation(url, "redirects more than " + MOST_REDIRECTS + " times");
      }
      if (url.scheme().equals("https") && target.scheme().equals("http")) {
        return violation(url, "redirects to " + target + ", which is not encrypted");
      }
      return Mono.defer(() -> to(target, redirects + 1, refreshed));
    }

    private static @Nullable Url target(HttpHeaders headers, Url url) {
      String location = headers.get(HttpHeaderNames.LOCATION);
      try {
        return location == null ? null : url.resolve(location);
      } catch (IllegalArgumentException e) {
        return null;
      }
    }

    private Mono<T> violation(Url url, String statement) {
      return Mono.error(ResponseErrors.violation(key, url.toString(), statement));
    }
  }

  /** A client with the headers of the store, made once for the same credentials. */
  private static final class Prepared {
    private final HttpClient plain;
    private final HttpCredentials.Held held;
    private final HttpClient client;

    Prepared(HttpClient plain, HttpCredentials.Held held, HttpSettings settings) {
      this.plain = plain;
      this.held = held;
      this.client =
          plain.headers(
              all -> {
                settings.headers().forEach(all::set);
                held.headers().forEach(all::set);
                all.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
              });
    }
  }
}
