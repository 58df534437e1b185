package dev.zarrreactive.http;

import dev.zarrreactive.internal.transfer.ValueRequests;
import dev.zarrreactive.store.Version;
import java.util.LinkedHashMap;
import java.util.Map;

/** The headers of a request for a range and on a condition. A version is an ETag here. */
final class ConditionalHeaders {
  private ConditionalHeaders() {}

  /**
   * Returns the headers of a request. The rest of a body is asked for by {@code If-Range}, which
   * answers with the whole new value after a change. No weak tag ever matches in {@code If-Match}.
   */
  static Map<String, String> of(ValueRequests.Get request) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (request.range() != null) {
      headers.put("range", request.range());
    }
    Version required = request.condition().required();
    Version known = request.condition().known();
    if (required != null && !required.tag().startsWith("W/")) {
      headers.put(request.resumes() ? "if-range" : "if-match", required.tag());
    }
    if (known != null) {
      headers.put("if-none-match", known.tag());
    }
    return headers;
  }
}
