package dev.zarrreactive.http;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.transfer.Refusal;
import dev.zarrreactive.store.StoreKey;
import io.netty.channel.ChannelException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.timeout.TimeoutException;
import java.io.IOException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import reactor.core.Exceptions;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.HttpClientResponse;

/** What a failure means for a store. URLs are shown without their query. */
final class HttpErrors {
  private HttpErrors() {}

  /** The answer that no value comes with; the place is the key. */
  static StoreException status(StoreKey key, Url url, HttpClientResponse response) {
    return Refusal.of(
        response.status().code(),
        url + " answered " + shown(response),
        at(key),
        Refusal.retryAfter(response.responseHeaders().get(HttpHeaderNames.RETRY_AFTER)));
  }

  /** The code and the name that this library knows it by, not the server's words. */
  static String shown(HttpClientResponse response) {
    int code = response.status().code();
    return String.valueOf(io.netty.handler.codec.http.HttpResponseStatus.valueOf(code));
  }

  /** The meaning of an error of the client. */
  static Throwable of(Throwable error, StoreKey key, Url url) {
    Throwable cause = Exceptions.unwrap(error);
    if (cause instanceof ZarrException located) {
      return located.at(at(key));
    }
    if (cause instanceof Error) {
      return cause;
    }
    String statement = "the request for " + url + " failed: " + reason(cause);
    return mayPass(cause)
        ? new TransientStoreException(statement, at(key), cause)
        : new StoreException(statement, at(key), cause);
  }

  static Location at(StoreKey key) {
    return Location.ofKey(key.value());
  }

  private static String reason(Throwable error) {
    if (error instanceof io.netty.handler.timeout.ReadTimeoutException) {
      return "nothing arrived for longer than the stall timeout";
    }
    String message = error.getMessage();
    return error.getClass().getSimpleName()
        + (message == null ? "" : ": " + message.replaceAll("\\?\\S*", "?..."));
  }

  private static boolean mayPass(Throwable error) {
    if (error instanceof SSLException || error.getCause() instanceof SSLException) {
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
        || error.getClass().getSimpleName().startsWith("PoolAcquire"); // shaded, so without a type
  }
}
