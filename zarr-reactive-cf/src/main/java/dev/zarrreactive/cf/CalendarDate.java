package dev.zarrreactive.cf;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A date with a time of the day in a calendar of the CF conventions. Days have 24 hours in UTC, and
 * minutes 60 seconds. Immutable. Dates of one calendar are ordered in time.
 */
public final class CalendarDate implements Comparable<CalendarDate> {
  /** The seconds of a day; no calendar has leap seconds. */
  public static final long SECONDS_PER_DAY = 86_400;

  private final CfCalendar calendar;
  private final long epochSecond;
  private final int nano;
  private final int[] date;

  private CalendarDate(CfCalendar calendar, long epochSecond, int nano) {
    this.calendar = calendar;
    this.epochSecond = epochSecond;
    this.nano = nano;
    this.date = calendar.dateOf(Math.floorDiv(epochSecond, SECONDS_PER_DAY));
  }

  /**
   * Returns the beginning of a day.
   *
   * @throws IllegalArgumentException if the calendar lacks the date
   */
  public static CalendarDate of(CfCalendar calendar, int year, int month, int day) {
    return of(calendar, year, month, day, 0, 0, 0, 0);
  }

  /**
   * Returns a time of a day.
   *
   * @throws IllegalArgumentException if the calendar lacks the date, or the day the time
   */
  public static CalendarDate of(
      CfCalendar calendar,
      int year,
      int month,
      int day,
      int hour,
      int minute,
      int second,
      int nano) {
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
      throw new IllegalArgumentException(
          String.format("a day has no time %02d:%02d:%02d", hour, minute, second));
    }
    Objects.checkIndex(nano, 1_000_000_000);
    long day0 = calendar.epochDay(year, month, day) * SECONDS_PER_DAY;
    return new CalendarDate(calendar, day0 + hour * 3600L + minute * 60L + second, nano);
  }

  /**
   * Returns the date of a number of seconds and nanoseconds from 1970-01-01 in the calendar.
   *
   * @throws IllegalArgumentException beyond the year 999,999
   */
  public static CalendarDate ofEpoch(CfCalendar calendar, long second, long nano) {
    return new CalendarDate(
        calendar,
        Math.addExact(second, Math.floorDiv(nano, 1_000_000_000L)),
        (int) Math.floorMod(nano, 1_000_000_000L));
  }

  /**
   * Returns an instant's date.
   *
   * @throws IllegalArgumentException for a calendar that is not {@linkplain CfCalendar#isReal real}
   */
  public static CalendarDate of(CfCalendar calendar, Instant instant) {
    requireReal(calendar);
    return ofEpoch(calendar, instant.getEpochSecond(), instant.getNano());
  }

  private static void requireReal(CfCalendar calendar) {
    if (!calendar.isReal()) {
      throw new IllegalArgumentException(
          "days of the calendar " + calendar + " are those of a model, and no instants");
    }
  }

  /** The calendar. */
  public CfCalendar calendar() {
    return calendar;
  }

  /** The year, astronomical. */
  public int year() {
    return date[0];
  }

  /** The month, from 1 to 12. */
  public int month() {
    return date[1];
  }

  /** The day of the month, from 1. */
  public int day() {
    return date[2];
  }

  private int secondOfDay() {
    return (int) Math.floorMod(epochSecond, SECONDS_PER_DAY);
  }

  /** The hour, from 0 to 23. */
  public int hour() {
    return secondOfDay() / 3600;
  }

  /** The minute, from 0 to 59. */
  public int minute() {
    return secondOfDay() / 60 % 60;
  }

  /** The second, from 0 to 59. */
  public int second() {
    return secondOfDay() % 60;
  }

  /** The nanosecond of the second. */
  public int nano() {
    return nano;
  }

  /** The seconds since 1970-01-01 00:00 in the calendar. */
  public long epochSecond() {
    return epochSecond;
  }

  /**
   * Returns the instant.
   *
   * @throws DateTimeException for a calendar that is not {@linkplain CfCalendar#isReal real}
   */
  public Instant toInstant() {
    if (!calendar.isReal()) {
      throw new DateTimeException(
          this + " is a day of a model with the calendar " + calendar + ", and no instant");
    }
    return Instant.ofEpochSecond(epochSecond, nano);
  }

  /**
   * Compares the times.
   *
   * @throws IllegalArgumentException for a date of another calendar
   */
  @Override
  public int compareTo(CalendarDate other) {
    if (calendar != other.calendar) {
      throw new IllegalArgumentException(
          "dates of the calendars " + calendar + " and " + other.calendar + " have no order");
    }
    int bySecond = Long.compare(epochSecond, other.epochSecond);
    return bySecond != 0 ? bySecond : Integer.compare(nano, other.nano);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CalendarDate that
        && calendar == that.calendar
        && epochSecond == that.epochSecond
        && nano == that.nano;
  }

  @Override
  public int hashCode() {
    return Objects.hash(calendar, epochSecond, nano);
  }

  /** Returns ISO 8601 without a zone: {@code 2000-02-30T12:00:00}, with a fraction where needed. */
  @Override
  public String toString() {
    String text =
        String.format(
            Locale.ROOT,
            "%04d-%02d-%02dT%02d:%02d:%02d",
            year(),
            month(),
            day(),
            hour(),
            minute(),
            second());
    return nano == 0
        ? text
        : text + String.format(Locale.ROOT, ".%09d", nano).replaceAll("0+$", "");
  }
}
