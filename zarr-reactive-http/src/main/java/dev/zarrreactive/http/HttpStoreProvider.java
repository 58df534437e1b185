package dev.zarrreactive.http;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.StoreStack;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens {@code http:} and {@code https:} URLs with retries and an adaptive limit, of at most as
 * many requests as connections (256 over HTTP/2). The options, which are text, are {@code
 * header.NAME}, {@code bearer-token}, {@code proxy} (a URL), {@code http2}, {@code
 * follow-redirects}, {@code forbidden-is-missing}, {@code pages-are-missing} and {@code retry}
 * ({@code true} or {@code false}), {@code connections}, {@code resumes}, {@code least-speed} and
 * {@code max-header-size} (numbers), {@code connect-timeout}, {@code idle-timeout} and {@code
 * stall-timeout} (such as {@code PT30S}). {@link HttpStoreBuilder} explains them. The class is
 * public for {@link java.util.ServiceLoader} only.
 */
public final class HttpStoreProvider implements StoreProvider {
  private static final String HEADER = "header.";

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
    return Mono.fromSupplier(
        () -> {
          HttpStoreBuilder builder = HttpStore.at(uri);
          boolean retry = true;
          for (String name : options.names()) {
            if (name.equals("retry")) {
              retry = options.isTrue(name);
            } else {
              set(builder, name, options);
            }
          }
          StoreStack stack = builder.shared(options);
          return (retry ? stack.retry(RetryOptions.defaults()) : stack).build();
        });
  }

  private static void set(HttpStoreBuilder builder, String name, StoreOptions options) {
    switch (name) {
      case "bearer-token" -> builder.bearerToken(Mono.just(options.text(name)));
      case "proxy" -> builder.proxy(Stores.uri(options.text(name)));
      case "http2" -> builder.http2(options.isTrue(name));
      case "follow-redirects" -> builder.followRedirects(options.isTrue(name));
      case "forbidden-is-missing" -> builder.forbiddenIsMissing(options.isTrue(name));
      case "pages-are-missing" -> builder.pagesAreMissing(options.isTrue(name));
      case "connections" -> builder.connections(options.number(name));
      case "least-speed" -> builder.leastSpeed(options.number(name));
      case "max-header-size" -> builder.maxHeaderSize(options.number(name));
      case "resumes" -> builder.resumes(options.number(name));
      case "connect-timeout" -> builder.connectTimeout(options.duration(name));
      case "idle-timeout" -> builder.idleTimeout(options.duration(name));
      case "stall-timeout" -> builder.stallTimeout(options.duration(name));
      default -> {
        if (!name.startsWith(HEADER) || name.length() == HEADER.length()) {
          throw new IllegalArgumentException(
              "not an option of a store over HTTP: "
                  + name
                  + "; the options are header.NAME, bearer-token, proxy, http2, follow-redirects,"
                  + " forbidden-is-missing, pages-are-missing, retry, connections, resumes, least-speed,"
                  + " max-header-size, connect-timeout, idle-timeout and stall-timeout");
        }
        builder.header(name.substring(HEADER.length()), options.text(name));
      }
    }
  }
}
