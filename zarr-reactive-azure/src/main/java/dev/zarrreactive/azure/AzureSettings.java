package dev.zarrreactive.azure;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectNames;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The settings of the requests of one store.
 *
 * @param endpoint the server; of an emulator with the account as its path
 * @param partSize of an upload in blocks, and of the largest value in one request
 */
record AzureSettings(
    Url endpoint,
    String container,
    ObjectNames names,
    boolean forbiddenIsMissing,
    boolean proxied,
    Duration stallTimeout,
    int resumes,
    int partSize) {

  /** Returns the URL of the container, with a query. */
  Url container(String query) {
    return new Url(endpoint.scheme(), endpoint.authority(), path(), query);
  }

  /** Returns the URL of the value at {@code key}. */
  Url url(StoreKey key) {
    return blob(names.object(key));
  }

  /** Returns the URL of a blob. */
  Url blob(String name) {
    return new Url(endpoint.scheme(), endpoint.authority(), path() + "/" + path(name), null);
  }

  private String path() {
    return endpoint.path() + "/" + Url.encode(container);
  }

  /**
   * Encodes a name. Clients and proxies may change empty segments, and segments of dots: the
   * slashes of such a name are encoded, too.
   */
  private static String path(String name) {
    String path = "/" + name + "/";
    boolean isOdd = path.contains("//") || path.contains("/./") || path.contains("/../");
    String encoded = Url.encode(name);
    return isOdd ? encoded.replace("/", "%2F") : encoded;
  }

  /** Encodes the value of a parameter of a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
