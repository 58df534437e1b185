package dev.zarrreactive.http;

import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.transfer.Refusal;
import dev.zarrreactive.store.StoreKey;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.retry.Retry;

/**
 * One request and its answer: sends what proves who asks, follows redirects, refreshes credentials
 * once, and tells values that are missing from everything that is an error.
 */
final class Exchange {
  private static final int MOST_REDIRECTS = 8;

  /** More of a body than this is not read to save a connection. */
  private static final int WORTH_DRAINING = 64 << 10;

  private final Mono<HttpClient> client;
  private final Url base;
  private final HttpSettings settings;
  private final Credentials credentials;

  Exchange(Mono<HttpClient> client, Url base, HttpSettings settings, Credentials credentials) {
    this.client = client;
    this.base = base;
    this.settings = settings;
    this.credentials = credentials;
  }

  /** What becomes of an answer that may come with a value; never empty. */
  interface Answer<T> {
    Mono<T> read(HttpClientResponse response, ByteBufFlux body, Url url);
  }

  /**
   * Asks for the value at {@code key}. Answers that mean failure end in an error, those that mean
   * that nothing is there in an empty result; all others go to {@code answer}.
   */
  <T> Mono<T> ask(StoreKey key, HttpMethod method, Map<String, String> headers, Answer<T> answer) {
    return client
        .onErrorMap(e -> HttpErrors.of(e, key, base, settings.proxied()))
        .flatMap(
            ready -> new Request<>(ready, key, method, headers, answer).to(base.of(key), 0, false));
  }

  /** Reads what is left of a small body, so that its connection can be used again. */
  static Mono<Void> drained(ByteBufFlux body) {
    return Mono.defer(
        () -> {
          int[] seen = {0};
          return body.map(part -> seen[0] += part.readableBytes())
              .takeUntil(bytes -> bytes > WORTH_DRAINING)
              .then()
              .onErrorComplete();
        });
  }

  private final class Request<T> {
    private final HttpClient client;
    private final StoreKey key;
    private final HttpMethod method;
    private final Map<String, String> headers;
    private final Answer<T> answer;

    Request(
        HttpClient client,
        StoreKey key,
        HttpMethod method,
        Map<String, String> headers,
        Answer<T> answer) {
      this.client = client;
      this.key = key;
      this.method = method;
      this.headers = headers;
      this.answer = answer;
    }

    /** The next step is taken when this answer has ended, so that one request is under way. */
    Mono<T> to(Url url, int redirects, boolean refreshed) {
      return held(url)
          .flatMap(
              held ->
                  sent(url, held, redirects, refreshed)
                      .retryWhen(Retry.max(1).filter(Unanswered.class::isInstance))
                      .onErrorMap(
                          e -> HttpErrors.of(Unanswered.cause(e), key, url, settings.proxied())))
          .flatMap(Function.identity());
    }

    /**
     * Where a cancel comes while the answer is on its way here, the answer is discarded, and with
     * it the only one who knows its connection.
     */
    private Mono<Mono<T>> sent(Url url, Credentials.Held held, int redirects, boolean refreshed) {
      return Mono.defer(
          () -> {
            AtomicBoolean answered = new AtomicBoolean();
            return sender(url, held)
                .request(method)
                .uri(url.forClient())
                .<Mono<T>>response(
                    (response, body) -> {
                      answered.set(true);
                      try {
                        return next(response, body, url, held, redirects, refreshed);
                      } catch (RuntimeException e) {
                        boolean large = Reply.length(response.responseHeaders()) > WORTH_DRAINING;
                        return large ? Mono.error(e) : drained(body).then(Mono.error(e));
                      }
                    })
                .doOnDiscard(Connection.class, Connection::dispose)
                .singleOrEmpty()
                .onErrorMap(e -> !answered.get() && Unanswered.isClosed(e), e -> new Unanswered(e));
          });
    }

    private Mono<Credentials.Held> held(Url url) {
      return credentials
          .get()
          .onErrorMap(
              e -> !(e instanceof ZarrException) && !(e instanceof Error),
              e ->
                  new StoreException("there are no credentials for " + url, HttpErrors.at(key), e));
    }

    /** Nothing that a user gave for one server goes to another. */
    private HttpClient sender(Url url, Credentials.Held held) {
      return client.headers(
          all -> {
            if (url.hasOriginOf(base)) {
              settings.headers().forEach(all::set);
              held.headers().forEach(all::set);
            } else {
              String agent = all.get(HttpHeaderNames.USER_AGENT);
              all.clear();
              if (agent != null) {
                all.set(HttpHeaderNames.USER_AGENT, agent);
              }
            }
            all.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
            headers.forEach(all::set);
          });
    }

    private Publisher<Mono<T>> next(
        HttpClientResponse response,
        ByteBufFlux body,
        Url url,
        Credentials.Held held,
        int redirects,
        boolean refreshed) {
      return switch (response.status().code()) {
        case 301, 302, 303, 307, 308 ->
            drained(body).then(Mono.just(redirected(response, url, redirects, refreshed)));
        case 401 -> {
          boolean again = url.hasOriginOf(base) && credentials.refuse(held) && !refreshed;
          Mono<T> next =
              again ? Mono.defer(() -> to(url, redirects, true)) : refused(response, url);
          yield drained(body).then(Mono.just(next));
        }
        case 403 -> drained(body).then(Mono.just(refused(response, url)));
        case 404, 410 -> drained(body).then(Mono.just(Mono.empty()));
        case 200, 206, 304, 400, 405, 412, 416, 501 ->
            answer.read(response, body, url).map(Mono::just);
        default -> drained(body).then(Mono.just(failed(response, url)));
      };
    }

    private Mono<T> refused(HttpClientResponse response, Url url) {
      return settings.forbiddenIsMissing() ? Mono.empty() : failed(response, url);
    }

    private Mono<T> failed(HttpClientResponse response, Url url) {
      return Mono.error(HttpErrors.status(key, url, response));
    }

    /** To the same path with a slash: that is a directory, and no value. */
    private Mono<T> redirected(
        HttpClientResponse response, Url url, int redirects, boolean refreshed) {
      Url target = target(response.responseHeaders(), url);
      if (target == null) {
        return violation(url, "answered " + HttpErrors.shown(response) + " to no URL");
      }
      if (target.isDirectoryOf(url)) {
        return Mono.empty();
      }
      if (!settings.followRedirects()) {
        return violation(url, "leads to " + target + ", and redirects are not followed");
      }
      if (redirects == MOST_REDIRECTS) {
        return violation(url, "is one redirect more than " + MOST_REDIRECTS);
      }
      if (url.scheme().equals("https") && target.scheme().equals("http")) {
        return violation(url, "leads to " + target + ", which is not encrypted");
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
      return Mono.error(Refusal.violation(key, url.toString(), statement));
    }
  }
}
