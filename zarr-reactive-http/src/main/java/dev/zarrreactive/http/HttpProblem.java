package dev.zarrreactive.http;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a server of HTTP to an error: a status, a text for its client, and the delay before
 * another attempt. The one table of the servers of this library; a server of one's own may use it,
 * too.
 *
 * <p>A status of 404 means that the store has said so; every failed request is 5xx. The message of
 * a store's error stays on the server: it may name directories, buckets and URLs of its own.
 * Messages about metadata and chunks are shown, with their place in the hierarchy.
 *
 * @param status of HTTP, from 400 to 599
 * @param detail one sentence without names of the store or secrets
 * @param retryAfter the delay that the store asks for; null where it asks for none
 */
public record HttpProblem(int status, String detail, @Nullable Duration retryAfter) {
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int INTERNAL_ERROR = 500;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int BAD_GATEWAY = 502;
  private static final int UNAVAILABLE = 503;

  /** Returns the answer to an error of a node, a chunk or the store. */
  public static HttpProblem of(ZarrException error) {
    if (error instanceof TransientStoreException later) {
      return new HttpProblem(
          UNAVAILABLE, "the store failed; it may succeed later", later.retryAfter());
    } else if (error instanceof PreconditionFailedException) {
      return of(UNAVAILABLE, "the value changes again and again");
    } else if (error instanceof MemoryExhaustedException) {
      return of(UNAVAILABLE, "the server has no memory for this now");
    } else if (error instanceof AccessDeniedException) {
      return of(FORBIDDEN, "the store denies access to this");
    } else if (error instanceof StoreCapabilityException) {
      return of(NOT_IMPLEMENTED, "the store behind this server cannot do that");
    } else if (error instanceof StoreException) {
      return of(BAD_GATEWAY, "the store failed");
    } else if (error instanceof NodeNotFoundException) {
      return of(NOT_FOUND, "no array or group is here");
    } else if (error.getCause() instanceof InvalidInputException) {
      return of(BAD_REQUEST, error.statement()); // elements that a client has sent
    }
    boolean isUnsupported =
        error instanceof UnsupportedFeatureException || error instanceof UnknownExtensionException;
    return of(
        isUnsupported ? NOT_IMPLEMENTED : INTERNAL_ERROR,
        error.statement() + " (" + error.location() + ")");
  }

  /** Returns the answer to what a client has asked for or sent and does not fit. */
  public static HttpProblem of(InvalidInputException error) {
    return of(BAD_REQUEST, String.valueOf(error.getMessage()));
  }

  private static HttpProblem of(int status, String detail) {
    return new HttpProblem(status, detail, null);
  }

  /** True if the same request may succeed later, with the status 503. */
  public boolean isTemporary() {
    return status == UNAVAILABLE;
  }
}
