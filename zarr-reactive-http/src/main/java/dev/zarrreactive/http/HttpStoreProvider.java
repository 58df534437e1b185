package dev.zarrreactive.http;

import dev.zarrreactive.internal.transfer.UrlOptions;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens {@code http:} and {@code https:} URLs with retries and an adaptive limit, of at most as
 * many requests as connections (256 over HTTP/2). The options, which are text, are {@code
 * header.NAME}, {@code bearer-token}, {@code credentials} (the name of a source, whose settings are
 * {@code credentials.KEY}), {@code proxy} (a URL), {@code http2}, {@code follow-redirects}, {@code
 * forbidden-is-missing}, {@code pages-are-missing} and {@code retry} ({@code true} or {@code
 * false}), {@code connections}, {@code resumes}, {@code least-speed} and {@code max-header-size}
 * (numbers), {@code connect-timeout}, {@code idle-timeout} and {@code stall-timeout} (such as
 * {@code PT30S}). {@link HttpStoreBuilder} explains them. The class is public for {@link
 * java.util.ServiceLoader} only.
 */
public final class HttpStoreProvider implements StoreProvider {
  private static final UrlOptions<HttpStoreBuilder> OPTIONS =
      new UrlOptions<HttpStoreBuilder>("a store over HTTP")
          .texts("header.", "NAME", HttpStoreBuilder::header)
          .text("bearer-token", HttpStoreBuilder::bearerToken)
          .text("proxy", (builder, url) -> builder.proxy(Stores.uri(url)))
          .credentials(HttpStoreBuilder::credentials)
          .tls(HttpStoreBuilder::material)
          .flag("http2", HttpStoreBuilder::http2)
          .flag("follow-redirects", HttpStoreBuilder::followRedirects)
          .flag("forbidden-is-missing", HttpStoreBuilder::forbiddenIsMissing)
          .flag("pages-are-missing", HttpStoreBuilder::pagesAreMissing)
          .number("connections", HttpStoreBuilder::connections)
          .number("resumes", HttpStoreBuilder::resumes)
          .number("least-speed", HttpStoreBuilder::leastSpeed)
          .number("max-header-size", HttpStoreBuilder::maxHeaderSize)
          .duration("connect-timeout", HttpStoreBuilder::connectTimeout)
          .duration("idle-timeout", HttpStoreBuilder::idleTimeout)
          .duration("stall-timeout", HttpStoreBuilder::stallTimeout);

  /** Called by {@link java.util.ServiceLoader}. */
  public HttpStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("http", "https");
  }

  /**
   * {@inheritDoc}
   *
   * <p>Stores of one server with equal options share at most {@code connections} connections, which
   * close after {@code idle-timeout} without a request.
   */
  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return OPTIONS.open(uri, options, HttpStore::at, builder -> builder.shared(options));
  }
}
