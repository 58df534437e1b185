package dev.zarrreactive.http;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.credential.Credentials;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.internal.http.ResponseHead;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.BodyCoding;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import dev.zarrreactive.store.credential.Credential;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
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
 * Sends requests and classifies their responses. It authenticates requests, follows redirects,
 * renews a credential once, and tells missing values from errors.
 */
final class Exchange {
  private static final int MOST_REDIRECTS = 8;

  private final Supplier<Mono<HttpClient>> client;
  private final Url base;
  private final HttpSettings settings;
  private final @Nullable Credentials credentials;

  /** Whether requests are for the page of the directory of a key, and not for its value. */
  private final boolean asksForPages;

  /** The client with the headers that all requests to the server of the store have. */
  private volatile @Nullable Prepared prepared;

  /**
   * The requests of one store.
   *
   * @param client is asked for the client before each request
   * @param credentials null where the settings have all that requests send
   */
  Exchange(
      Supplier<Mono<HttpClient>> client,
      Url base,
      HttpSettings settings,
      @Nullable Credentials credentials,
      boolean asksForPages) {
    this.asksForPages = asksForPages;
    this.client = client;
    this.base = base;
    this.settings = settings;
    this.credentials = credentials;
  }

  private Url place(StoreKey key) {
    return asksForPages ? base.of(key).directory() : base.of(key);
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
        .flatMap(ready -> new Request<>(ready, key, method, headers, reader).to(place(key), 0));
  }

  /** What a response means for its request. */
  private sealed interface Answer<T> permits Value, Redirect, Refusal, Failure {}

  /** The result of the reader; null for a missing value. */
  private record Value<T>(@Nullable T value) implements Answer<T> {}

  /**
   * Another URL of the value.
   *
   * @param target null where the response has none
   * @param shown the response for messages, such as {@code answered 301}
   */
  private record Redirect<T>(@Nullable Url target, String shown) implements Answer<T> {}

  /** A 401, which new credentials may change, or a 403. */
  private record Refusal<T>(StoreException error, boolean isUnauthorized) implements Answer<T> {}

  private record Failure<T>(StoreException error) implements Answer<T> {}

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

    /** Sends the request, and follows its answer when the response has ended: one at a time. */
    Mono<T> to(Url url, int redirects) {
      if (credentials == null) {
        return with(null, url, redirects, 0);
      }
      HeldCredential known = credentials.known();
      return known != null
          ? with(known, url, redirects, 0)
          : credentials
              .current()
              .onErrorMap(e -> HttpErrors.of(e, key, url, settings.proxied()))
              .flatMap(held -> with(held, url, redirects, 0));
    }

    private Mono<T> with(@Nullable HeldCredential held, Url url, int redirects, int renewals) {
      if (held != null && !HttpErrors.isOfHttp(held.credential())) {
        return violation(url, "takes headers or a query, and was given " + held);
      }
      boolean isOwn = url.hasOriginOf(base);
      Url signed = isOwn && held != null ? signed(url, held.credential()) : url;
      Mono<Answer<T>> answer =
          SentRequest.of(
              sender(isOwn, held),
              method,
              signed.forClient(),
              (response, body) -> answer(response, body, url),
              e -> HttpErrors.of(e, key, url, settings.proxied()));
      return answer.flatMap(
          given -> {
            if (given instanceof Redirect<T> redirect) {
              return follow(redirect, held, url, redirects, renewals);
            }
            if (given instanceof Refusal<T> refusal) {
              Mono<T> end = refused(refusal, isOwn);
              return held == null || credentials == null || !isOwn
                  ? end
                  : credentials
                      .again(
                          held,
                          refusal.isUnauthorized(),
                          renewals,
                          next -> with(next, place(key), redirects, renewals + 1),
                          end)
                      .onErrorMap(e -> HttpErrors.of(e, key, url, settings.proxied()));
            }
            if (isOwn && held != null) {
              held.accepted();
            }
            return given instanceof Failure<T> failure
                ? Mono.error(failure.error())
                : Mono.justOrEmpty(((Value<T>) given).value());
          });
    }

    /** Adds the query of a credential, unless a redirect has given another one. */
    private Url signed(Url url, Credential credential) {
      return credential instanceof Credential.Query own
              && (url.query() == null || url.equals(place(key)))
          ? url.withQuery(own.query())
          : url;
    }

    private Mono<T> refused(Refusal<T> refusal, boolean isOwn) {
      return settings.forbiddenIsMissing()
          ? Mono.empty()
          : Mono.error(() -> isOwn ? told(refusal) : refusal.error());
    }

    /** Says which credential the server has refused, and what to set. */
    private StoreException told(Refusal<T> refusal) {
      String of;
      if (credentials != null) {
        of = credentials.refusal();
      } else if (base.query() != null) {
        of = "; it refuses the query of the URL, which may have expired";
      } else if (!refusal.isUnauthorized()) {
        return refusal.error();
      } else {
        of =
            settings.headers().isEmpty()
                ? "; no credential was set: the option credentials names a source of them"
                : "; it refuses the headers or the password that were set";
      }
      return new AccessDeniedException(refusal.error().statement() + of, HttpErrors.at(key));
    }

    /** Sends headers and credentials of the user to their server only. */
    private HttpClient sender(boolean isOwn, @Nullable HeldCredential held) {
      HttpClient own = isOwn ? toOwnServer(held) : toOther();
      return headers.isEmpty() ? own : own.headers(all -> headers.forEach(all::set));
    }

    private HttpClient toOwnServer(@Nullable HeldCredential held) {
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

    private Publisher<Answer<T>> answer(HttpClientResponse response, ByteBufFlux body, Url url) {
      int status = response.status().code();
      return switch (status) {
        case 301, 302, 303, 307, 308 ->
            after(
                body,
                new Redirect<>(target(response, url), "answered " + HttpErrors.shown(response)));
        case 401, 403 ->
            after(
                body,
                new Refusal<>(
                    HttpErrors.status(key, url, response), HttpErrors.isUnauthorized(response)));
        case 404, 410 -> after(body, new Value<>(null));
        case 200, 206 ->
            HtmlPage.isTypeOf(response, key)
                ? valueOrPage(response, body, url)
                : value(response, body, url);
        case 304, 400, 405, 412, 416, 501 -> value(response, body, url);
        default -> after(body, new Failure<>(HttpErrors.status(key, url, response)));
      };
    }

    /** Gives an answer at the end of a body that tells nothing. */
    private Publisher<Answer<T>> after(Flux<ByteBuf> body, Answer<T> answer) {
      return SentRequest.drain(body).thenReturn(answer);
    }

    private Mono<Answer<T>> value(HttpClientResponse response, Flux<ByteBuf> body, Url url) {
      return reader.read(response, body, url).map(Value::new);
    }

    /** The first bytes tell a page from a value that the server only calls one. */
    private Publisher<Answer<T>> valueOrPage(
        HttpClientResponse response, ByteBufFlux body, Url url) {
      BodyCoding coding = ResponseHead.coding(key, url.toString(), response.responseHeaders());
      return body.switchOnFirst(
          (first, all) -> {
            ByteBuf part = first.get();
            if (part == null || !HtmlPage.begins(part, coding)) {
              return value(response, all, url);
            }
            return after(
                all,
                settings.pagesAreMissing()
                    ? new Value<>(null)
                    : new Failure<>(HtmlPage.error(key, url)));
          });
    }

    /** Follows a redirect. One to the same path with a slash names a directory: a missing value. */
    private Mono<T> follow(
        Redirect<T> redirect, @Nullable HeldCredential held, Url url, int redirects, int renewals) {
      Url target = redirect.target();
      if (target == null) {
        return violation(url, redirect.shown() + " without a URL");
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
      return with(held, target, redirects + 1, renewals);
    }

    private static @Nullable Url target(HttpClientResponse response, Url url) {
      String location = response.responseHeaders().get(HttpHeaderNames.LOCATION);
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
    private final @Nullable HeldCredential held;
    private final HttpClient client;

    Prepared(HttpClient plain, @Nullable HeldCredential held, HttpSettings settings) {
      this.plain = plain;
      this.held = held;
      this.client =
          plain.headers(
              all -> {
                settings.headers().forEach(all::set);
                if (held != null && held.credential() instanceof Credential.Headers own) {
                  own.headers().forEach(all::set);
                }
                all.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
              });
    }
  }
}
