package dev.zarrreactive.internal.transfer;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;

/**
 * Errors that say that a connection has ended: where that was before any answer, the same read may
 * be asked for over another (RFC 9110, section 9.2.2).
 */
public final class ClosedConnection {
  private ClosedConnection() {}

  /** True for a connection that was closed or reset, as the JDK and Netty say it. */
  public static boolean isSaidBy(Throwable error) {
    return error instanceof ClosedChannelException
        || (error instanceof IOException
            && (says(error, "Connection reset") || says(error, "Broken pipe")));
  }

  private static boolean says(Throwable error, String words) {
    return String.valueOf(error.getMessage()).contains(words);
  }
}
