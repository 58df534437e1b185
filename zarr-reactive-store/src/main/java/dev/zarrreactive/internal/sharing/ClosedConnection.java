package dev.zarrreactive.internal.sharing;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;

/**
 * Recognizes the errors of a connection that has ended. A read without a response may then be sent
 * again over another connection (RFC 9110, section 9.2.2).
 */
public final class ClosedConnection {
  private ClosedConnection() {}

  /** Returns true for the errors of the JDK and Netty for a connection that was closed or reset. */
  public static boolean isSaidBy(Throwable error) {
    return error instanceof ClosedChannelException
        || (error instanceof IOException
            && (says(error, "Connection reset") || says(error, "Broken pipe")));
  }

  private static boolean says(Throwable error, String words) {
    return String.valueOf(error.getMessage()).contains(words);
  }
}
