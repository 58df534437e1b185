package dev.zarrreactive.server;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.http.HttpProblem;
import dev.zarrreactive.json.JsonObject;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A response about an error, as a problem document (RFC 9457). {@link HttpProblem} decides about
 * errors of the store and of nodes.
 */
final class Problem {
  private static final String MEDIA_TYPE = "application/problem+json";

  private Problem() {}

  /** The store has said that nothing is at the path of a request. */
  static final class MissingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MissingException() {
      super("nothing is here", null, false, false);
    }
  }

  /** A request for too much, for what the store cannot do, or at a busy time. */
  static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    RefusedException(int status, String message) {
      super(message, null, false, false);
      this.status = status;
    }
  }

  /**
   * Returns a response.
   *
   * @param path of the request; null where it could not be read
   */
  static Reply of(int status, @Nullable String path, String detail) {
    JsonObject document =
        JsonObject.EMPTY
            .with("title", HttpResponseStatus.valueOf(status).reasonPhrase())
            .with("status", status)
            .with("detail", detail);
    if (path != null) {
      document = document.with("instance", instance(path));
    }
    byte[] bytes = document.toString().getBytes(StandardCharsets.UTF_8);
    return Reply.of(status, MEDIA_TYPE, bytes).with(HttpHeaderNames.CACHE_CONTROL, "no-store");
  }

  /** Returns a path as the reference to a URI that it is in a problem. */
  private static String instance(String path) {
    return Arrays.stream(path.split("/", -1))
        .map(DirectoryListing::encoded)
        .collect(Collectors.joining("/", "/", ""));
  }

  /** Returns the response to a request that is refused, which tells nothing of what is there. */
  static Reply denied(@Nullable String path) {
    return of(403, path, "access to this is denied");
  }

  /** Returns a response that asks for another attempt. */
  static Reply unavailable(String path, String detail, Duration retryAfter) {
    long seconds = Math.max(1, retryAfter.plusMillis(999).toSeconds());
    return of(503, path, detail).with(HttpHeaderNames.RETRY_AFTER, Long.toString(seconds));
  }

  /** Returns the response for an error of a store, an array or this server. */
  static Reply of(Throwable error, String path, Duration retryAfter) {
    if (error instanceof BadRequestException) {
      return of(400, path, String.valueOf(error.getMessage()));
    } else if (error instanceof RefusedException refused) {
      String detail = String.valueOf(refused.getMessage());
      return refused.status == 503
          ? unavailable(path, detail, retryAfter)
          : of(refused.status, path, detail);
    } else if (error instanceof MissingException) {
      return of(404, path, "nothing is here");
    } else if (error instanceof ZarrException known) {
      HttpProblem problem = HttpProblem.of(known);
      Duration asked = problem.retryAfter();
      return problem.isTemporary()
          ? unavailable(path, problem.detail(), asked == null ? retryAfter : asked)
          : of(problem.status(), path, problem.detail());
    }
    return of(500, path, "an internal error");
  }
}
