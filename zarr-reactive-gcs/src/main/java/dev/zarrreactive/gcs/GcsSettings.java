package dev.zarrreactive.gcs;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectNames;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the requests of one store.
 *
 * @param endpoint the server
 * @param userProject the project that pays for requests; null for that of the bucket
 * @param partSize of an upload, a multiple of 256 KiB
 */
record GcsSettings(
    Url endpoint,
    String bucket,
    ObjectNames names,
    @Nullable String userProject,
    boolean forbiddenIsMissing,
    boolean proxied,
    Duration stallTimeout,
    int resumes,
    int partSize) {

  /** Returns the URL of the bucket, with a query. */
  Url bucket(String query) {
    return new Url(endpoint.scheme(), endpoint.authority(), path(), query);
  }

  /** Returns the URL of the value at {@code key}. */
  Url url(StoreKey key) {
    String path = path() + "/" + encoded(names.object(key));
    return new Url(endpoint.scheme(), endpoint.authority(), path, null);
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
}
