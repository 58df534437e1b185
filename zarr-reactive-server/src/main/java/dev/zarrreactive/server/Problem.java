package dev.zarrreactive.server;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonText;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A response about an error, as a problem document (RFC 9457). The message of a store's error stays
 * on the server: it may name directories, buckets and URLs of its own.
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
      document = document.with("instance", "/" + path);
    }
    byte[] bytes = JsonText.write(document).getBytes(StandardCharsets.UTF_8);
    return Reply.of(status, MEDIA_TYPE, bytes).with(HttpHeaderNames.CACHE_CONTROL, "no-store");
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
    } else if (error instanceof BusyException) {
      return unavailable(path, String.valueOf(error.getMessage()), retryAfter);
    } else if (error instanceof MissingException) {
      return of(404, path, "nothing is here");
    } else if (error instanceof TransientStoreException later) {
      Duration asked = later.retryAfter();
      return unavailable(
          path, "the store failed; it may succeed later", asked == null ? retryAfter : asked);
    } else if (error instanceof PreconditionFailedException) {
      return unavailable(path, "the value changes again and again", retryAfter);
    } else if (error instanceof MemoryExhaustedException) {
      return unavailable(path, "the server has no memory for this now", retryAfter);
    } else if (error instanceof AccessDeniedException) {
      return of(403, path, "the store denies access to this");
    } else if (error instanceof StoreCapabilityException) {
      return of(501, path, "the store behind this server cannot do that");
    } else if (error instanceof StoreException) {
      return of(502, path, "the store failed");
    } else if (error instanceof NodeNotFoundException) {
      return of(404, path, "no array or group is here");
    } else if (error instanceof UnsupportedFeatureException
        || error instanceof UnknownExtensionException) {
      return of(501, path, text((ZarrException) error));
    }
    return of(500, path, error instanceof ZarrException known ? text(known) : "an internal error");
  }

  /** Returns the message of an error about metadata or chunks, with its place. */
  private static String text(ZarrException error) {
    return error.statement() + " (" + error.location() + ")";
  }
}
