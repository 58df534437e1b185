package dev.zarrreactive.http;

import dev.zarrreactive.internal.transfer.ClosedConnection;
import java.io.Serial;
import java.nio.channels.NotYetConnectedException;
import reactor.core.Exceptions;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.PrematureCloseException;

/**
 * A connection was closed or reset before any answer: by the server, which had been idle for too
 * long, or since the request before on the same connection was cancelled when its answer had just
 * come. A GET or HEAD may be sent again over another.
 */
final class Unanswered extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  Unanswered(Throwable closed) {
    super(null, closed, false, false);
  }

  /** True where an error means that. */
  static boolean isClosed(Throwable error) {
    return error instanceof PrematureCloseException
        || error instanceof AbortedException
        || error instanceof NotYetConnectedException
        || ClosedConnection.isSaidBy(error);
  }

  /** What happened to the connection, where it is this; else the error itself. */
  static Throwable cause(Throwable error) {
    Throwable last = Exceptions.isRetryExhausted(error) ? error.getCause() : error;
    Throwable cause = last instanceof Unanswered ? last.getCause() : error;
    return cause == null ? error : cause;
  }
}
