package dev.zarrreactive.azure;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request of the REST API.
 *
 * @param at the place of its errors
 * @param shown what it is for, for messages; without secrets
 * @param headers beside those that all requests have, in lower case
 * @param content the pieces of its body; null for a request that changes nothing and may be sent
 *     again
 */
record AzureRequest(
    HttpMethod method,
    Url url,
    Location at,
    String shown,
    Map<String, String> headers,
    @Nullable List<Bytes> content) {

  /** Returns a request of a value that changes nothing. */
  static AzureRequest read(
      AzureSettings settings, HttpMethod method, StoreKey key, Map<String, String> headers) {
    return new AzureRequest(
        method, settings.url(key), ObjectNames.at(key), settings.names().url(key), headers, null);
  }

  /** Returns a request of the container that changes nothing. */
  static AzureRequest list(AzureSettings settings, StorePrefix prefix, String query) {
    return new AzureRequest(
        HttpMethod.GET,
        settings.container(query),
        ObjectNames.at(prefix),
        settings.names().url(prefix),
        Map.of(),
        null);
  }

  /** Returns a request that changes a value. */
  static AzureRequest change(
      AzureSettings settings,
      HttpMethod method,
      StoreKey key,
      @Nullable String query,
      Map<String, String> headers,
      List<Bytes> content) {
    Url url = settings.url(key);
    return new AzureRequest(
        method,
        query == null ? url : url.withQuery(query),
        ObjectNames.at(key),
        settings.names().url(key),
        headers,
        content);
  }

  /** Returns the size of the body; 0 for none. */
  long length() {
    return content == null ? 0 : content.stream().mapToLong(Bytes::size).sum();
  }
}
