package dev.zarrreactive.internal.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Durations for people: {@code 1 minute}, {@code 1.5 s}, {@code 2 hours 5 minutes}. */
public final class Durations {
  private Durations() {}

  /** Returns the duration as text, below a millisecond in µs or ns. */
  public static String text(Duration duration) {
    if (duration.isNegative()) {
      return "-" + text(duration.negated());
    }
    if (duration.toSeconds() >= 60) {
      return longText(duration);
    }
    long nanos = duration.toNanos();
    if (nanos >= 1_000_000_000) {
      return decimal(nanos / 1_000_000, 1000) + " s";
    }
    if (nanos >= 1_000_000) {
      return decimal(nanos / 1_000, 1000) + " ms";
    }
    if (nanos >= 1_000) {
      return decimal(nanos, 1000) + " µs";
    }
    return nanos == 0 ? "0 s" : nanos + " ns";
  }

  /**
   * Returns the duration as text of a precision that suits something that was measured:
   * milliseconds below a second, tenths of a second below a minute, seconds above.
   */
  public static String rounded(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1_000) {
      return millis + " ms";
    }
    long tenths = (millis + 50) / 100;
    return tenths < 600
        ? tenths / 10 + "." + tenths % 10 + " s"
        : longText(duration.plusMillis(500));
  }

  private static String longText(Duration duration) {
    List<String> parts = new ArrayList<>();
    add(parts, duration.toDaysPart(), "day");
    add(parts, duration.toHoursPart(), "hour");
    add(parts, duration.toMinutesPart(), "minute");
    if (duration.toSecondsPart() > 0) {
      parts.add(duration.toSecondsPart() + " s");
    }
    return String.join(" ", parts);
  }

  private static void add(List<String> parts, long count, String unit) {
    if (count > 0) {
      parts.add(count + " " + unit + (count == 1 ? "" : "s"));
    }
  }

  /** Returns {@code value / of} without zeros at the end. */
  private static String decimal(long value, long of) {
    String fraction = String.valueOf(of + value % of).substring(1).replaceAll("0+$", "");
    return value / of + (fraction.isEmpty() ? "" : "." + fraction);
  }
}
