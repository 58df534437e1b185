package dev.zarrreactive.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The headers by which a browser lets pages of other origins read (CORS).
 *
 * @param origins the origins that may; {@code *} for all
 */
record CrossOrigin(Set<String> origins) {
  private static final String ANY = "*";
  static final String METHODS = "GET, HEAD, OPTIONS";
  private static final String EXPOSED =
      "Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After, Zarr-Data-Type, Zarr-Shape";
  private static final String ACCEPTED =
      "Accept, Authorization, Cache-Control, If-Match, If-None-Match, If-Range, Range";
  private static final String NAMES = "[A-Za-z0-9_.!#$%&'*+^`|~, -]{1,1000}";

  /** Adds the headers of a response. */
  Reply addTo(Reply reply, HttpHeaders request) {
    String allowed = allowed(request.get(HttpHeaderNames.ORIGIN));
    if (!origins.contains(ANY) && !origins.isEmpty()) {
      reply.headers().add(HttpHeaderNames.VARY, HttpHeaderNames.ORIGIN);
    }
    if (allowed != null) {
      reply.with(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
      reply.with(HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
    return reply;
  }

  /** Answers OPTIONS: a preflight, or the question which methods there are. */
  Reply options(HttpHeaders request) {
    Reply reply = Reply.of(204).with(HttpHeaderNames.ALLOW, METHODS);
    boolean isPreflight = request.contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD);
    if (isPreflight && allowed(request.get(HttpHeaderNames.ORIGIN)) != null) {
      String asked = request.get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_HEADERS);
      reply
          .with(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
          .with(
              HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS,
              asked != null && asked.matches(NAMES) ? asked : ACCEPTED)
          .with(HttpHeaderNames.ACCESS_CONTROL_MAX_AGE, "86400");
    }
    return reply;
  }

  private @Nullable String allowed(@Nullable String origin) {
    if (origins.contains(ANY)) {
      return ANY;
    }
    return origin != null && origins.contains(origin) ? origin : null;
  }
}
