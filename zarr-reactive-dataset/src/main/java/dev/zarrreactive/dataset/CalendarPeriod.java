package dev.zarrreactive.dataset;

import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.CfCalendar;

/** A length of time in a calendar, into which {@link Dataset#resample} divides a dimension. */
public final class CalendarPeriod {
  /** An hour. */
  public static final CalendarPeriod HOUR = new CalendarPeriod(Unit.HOUR, 1);

  /** A day. */
  public static final CalendarPeriod DAY = new CalendarPeriod(Unit.DAY, 1);

  /** Seven days from a Monday on, in a calendar without weekdays as they were before 1970. */
  public static final CalendarPeriod WEEK = new CalendarPeriod(Unit.WEEK, 1);

  /** A month. */
  public static final CalendarPeriod MONTH = new CalendarPeriod(Unit.MONTH, 1);

  /** Three months: December to February, March to May, June to August, September to November. */
  public static final CalendarPeriod SEASON = new CalendarPeriod(Unit.SEASON, 1);

  /** A year from January on. */
  public static final CalendarPeriod YEAR = new CalendarPeriod(Unit.YEAR, 1);

  private static final int SECONDS_PER_HOUR = 3600;
  private static final int HOURS_PER_DAY = 24;
  private static final int DAYS_PER_WEEK = 7;
  private static final int MONDAY = 3; // 1970-01-01 was the third day after a Monday
  private static final int MONTHS = 12;
  private static final int MONTHS_OF_SEASON = 3;

  private final Unit unit;
  private final int count;

  private enum Unit {
    HOUR,
    DAY,
    WEEK,
    MONTH,
    SEASON,
    YEAR
  }

  private CalendarPeriod(Unit unit, int count) {
    this.unit = unit;
    this.count = count;
  }

  /**
   * Returns several of these periods as one, such as {@code HOUR.times(6)}. The first one begins
   * with the period in which the first time is; of hours with the day of the first time.
   *
   * @throws IllegalArgumentException unless the count is positive
   */
  public CalendarPeriod times(int periods) {
    if (periods < 1) {
      throw new IllegalArgumentException("a period has at least one part, not " + periods);
    }
    return new CalendarPeriod(unit, Math.multiplyExact(count, periods));
  }

  /** Returns the number of the period of a date, counted from the period of the first date. */
  long number(CalendarDate first, CalendarDate date) {
    return Math.floorDiv(part(date) - base(first), (long) count);
  }

  /** Returns the first moment of a period, by its number. */
  CalendarDate start(CalendarDate first, long number) {
    CfCalendar calendar = first.calendar();
    long part = base(first) + number * count;
    return switch (unit) {
      case HOUR -> CalendarDate.ofEpoch(calendar, part * SECONDS_PER_HOUR, 0);
      case DAY -> day(calendar, part);
      case WEEK -> day(calendar, part * DAYS_PER_WEEK - MONDAY);
      case MONTH -> month(calendar, part);
      case SEASON -> month(calendar, part * MONTHS_OF_SEASON - 1);
      case YEAR -> month(calendar, part * MONTHS);
    };
  }

  private long base(CalendarDate first) {
    long part = part(first);
    return unit == Unit.HOUR ? Math.floorDiv(part, HOURS_PER_DAY) * (long) HOURS_PER_DAY : part;
  }

  /** Returns the number of the unit of a date, which grows by one from unit to unit. */
  private long part(CalendarDate date) {
    long month = (long) date.year() * MONTHS + date.month();
    long day = Math.floorDiv(date.epochSecond(), CalendarDate.SECONDS_PER_DAY);
    return switch (unit) {
      case HOUR -> Math.floorDiv(date.epochSecond(), (long) SECONDS_PER_HOUR);
      case DAY -> day;
      case WEEK -> Math.floorDiv(day + MONDAY, (long) DAYS_PER_WEEK);
      case MONTH -> month - 1;
      case SEASON -> Math.floorDiv(month, (long) MONTHS_OF_SEASON);
      case YEAR -> date.year();
    };
  }

  private static CalendarDate day(CfCalendar calendar, long day) {
    return CalendarDate.ofEpoch(calendar, day * CalendarDate.SECONDS_PER_DAY, 0);
  }

  private static CalendarDate month(CfCalendar calendar, long month) {
    int year = Math.toIntExact(Math.floorDiv(month, (long) MONTHS));
    return CalendarDate.of(calendar, year, (int) Math.floorMod(month, (long) MONTHS) + 1, 1);
  }

  @Override
  public String toString() {
    return count == 1 ? unit.name() : unit.name() + ".times(" + count + ")";
  }
}
