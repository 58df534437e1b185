package dev.zarrreactive.internal.objects;

import java.util.Set;

/** The meaning of the codes in the bodies of errors, whatever their status is. */
public final class ErrorCodes {
  private static final Set<String> EXPIRED =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired");

  private static final Set<String> REFUSED = Set.of("AccessDenied", "InvalidToken");

  private static final Set<String> PASSING =
      Set.of(
          "BandwidthLimitExceeded",
          "InternalError",
          "OperationAborted",
          "OperationTimedOut",
          "RequestLimitExceeded",
          "RequestTimeout",
          "RequestTimeoutException",
          "ServerBusy",
          "ServiceUnavailable",
          "SlowDown",
          "Throttling",
          "ThrottlingException",
          "TooManyRequests");

  private ErrorCodes() {}

  /** Returns true where the server refuses the credentials as expired. */
  public static boolean saysExpired(String code) {
    return EXPIRED.contains(code);
  }

  /** Returns true where the server refuses the request. */
  public static boolean saysRefused(int status, String code) {
    return status == 401 || status == 403 || REFUSED.contains(code);
  }

  /** Returns true where the same request may succeed later. */
  public static boolean mayPass(String code) {
    return PASSING.contains(code);
  }
}
