package dev.zarrreactive.internal.service;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.http.Url;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request to a service.
 *
 * @param at the place of its errors
 * @param shown what it is for, for messages; without secrets
 * @param headers beside those that all requests have, in lower case
 * @param content the pieces of its body; null for a request that changes nothing and may be sent
 *     again
 */
public record ServiceRequest(
    HttpMethod method,
    Url url,
    Location at,
    String shown,
    Map<String, String> headers,
    @Nullable List<Bytes> content) {

  /** Returns the size of the body; 0 for none. */
  public long length() {
    return content == null ? 0 : content.stream().mapToLong(Bytes::size).sum();
  }

  /** Returns this request with a query, or with more of one. */
  public ServiceRequest withQuery(String query) {
    return new ServiceRequest(method, url.withQuery(query), at, shown, headers, content);
  }

  /** Returns this request with other headers. */
  public ServiceRequest withHeaders(Map<String, String> headers) {
    return new ServiceRequest(method, url, at, shown, headers, content);
  }
}
