package dev.zarrreactive.internal.service;

import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The response to a request that did not do what it was asked for. It never reaches a user: {@link
 * ServiceRequests#error} makes an error of a store of it.
 */
public final class ServiceRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  private final int status;
  private final String code;
  private final transient HttpHeaders headers;

  /**
   * A response.
   *
   * @param code such as {@code NoSuchKey}; empty where it has none
   */
  public ServiceRefusal(int status, String code, HttpHeaders headers) {
    super(status + " " + code, null, false, false);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  /** The status of the response. */
  public int status() {
    return status;
  }

  /** The code of the service; empty where the response has none. */
  public String code() {
    return code;
  }

  /** Returns the value of a header; null where the response has none. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** The headers of the response. */
  public HttpHeaders headers() {
    return headers;
  }

  /** Returns the status and, as far as known, the code. */
  public String shown() {
    return status + (code.isEmpty() ? "" : " " + code);
  }

  /** Returns true where the service does not take the credential. */
  public boolean isRefused() {
    return status == UNAUTHORIZED || status == FORBIDDEN;
  }

  /** Returns true where the status says that something is missing. */
  public boolean isMissing() {
    return status == NOT_FOUND;
  }
}
