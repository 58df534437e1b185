package dev.zarrreactive.internal.service;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectNames;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The settings of the requests of one store.
 *
 * @param endpoint the server; its path may name an account
 * @param container the bucket, or the container
 * @param partSize of an upload in parts, and of the largest value in one request
 */
public record ServiceSettings(
    Url endpoint,
    String container,
    ObjectNames names,
    boolean forbiddenIsMissing,
    boolean proxied,
    Duration stallTimeout,
    int resumes,
    int partSize) {

  /** Returns the URL of the container, with a query. */
  public Url container(String query) {
    return new Url(endpoint.scheme(), endpoint.authority(), path(), query);
  }

  /** Returns the URL of the value at {@code key}. */
  public Url url(StoreKey key) {
    return object(names.object(key));
  }

  /** Returns the URL of an object. */
  public Url object(String name) {
    return new Url(endpoint.scheme(), endpoint.authority(), path() + "/" + encoded(name), null);
  }

  private String path() {
    return endpoint.path() + "/" + Url.encode(container);
  }

  /**
   * Encodes a name. Clients and proxies may change empty segments, and segments of dots: the
   * slashes of such a name are encoded, too.
   */
  private static String encoded(String name) {
    String path = "/" + name + "/";
    boolean isOdd = path.contains("//") || path.contains("/./") || path.contains("/../");
    String encoded = Url.encode(name);
    return isOdd ? encoded.replace("/", "%2F") : encoded;
  }

  /** Returns a request of a value that changes nothing. */
  public ServiceRequest read(HttpMethod method, StoreKey key, Map<String, String> headers) {
    return new ServiceRequest(method, url(key), ObjectNames.at(key), names.url(key), headers, null);
  }

  /** Returns a request of the container that changes nothing. */
  public ServiceRequest list(StorePrefix prefix, String query) {
    return new ServiceRequest(
        HttpMethod.GET,
        container(query),
        ObjectNames.at(prefix),
        names.url(prefix),
        Map.of(),
        null);
  }

  /** Returns a request that changes a value. */
  public ServiceRequest change(
      HttpMethod method, StoreKey key, Map<String, String> headers, List<Bytes> content) {
    return new ServiceRequest(
        method, url(key), ObjectNames.at(key), names.url(key), headers, content);
  }
}
