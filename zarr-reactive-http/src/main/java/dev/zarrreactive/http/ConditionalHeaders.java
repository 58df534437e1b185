package dev.zarrreactive.http;

import dev.zarrreactive.internal.transfer.RangeRequest;
import dev.zarrreactive.store.Version;
import java.util.LinkedHashMap;
import java.util.Map;

/** The headers of a request for a range and on a condition. A version is an ETag here. */
final class ConditionalHeaders {
  private ConditionalHeaders() {}

  /** Returns true for an ETag that values with other bytes may share. */
  static boolean isWeak(String tag) {
    return tag.startsWith("W/");
  }

  /**
   * Returns the headers of a request. The rest of a body is asked for by {@code If-Range}, which
   * answers with the whole new value after a change. No weak tag ever matches in {@code If-Match}.
   */
  static Map<String, String> of(RangeRequest request) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (request.range() != null) {
      headers.put("range", request.range());
    }
    Version required = request.condition().required();
    Version known = request.condition().known();
    if (required != null && !isWeak(required.tag())) {
      headers.put(request.resumes() ? "if-range" : "if-match", required.tag());
    }
    if (known != null) {
      headers.put("if-none-match", known.tag());
    }
    return headers;
  }
}
