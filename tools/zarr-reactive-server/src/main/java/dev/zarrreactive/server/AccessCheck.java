package dev.zarrreactive.server;

import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Decides which requests a server answers. It is asked once for each request, before the store is,
 * except for a preflight of CORS, which browsers send without credentials.
 */
@FunctionalInterface
public interface AccessCheck {
  /**
   * Decides on one request. The result must not block. An empty one refuses the request; an error
   * is answered as an error of the server.
   *
   * @param method for example {@code GET}
   * @param path decoded, with a leading slash, and without the query; below the server's path
   * @param headers of the request; read only
   */
  Mono<Decision> decide(String method, String path, HttpHeaders headers);

  /**
   * A decision.
   *
   * @param status 0 for a request that is answered, or 401 or 403
   * @param challenge the header {@code WWW-Authenticate} of a 401; null otherwise
   */
  record Decision(int status, @Nullable String challenge) {
    /** The request is answered. */
    public static final Decision ALLOWED = new Decision(0, null);

    /** The request is refused with 403: other credentials would not help. */
    public static final Decision FORBIDDEN = new Decision(403, null);

    /**
     * Returns the refusal of a request without valid credentials, with 401.
     *
     * @param challenge the header {@code WWW-Authenticate}, such as {@code Bearer}
     */
    public static Decision unauthenticated(String challenge) {
      return new Decision(401, challenge);
    }
  }
}
