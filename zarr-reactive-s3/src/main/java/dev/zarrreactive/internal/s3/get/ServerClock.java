package dev.zarrreactive.internal.s3.get;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/** The clock of a server, which is that of this machine until the server says that it is wrong. */
final class ServerClock {
  private static final Set<String> WRONG =
      Set.of("RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture");

  /** A smaller difference is no reason to refuse a request. */
  private static final long LEAST_SECONDS = 60;

  private volatile long ahead;
  private volatile Second last = new Second(0, "");

  /** Returns by how many seconds the server is ahead of this machine, as far as that is known. */
  long ahead() {
    return ahead;
  }

  /**
   * Returns the time, such as {@code 20130524T000000Z}.
   *
   * @param ahead of this machine, in seconds
   */
  String time(long ahead) {
    long now = System.currentTimeMillis() / 1000 + ahead;
    Second known = last;
    if (known.second != now) {
      known = new Second(now, text(now));
      last = known;
    }
    return known.text;
  }

  /** Formats a time without a formatter, whose classes the first read of a JVM would load. */
  static String text(long second) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(16);
    appendTwo(text, time.getYear() / 100);
    appendTwo(text, time.getYear() % 100);
    appendTwo(text, time.getMonthValue());
    appendTwo(text, time.getDayOfMonth());
    text.append('T');
    appendTwo(text, time.getHour());
    appendTwo(text, time.getMinute());
    appendTwo(text, time.getSecond());
    return text.append('Z').toString();
  }

  private static void appendTwo(StringBuilder text, int number) {
    text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }

  /**
   * Takes the time of a response that says that the clock is wrong. Of several requests at once,
   * the first answer corrects the clock for all, and the others were signed before that.
   *
   * @param signedAhead the difference that the request was signed with
   * @return true if the clock differs from that now, so that the request can be signed again
   */
  boolean tryCorrect(AwsServiceException answer, long signedAhead) {
    AwsErrorDetails details = answer.awsErrorDetails();
    if (details == null || !WRONG.contains(String.valueOf(details.errorCode()))) {
      return false;
    }
    Long there = seconds(details.sdkHttpResponse().firstMatchingHeader("Date").orElse(""));
    if (there == null) {
      return false;
    }
    long difference = there - System.currentTimeMillis() / 1000;
    ahead = difference;
    return Math.abs(difference - signedAhead) >= LEAST_SECONDS;
  }

  private static @Nullable Long seconds(String date) {
    try {
      return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond();
    } catch (DateTimeException e) {
      return null;
    }
  }

  private record Second(long second, String text) {}
}
