package dev.zarrreactive.store;

import dev.zarrreactive.spi.Spi;
import java.net.URI;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens stores by their URL. Found by {@link java.util.ServiceLoader}: a module names its provider
 * in {@code META-INF/services/dev.zarrreactive.store.StoreProvider}.
 */
@Spi
public interface StoreProvider {
  /** The schemes of the URLs that this provider opens, in lower case, such as {@code s3}. */
  Set<String> schemes();

  /**
   * Returns true for a URL of a scheme of another provider that this one opens in its place, such
   * as the URL of a cloud's host, which lists and writes where a web server only reads.
   */
  default boolean prefers(URI uri) {
    return false;
  }

  /**
   * The store at {@code uri}, for each subscription a store of its own, which the subscriber
   * closes. Stores of one server and equal options should share their connections: the last closed
   * store closes them. Idle connections close by themselves after a while, since the short forms of
   * {@code Zarr.open} leave their stores open. Must not block. An invalid URL or option is an
   * {@link IllegalArgumentException}, through {@code onError}; its message shows no secret.
   */
  Mono<Store> open(URI uri, StoreOptions options);
}
