package dev.zarrreactive.gcs;

import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The response to a request that did not do what it was asked for. It never reaches a user: {@link
 * GcsErrors} makes an error of a store of it.
 */
final class GcsRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final transient HttpHeaders headers;

  /**
   * A response.
   *
   * @param code of the body, such as {@code NoSuchKey}; empty where it has none
   */
  GcsRefusal(int status, String code, HttpHeaders headers) {
    super(status + " " + code, null, false, false);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  HttpHeaders headers() {
    return headers;
  }
}
