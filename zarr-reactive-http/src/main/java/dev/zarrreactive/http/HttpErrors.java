package dev.zarrreactive.http;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.ConnectionErrors;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import dev.zarrreactive.store.credential.Credential;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import reactor.netty.http.client.HttpClientResponse;

/** Maps failures to the errors of a store. They show URLs without their query. */
final class HttpErrors {
  private HttpErrors() {}

  /** Returns the error for a response without a value. */
  static StoreException status(StoreKey key, Url url, HttpClientResponse response) {
    return ResponseErrors.of(
        response.status().code(),
        url + " answered " + shown(response),
        at(key),
        ResponseErrors.retryAfter(response.responseHeaders().get(HttpHeaderNames.RETRY_AFTER)));
  }

  /**
   * Returns true where the response says that the credential is not valid: by its status, or as
   * Azure says it.
   */
  static boolean isUnauthorized(HttpClientResponse response) {
    return response.status().code() == 401
        || "AuthenticationFailed".equals(response.responseHeaders().get("x-ms-error-code"));
  }

  /** Returns true for the kinds of credentials that any server over HTTP may want. */
  static boolean isOfHttp(Credential credential) {
    return credential instanceof Credential.Headers
        || credential instanceof Credential.Query
        || credential instanceof Credential.Anonymous;
  }

  /** Returns the code with its standard name: the text of the server may be anything. */
  static String shown(HttpClientResponse response) {
    int code = response.status().code();
    return String.valueOf(HttpResponseStatus.valueOf(code));
  }

  /**
   * Returns the error of the store for one of the client.
   *
   * @param proxied true where a proxy stands before the server
   */
  static Throwable of(Throwable error, StoreKey key, Url url, boolean proxied) {
    return ConnectionErrors.of(error, at(key), url.toString(), proxied);
  }

  static Location at(StoreKey key) {
    return Location.ofKey(key.value());
  }
}
