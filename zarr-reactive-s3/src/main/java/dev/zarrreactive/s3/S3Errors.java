package dev.zarrreactive.s3;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.objects.ErrorCodes;
import dev.zarrreactive.internal.sharing.ClosedConnection;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Maps failures to the errors of a store. They show the status and the code of the server, and not
 * its text.
 */
final class S3Errors {
  /** A name of a region in a response, which becomes part of a host name. */
  private static final Pattern REGION = Pattern.compile("[a-z][a-z0-9-]{1,30}");

  private static final Pattern REGION_IN_BODY =
      Pattern.compile("<Region>\\s*(" + REGION + ")\\s*</Region>");

  private S3Errors() {}

  /** Returns the error of the store for one of the client. */
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

  /** Returns the error for a response without a value. */
  static StoreException answered(AwsServiceException answer, Location at, String url) {
    return failed(
        answer.statusCode(),
        code(answer),
        at,
        url + " answered " + shown(answer) + hint(answer) + whose(answer),
        ResponseErrors.retryAfter(header(answer, "Retry-After").orElse(null)));
  }

  /** Returns a refusal whose message will end with whose credentials the server has refused. */
  static AwsServiceException refused(AwsServiceException answer, String whose) {
    answer.addSuppressed(new Whose(whose));
    return answer;
  }

  /** Tells in an error of the SDK whose credentials the server has refused. */
  private static final class Whose extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Whose(String whose) {
      super(whose, null, false, false);
    }
  }

  private static String whose(AwsServiceException answer) {
    for (Throwable each : answer.getSuppressed()) {
      if (each instanceof Whose whose) {
        return String.valueOf(whose.getMessage());
      }
    }
    return "";
  }

  /** Returns the error for one object of a batch that the server did not erase. */
  static StoreException failed(String code, Location at, String url) {
    return failed(200, code, at, url + " was not erased: " + code, null);
  }

  private static StoreException failed(
      int status, String code, Location at, String statement, @Nullable Duration retryAfter) {
    boolean refused = ErrorCodes.saysRefused(status, code);
    boolean passing = ErrorCodes.saysExpired(code) || (!refused && ErrorCodes.mayPass(code));
    return passing // the next attempt has fresh credentials
        ? new TransientStoreException(statement, at, retryAfter)
        : ResponseErrors.of(refused ? 403 : status, statement, at, retryAfter);
  }

  /** Returns the code of the error, such as {@code NoSuchKey}; empty where it has none. */
  static String code(AwsServiceException error) {
    AwsErrorDetails details = error.awsErrorDetails();
    String code = details == null ? null : details.errorCode();
    return code == null || code.matches("\\d+") ? "" : code; // the SDK puts the status there
  }

  /**
   * Returns true for a response that only a server of S3 sends: with a code of S3 in its body, or a
   * request id. The SDK invents a code for a response without a body.
   */
  static boolean isOfS3(AwsServiceException error) {
    return (!code(error).isEmpty() && body(error).contains("Code>"))
        || header(error, "x-amz-request-id").isPresent()
        || header(error, "x-amz-id-2").isPresent();
  }

  /** Returns true where the server refuses the credentials as expired. */
  static boolean saysExpired(AwsServiceException error) {
    String code = code(error);
    return ErrorCodes.saysExpired(code)
        || code.equals("InvalidToken")
        || code.equals("InvalidTokenId"); // of MinIO
  }

  /** Returns true where the server refuses the request, which credentials may explain. */
  static boolean saysRefused(AwsServiceException error) {
    return error.statusCode() == 401 || error.statusCode() == 403;
  }

  /** Returns the region of the bucket, where the request went to another; else null. */
  static @Nullable String region(AwsServiceException error) {
    int status = error.statusCode();
    boolean elsewhere = status == 301 || status == 307 || status == 400;
    String named = elsewhere ? header(error, "x-amz-bucket-region").orElse(null) : null;
    if (named == null && code(error).startsWith("Authorization")) {
      Matcher inBody = REGION_IN_BODY.matcher(body(error));
      named = inBody.find() ? inBody.group(1) : null;
    }
    return named == null || !REGION.matcher(named).matches() ? null : named;
  }

  private static String body(AwsServiceException error) {
    AwsErrorDetails details = error.awsErrorDetails();
    SdkBytes body = details == null ? null : details.rawResponse();
    return body == null ? "" : new String(body.asByteArrayUnsafe(), StandardCharsets.UTF_8);
  }

  /** Returns true where the client could not write the request to its connection. */
  static boolean saysUnsent(Throwable error) {
    return error instanceof SdkClientException
        && error.getCause() instanceof IllegalArgumentException cause
        && String.valueOf(cause.getMessage()).startsWith("Duplicate handler name");
  }

  /**
   * Returns true where the connection of the request was closed or reset. The SDK passes the cause
   * to the subscriber of a body, and an error around it to the caller of a request.
   */
  static boolean saysClosed(Throwable error) {
    Throwable cause = error instanceof SdkClientException ? error.getCause() : error;
    return saysUnsent(error)
        || (cause instanceof IOException
            && (ClosedConnection.isSaidBy(cause)
                || String.valueOf(cause.getMessage()).contains("connection was closed")));
  }

  /** Returns true for a missing bucket, which says nothing about the value. */
  static boolean saysNoBucket(AwsServiceException error) {
    return code(error).equals("NoSuchBucket");
  }

  /** Returns the status and, as far as known, the code and the request id. */
  static String shown(AwsServiceException error) {
    String code = code(error);
    String request = error.requestId();
    return error.statusCode()
        + (code.isEmpty() ? "" : " " + code)
        + (request == null ? "" : " (request " + request + ")");
  }

  private static String hint(AwsServiceException error) {
    String region = region(error);
    if (region != null) {
      return "; the bucket is in region " + region;
    }
    if (error.statusCode() == 404 && !isOfS3(error)) {
      return "; no response of this endpoint was one of S3: is the endpoint right?";
    }
    return switch (code(error)) {
      case "NoSuchBucket" -> "; create the bucket first, or look at its name and the endpoint";
      case "InvalidToken", "InvalidTokenId" -> "; the session token is not valid";
      case "RequestTimeTooSkewed" -> "; the clock of this machine is wrong";
      case "SignatureDoesNotMatch" -> "; the secret key does not belong to the access key";
      case "InvalidAccessKeyId" -> "; the server does not know the access key";
      default -> "";
    };
  }

  private static String reason(Throwable error) {
    if (error.getCause() instanceof ConnectException refused
        && String.valueOf(refused.getMessage()).contains("Connection refused")) {
      return "connection refused";
    }
    if (isUnknownHost(error)) {
      return "no address of the host is known";
    }
    String message = error.getMessage();
    return error instanceof TimeoutException && message != null
        ? message
        : error.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  private static boolean isUnknownHost(Throwable error) {
    return chain(error).anyMatch(UnknownHostException.class::isInstance);
  }

  /** Returns an error and its causes, at most eight: causes may form a circle. */
  private static Stream<Throwable> chain(Throwable error) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause).limit(8);
  }

  /** Returns true where another attempt may succeed. */
  static boolean mayPass(Throwable error) {
    if (error instanceof ApiCallTimeoutException
        || error instanceof ApiCallAttemptTimeoutException
        || error instanceof AbortedException
        || saysUnsent(error)) {
      return true;
    }
    if (isUnknownHost(error)) {
      return false;
    }
    for (Throwable each : chain(error).toList()) {
      if (each instanceof SSLException) {
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

  /** Returns a header of the response. */
  static Optional<String> header(AwsServiceException error, String name) {
    AwsErrorDetails details = error.awsErrorDetails();
    SdkHttpResponse response = details == null ? null : details.sdkHttpResponse();
    return response == null ? Optional.empty() : response.firstMatchingHeader(name);
  }
}
