package dev.zarrreactive.http;

import dev.zarrreactive.internal.transfer.ClosedConnection;
import java.io.Serial;
import java.nio.channels.NotYetConnectedException;
import reactor.core.Exceptions;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.PrematureCloseException;

/**
 * A connection was closed or reset before a response. The server closed an idle connection, or the
 * client closed it for a cancelled request whose response had just ended. A GET or HEAD may be sent
 * again over another connection.
 */
final class NoResponseException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  NoResponseException(Throwable closed) {
    super(null, closed, false, false);
  }

  /** Returns true for an error that means so. */
  static boolean isClosed(Throwable error) {
    return error instanceof PrematureCloseException
        || error instanceof AbortedException
        || error instanceof NotYetConnectedException
        || ClosedConnection.isSaidBy(error);
  }

  /** Returns the cause of a {@code NoResponseException}; every other error itself. */
  static Throwable cause(Throwable error) {
    Throwable last = Exceptions.isRetryExhausted(error) ? error.getCause() : error;
    Throwable cause = last instanceof NoResponseException ? last.getCause() : error;
    return cause == null ? error : cause;
  }
}
