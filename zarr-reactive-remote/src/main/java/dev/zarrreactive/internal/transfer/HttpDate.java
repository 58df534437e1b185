package dev.zarrreactive.internal.transfer;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Dates in the headers of HTTP, which have whole seconds. */
public final class HttpDate {
  private static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private HttpDate() {}

  /** Returns the time that a header says; null where it is missing or says none. */
  public static @Nullable Instant parse(@Nullable String header) {
    try {
      return header == null
          ? null
          : ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Returns the header that says a time. */
  public static String format(Instant time) {
    return WRITTEN.format(time.truncatedTo(ChronoUnit.SECONDS));
  }
}
