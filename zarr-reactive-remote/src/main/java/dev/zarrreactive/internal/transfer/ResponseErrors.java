package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The errors for responses without a value. */
public final class ResponseErrors {
  private ResponseErrors() {}

  /**
   * Returns the error for a status.
   *
   * @param retryAfter the wait that the server asks for; null where it asks for none
   */
  public static StoreException of(
      int status, String statement, Location at, @Nullable Duration retryAfter) {
    return switch (status) {
      case 401, 403 -> new AccessDeniedException(statement, at);
      case 408, 425, 429, 500, 502, 503, 504, 507, 509, 520, 521, 522, 523, 524, 529 ->
          new TransientStoreException(statement, at, retryAfter);
      default -> new StoreException(statement, at);
    };
  }

  /** Returns the error for a server that broke the protocol; another request would not help. */
  public static StoreException violation(StoreKey key, String url, String statement) {
    return new StoreException(url + " " + statement, Location.ofKey(key.value()));
  }

  /**
   * Parses the header {@code Retry-After}, which has seconds or a date (RFC 9110, section 10.2.3);
   * null for other text.
   */
  public static @Nullable Duration retryAfter(@Nullable String header) {
    String text = header == null ? "" : header.strip();
    if (text.matches("\\d{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    try {
      Instant then = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration wait = Duration.between(Instant.now(), then);
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
