package dev.zarrreactive.internal.http;

import dev.zarrreactive.internal.sharing.ClosedConnection;
import java.io.IOException;
import java.nio.channels.NotYetConnectedException;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.PrematureCloseException;

/**
 * A connection that was closed or reset before a response. The server closed an idle connection, or
 * the client closed it for a cancelled request whose response had just ended. A GET or HEAD may be
 * sent again over another connection.
 */
final class ClosedUnanswered {
  private ClosedUnanswered() {}

  /** Returns true for an error that means so, where no response has begun. */
  static boolean isSaidBy(Throwable error) {
    return error instanceof PrematureCloseException
        || error instanceof AbortedException
        || error instanceof NotYetConnectedException
        || isOfPool(error)
        || ClosedConnection.isSaidBy(error);
  }

  /** Returns true where the pool has offered closed connections only; no request was written. */
  private static boolean isOfPool(Throwable error) {
    return error instanceof IOException
        && String.valueOf(error.getMessage()).startsWith("Error while acquiring from ");
  }
}
