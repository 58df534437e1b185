package dev.zarrreactive.internal.http;

import dev.zarrreactive.internal.transfer.ClosedConnection;
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
        || ClosedConnection.isSaidBy(error);
  }
}
