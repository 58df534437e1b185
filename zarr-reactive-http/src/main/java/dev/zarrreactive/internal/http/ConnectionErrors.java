package dev.zarrreactive.internal.http;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.sharing.ClosedConnection;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import io.netty.channel.ChannelException;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.timeout.TimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import reactor.core.Exceptions;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.PrematureCloseException;

/** Maps the failures of connections, and of the requests on them, to the errors of a store. */
public final class ConnectionErrors {
  /** The status of a proxy in a message of Netty. */
  private static final Pattern PROXY_STATUS = Pattern.compile("status: (\\d{3})\\b");

  private ConnectionErrors() {}

  /**
   * Returns the error of the store for one of the client.
   *
   * @param url of the value, for messages; without secrets
   * @param proxied true where a proxy stands before the server
   */
  public static Throwable of(Throwable error, Location at, String url, boolean proxied) {
    Throwable cause = Exceptions.unwrap(error);
    if (cause instanceof ZarrException located) {
      return located.at(at);
    }
    if (cause instanceof Error) {
      return cause;
    }
    boolean byProxy = cause instanceof ProxyConnectException || (proxied && refused(cause));
    String reason = byProxy ? byProxy(cause) : reason(cause);
    if (url.startsWith("http:") && mayExpectTls(cause)) {
      reason += "; if the server expects TLS, its URL begins with https:";
    }
    String statement = "the request for " + url + " failed: " + reason;
    boolean passes = byProxy ? mayPassProxy(cause) : mayPass(cause);
    return passes
        ? new TransientStoreException(statement, at, cause)
        : new StoreException(statement, at, cause);
  }

  private static String reason(Throwable error) {
    if (error instanceof io.netty.handler.timeout.ReadTimeoutException) {
      return "nothing arrived for longer than the stall timeout";
    }
    if (refused(error)) {
      return "connection refused";
    }
    if (error instanceof UnknownHostException) {
      return "no address of the host is known";
    }
    if (isOfSsl(error, NotSslRecordException.class)) {
      return "the server does not encrypt; its URL may begin with http:";
    }
    String message = error.getMessage();
    return error.getClass().getSimpleName()
        + (message == null ? "" : ": " + message.replaceAll("\\?\\S*", "?..."));
  }

  /**
   * Returns true for what a server with TLS does with a plain request: it closes the connection, or
   * sends a record of TLS in place of a response.
   */
  private static boolean mayExpectTls(Throwable error) {
    String message = String.valueOf(error.getMessage());
    return (error instanceof PrematureCloseException && message.contains("BEFORE"))
        || ClosedConnection.isSaidBy(error)
        || (error instanceof IllegalArgumentException && message.contains("version format"));
  }

  /** Returns true where no program listens at the port. */
  private static boolean refused(Throwable error) {
    return error instanceof ConnectException
        && String.valueOf(error.getMessage()).contains("Connection refused");
  }

  /** Returns the message for a failure at the proxy, without its user. */
  private static String byProxy(Throwable error) {
    if (refused(error)) {
      return "the proxy refused the connection";
    }
    int status = statusOf(error);
    return status < 0
        ? "the proxy did not connect: " + reason(error)
        : status == 407
            ? "the proxy refused the user or the password (407)"
            : "the proxy answered " + HttpResponseStatus.valueOf(status);
  }

  /** Returns true for a silent or overloaded proxy, which may answer later. */
  private static boolean mayPassProxy(Throwable error) {
    int status = statusOf(error);
    return !refused(error)
        && (status < 0
            || ResponseErrors.of(status, "", Location.UNKNOWN, null)
                instanceof TransientStoreException);
  }

  /** Returns the status of the response of a proxy; -1 where none came. */
  private static int statusOf(Throwable error) {
    Matcher status = PROXY_STATUS.matcher(String.valueOf(error.getMessage()));
    return status.find() ? Integer.parseInt(status.group(1)) : -1;
  }

  private static boolean isOfSsl(Throwable error, Class<? extends SSLException> type) {
    return type.isInstance(error) || type.isInstance(error.getCause());
  }

  private static boolean mayPass(Throwable error) {
    if (isOfSsl(error, SSLException.class)) {
      return false;
    }
    if (error instanceof UnknownHostException) {
      Throwable cause = error.getCause();
      return cause != null && cause.getClass().getSimpleName().contains("Timeout");
    }
    return error instanceof IOException
        || error instanceof ChannelException
        || error instanceof TimeoutException
        || error instanceof java.util.concurrent.TimeoutException
        || error instanceof Http2Exception
        || error instanceof AbortedException
        || error.getClass().getSimpleName().startsWith("PoolAcquire"); // a shaded class
  }
}
