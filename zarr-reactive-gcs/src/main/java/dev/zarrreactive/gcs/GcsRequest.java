package dev.zarrreactive.gcs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.http.Url;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request of the XML API.
 *
 * @param at the place of its errors
 * @param shown what it is for, for messages; without secrets
 * @param headers beside those that all requests have
 * @param content the pieces of its body; null for a request that changes nothing and may be sent
 *     again
 */
record GcsRequest(
    HttpMethod method,
    Url url,
    Location at,
    String shown,
    Map<String, String> headers,
    @Nullable List<Bytes> content) {
  /** The condition on the generation of an object; 0 for one that is missing. */
  static final String IF_GENERATION = "x-goog-if-generation-match";

  /** Returns a request without a body that changes nothing. */
  static GcsRequest read(
      HttpMethod method, Url url, Location at, String shown, Map<String, String> headers) {
    return new GcsRequest(method, url, at, shown, headers, null);
  }

  /** Returns a request that changes something. */
  static GcsRequest change(
      HttpMethod method,
      Url url,
      Location at,
      String shown,
      Map<String, String> headers,
      List<Bytes> content) {
    return new GcsRequest(method, url, at, shown, headers, content);
  }
}
