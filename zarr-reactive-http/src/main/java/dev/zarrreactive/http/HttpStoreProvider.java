package dev.zarrreactive.http;

import dev.zarrreactive.store.RetryOptions;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.Stores;
import java.net.URI;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens {@code http:} and {@code https:} URLs, with retries. Options, all of them texts: {@code
 * header.NAME}, {@code bearer-token}, {@code proxy} (a URL), {@code http2}, {@code
 * follow-redirects}, {@code forbidden-is-missing} and {@code retry} ({@code true} or {@code
 * false}), {@code connections} and {@code resumes} (numbers), {@code connect-timeout} and {@code
 * stall-timeout} (such as {@code PT30S}). They are those of {@link HttpStoreBuilder}. Public for
 * {@link java.util.ServiceLoader} only.
 */
public final class HttpStoreProvider implements StoreProvider {
  private static final String HEADER = "header.";

  /** Called by {@link java.util.ServiceLoader}. */
  public HttpStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("http", "https");
  }

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
          HttpStore store = builder.build();
          return retry ? Stores.retrying(store, RetryOptions.defaults()) : store;
        });
  }

  private static void set(HttpStoreBuilder builder, String name, StoreOptions options) {
    switch (name) {
      case "bearer-token" -> builder.bearerToken(Mono.just(options.text(name)));
      case "proxy" -> builder.proxy(Stores.uri(options.text(name)));
      case "http2" -> builder.http2(options.isTrue(name));
      case "follow-redirects" -> builder.followRedirects(options.isTrue(name));
      case "forbidden-is-missing" -> builder.forbiddenIsMissing(options.isTrue(name));
      case "connections" -> builder.connections(options.number(name));
      case "resumes" -> builder.resumes(options.number(name));
      case "connect-timeout" -> builder.connectTimeout(options.duration(name));
      case "stall-timeout" -> builder.stallTimeout(options.duration(name));
      default -> {
        if (!name.startsWith(HEADER) || name.length() == HEADER.length()) {
          throw new IllegalArgumentException(
              "no option of a store over HTTP: "
                  + name
                  + "; there are header.NAME, bearer-token, proxy, http2, follow-redirects,"
                  + " forbidden-is-missing, retry, connections, resumes, connect-timeout and"
                  + " stall-timeout");
        }
        builder.header(name.substring(HEADER.length()), options.text(name));
      }
    }
  }
}
