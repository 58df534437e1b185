package dev.zarrreactive.s3;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.transfer.ClosedConnection;
import dev.zarrreactive.internal.transfer.Refusal;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * What a failure means for a store. The status and the code of the server are shown, not its words.
 */
final class S3Errors {
  private static final Set<String> EXPIRED =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "InvalidToken");

  /** What may pass, whatever status it comes with. */
  private static final Set<String> PASSING =
      Set.of(
          "InternalError",
          "OperationAborted",
          "RequestTimeout",
          "RequestTimeoutException",
          "ServiceUnavailable",
          "SlowDown",
          "Throttling",
          "ThrottlingException",
          "TooManyRequests",
          "RequestLimitExceeded",
          "BandwidthLimitExceeded");

  private S3Errors() {}

  /** The meaning of an error of the client; {@code url} is what was asked for. */
  static Throwable of(Throwable error, Location at, String url) {
    Throwable cause = Exceptions.unwrap(error);
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof ZarrException located) {
      return located.at(at);
    }
    if (cause instanceof AwsServiceException answer) {
      return answered(answer, at, url);
    }
    if (cause instanceof Error) {
      return cause;
    }
    String statement = "the request for " + url + " failed: " + reason(cause);
    return mayPass(cause)
        ? new TransientStoreException(statement, at, cause)
        : new StoreException(statement, at, cause);
  }

  /** The answer that no value comes with. */
  static StoreException answered(AwsServiceException answer, Location at, String url) {
    return failed(
        answer.statusCode(),
        code(answer),
        at,
        url + " answered " + shown(answer) + hint(answer),
        Refusal.retryAfter(header(answer, "Retry-After").orElse(null)));
  }

  /** One object of several could not be erased. */
  static StoreException failed(String code, Location at, String url) {
    int status = code.equals("AccessDenied") ? 403 : 200;
    return failed(status, code, at, url + " was not erased: " + code, null);
  }

  private static StoreException failed(
      int status, String code, Location at, String statement, @Nullable Duration retryAfter) {
    boolean refused = status == 401 || status == 403;
    boolean passing = EXPIRED.contains(code) || (!refused && PASSING.contains(code));
    return passing // asked for again, the credentials are fresh
        ? new TransientStoreException(statement, at, retryAfter)
        : Refusal.of(status, statement, at, retryAfter);
  }

  /** The code of the error, such as {@code NoSuchKey}; empty where there is none. */
  static String code(AwsServiceException error) {
    AwsErrorDetails details = error.awsErrorDetails();
    return details == null || details.errorCode() == null ? "" : details.errorCode();
  }

  /** True where the credentials have to be looked up again. */
  static boolean saysExpired(AwsServiceException error) {
    return EXPIRED.contains(code(error));
  }

  /** True where the client could not write the request to the connection that it was given. */
  static boolean saysUnsent(Throwable error) {
    return error instanceof SdkClientException
        && error.getCause() instanceof IllegalArgumentException cause
        && String.valueOf(cause.getMessage()).startsWith("Duplicate handler name");
  }

  /**
   * True where the connection is closed or reset over which the request was sent, or was to be. The
   * SDK tells whoever reads the body of the cause, and whoever made the call of an error around it.
   */
  static boolean saysClosed(Throwable error) {
    Throwable cause = error instanceof SdkClientException ? error.getCause() : error;
    return saysUnsent(error)
        || (cause instanceof IOException
            && (ClosedConnection.isSaidBy(cause)
                || String.valueOf(cause.getMessage()).contains("connection was closed")));
  }

  /** True for the answer that there is no bucket, and so neither a value nor the lack of one. */
  static boolean saysNoBucket(AwsServiceException error) {
    return code(error).equals("NoSuchBucket");
  }

  /** The status and, where there is one, the code and the number of the request. */
  static String shown(AwsServiceException error) {
    String code = code(error);
    String request = error.requestId();
    return error.statusCode()
        + (code.isEmpty() || code.matches("\\d+") ? "" : " " + code)
        + (request == null ? "" : " (request " + request + ")");
  }

  private static String hint(AwsServiceException error) {
    Optional<String> region = header(error, "x-amz-bucket-region");
    boolean elsewhere = error.statusCode() == 301 || code(error).startsWith("Authorization");
    if (elsewhere && region.isPresent()) {
      return "; the bucket is in region " + region.get();
    }
    return switch (code(error)) {
      case "RequestTimeTooSkewed" -> "; the clock of this machine is wrong";
      case "SignatureDoesNotMatch" -> "; the secret key is not that of the access key";
      case "InvalidAccessKeyId" -> "; the server does not know the access key";
      default -> "";
    };
  }

  private static String reason(Throwable error) {
    String message = error.getMessage();
    return error instanceof TimeoutException && message != null
        ? message
        : error.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  private static boolean mayPass(Throwable error) {
    if (error instanceof ApiCallTimeoutException
        || error instanceof ApiCallAttemptTimeoutException
        || error instanceof AbortedException
        || saysUnsent(error)) {
      return true;
    }
    int depth = 0;
    for (Throwable each = error; each != null && depth < 8; each = each.getCause(), depth++) {
      if (each instanceof SSLException || each instanceof UnknownHostException) {
        return false;
      }
      boolean passing =
          each instanceof IOException
              || each instanceof TimeoutException
              || each instanceof io.netty.handler.timeout.TimeoutException
              || each instanceof io.netty.channel.ChannelException;
      if (passing && !(each.getCause() instanceof SSLException)) {
        return true;
      }
    }
    return false;
  }

  private static Optional<String> header(AwsServiceException error, String name) {
    AwsErrorDetails details = error.awsErrorDetails();
    SdkHttpResponse response = details == null ? null : details.sdkHttpResponse();
    return response == null ? Optional.empty() : response.firstMatchingHeader(name);
  }
}
