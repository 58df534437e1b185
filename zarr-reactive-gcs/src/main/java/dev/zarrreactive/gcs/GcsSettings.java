package dev.zarrreactive.gcs;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.http.Url;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the requests of one store.
 *
 * @param endpoint the server, without a path
 * @param prefix empty, or ends with a slash
 * @param userProject the project that pays for requests; null for that of the bucket
 * @param partSize of an upload, a multiple of 256 KiB
 */
record GcsSettings(
    Url endpoint,
    String bucket,
    String prefix,
    @Nullable String userProject,
    boolean forbiddenIsMissing,
    boolean proxied,
    Duration stallTimeout,
    int resumes,
    int partSize) {

  /** Returns the name of the object with the value at {@code key}. */
  String object(StoreKey key) {
    return prefix + key.value();
  }

  /** Returns the prefix of the names of all objects below {@code below}. */
  String objects(StorePrefix below) {
    return prefix + below.value();
  }

  /** Returns the URL of the bucket, with a query. */
  Url bucket(String query) {
    return new Url(endpoint.scheme(), endpoint.authority(), path(), query);
  }

  /** Returns the URL of the value at {@code key}. */
  Url url(StoreKey key) {
    return new Url(
        endpoint.scheme(), endpoint.authority(), path() + "/" + encoded(object(key)), null);
  }

  private String path() {
    return endpoint.path() + "/" + bucket;
  }

  /**
   * Encodes a name. Clients and proxies may change empty segments, and segments of dots: the
   * slashes of such a name are encoded, too.
   */
  private static String encoded(String object) {
    String path = "/" + object + "/";
    boolean isOdd = path.contains("//") || path.contains("/./") || path.contains("/../");
    String encoded = Url.encode(object);
    return isOdd ? encoded.replace("/", "%2F") : encoded;
  }

  /** Returns the URL of a value, for messages. */
  String shown(StoreKey key) {
    return "gs://" + bucket + "/" + object(key);
  }

  /** Returns the URL of a prefix, for messages. */
  String shown(StorePrefix below) {
    return "gs://" + bucket + "/" + objects(below);
  }

  static Location at(StoreKey key) {
    return Location.ofKey(key.value());
  }

  static Location at(StorePrefix below) {
    return below.value().isEmpty() ? Location.UNKNOWN : Location.ofKey(below.value());
  }
}
