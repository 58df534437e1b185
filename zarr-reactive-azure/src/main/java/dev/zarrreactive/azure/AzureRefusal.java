package dev.zarrreactive.azure;

import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The response to a request that did not do what it was asked for. It never reaches a user: {@link
 * AzureErrors} makes an error of a store of it.
 */
final class AzureRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final transient HttpHeaders headers;

  /**
   * A response.
   *
   * @param code such as {@code BlobNotFound}; empty where it has none
   */
  AzureRefusal(int status, String code, HttpHeaders headers) {
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

  /** Returns the status and, as far as known, the code. */
  String shown() {
    return status + (code.isEmpty() ? "" : " " + code);
  }

  /** Returns true where the service does not take the credential. */
  boolean isRefused() {
    return status == 401 || status == 403;
  }

  /** Returns true where the credential itself is not valid: another one may be. */
  boolean saysInvalidCredential() {
    return status == 401
        || code.equals("AuthenticationFailed")
        || code.equals("InvalidAuthenticationInfo")
        || code.equals("ExpiredToken");
  }
}
