package dev.zarrreactive.cf;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time that a date in ISO 8601 stands for, which may be cut: {@code 2000-02} is a month.
 *
 * @param start the first moment
 * @param end the first moment after it
 * @param resolution the last part of the date that is given
 */
public record DatePeriod(CalendarDate start, CalendarDate end, Resolution resolution) {
  private static final Pattern TEXT =
      Pattern.compile(
          "([+-]?\\d{1,6})(?:-(\\d{1,2})(?:-(\\d{1,2})"
              + "(?:[T ](\\d{1,2})(?::(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?)?)?)?)?Z?");

  /** The parts of a date. */
  public enum Resolution {
    /** A year. */
    YEAR,
    /** A month. */
    MONTH,
    /** A day. */
    DAY,
    /** An hour. */
    HOUR,
    /** A minute. */
    MINUTE,
    /** A second. */
    SECOND,
    /** A nanosecond. */
    NANOSECOND;

    /** Returns the finest part of a date that is not zero, at least the day. */
    public static Resolution of(CalendarDate date) {
      if (date.nano() != 0) {
        return NANOSECOND;
      } else if (date.second() != 0) {
        return SECOND;
      } else if (date.minute() != 0) {
        return MINUTE;
      }
      return date.hour() != 0 ? HOUR : DAY;
    }
  }

  /**
   * Parses a date, cut after any part.
   *
   * @throws IllegalArgumentException if the text is no date, or the calendar lacks it
   */
  public static DatePeriod parse(CfCalendar calendar, String text) {
    Matcher parts = TEXT.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no date in ISO 8601, such as 2000-01-31T12:00, or a part of one");
    }
    int given = 1;
    int[] numbers = {0, 1, 1, 0, 0, 0};
    for (int i = 0; i < numbers.length && parts.group(i + 1) != null; i++) {
      numbers[i] = Integer.parseInt(parts.group(i + 1));
      given = i + 1;
    }
    String fraction = parts.group(7);
    int nano = fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
    Resolution resolution =
        fraction == null ? Resolution.values()[given - 1] : Resolution.NANOSECOND;
    CalendarDate start =
        CalendarDate.of(
            calendar, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], nano);
    return new DatePeriod(start, end(start, resolution), resolution);
  }

  private static CalendarDate end(CalendarDate start, Resolution resolution) {
    CfCalendar calendar = start.calendar();
    long second = start.epochSecond();
    return switch (resolution) {
      case YEAR -> CalendarDate.of(calendar, start.year() + 1, 1, 1);
      case MONTH ->
          start.month() == 12
              ? CalendarDate.of(calendar, start.year() + 1, 1, 1)
              : CalendarDate.of(calendar, start.year(), start.month() + 1, 1);
      case DAY -> CalendarDate.ofEpoch(calendar, second + CalendarDate.SECONDS_PER_DAY, 0);
      case HOUR -> CalendarDate.ofEpoch(calendar, second + 3600, 0);
      case MINUTE -> CalendarDate.ofEpoch(calendar, second + 60, 0);
      case SECOND -> CalendarDate.ofEpoch(calendar, second + 1, 0);
      case NANOSECOND -> CalendarDate.ofEpoch(calendar, second, start.nano() + 1L);
    };
  }
}
