package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.StoreKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** What an answer means that no value comes with. */
public final class Refusal {
  private Refusal() {}

  /**
   * The meaning of a status.
   *
   * @param retryAfter when the server wants to be asked again; null where it did not say
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

  /** The server broke a rule; to ask again would not help. */
  public static StoreException violation(StoreKey key, String url, String statement) {
    return new StoreException(url + " " + statement, Location.ofKey(key.value()));
  }

  /**
   * What the header {@code Retry-After} says: seconds, or a date (RFC 9110, section 10.2.3); null
   * where it is neither.
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
