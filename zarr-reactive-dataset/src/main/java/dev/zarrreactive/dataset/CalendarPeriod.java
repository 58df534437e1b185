package dev.zarrreactive.dataset;

import dev.zarrreactive.dataset.cf.CalendarDate;
import dev.zarrreactive.dataset.cf.CfCalendar;

/** Lengths of time in a calendar, into which {@link Dataset#resample} divides a dimension. */
public enum CalendarPeriod {
  /** A day. */
  DAY,

  /** A month. */
  MONTH,

  /** Three months: December to February, March to May, June to August, September to November. */
  SEASON,

  /** A year from January on. */
  YEAR;

  private static final int MONTHS = 12;
  private static final int MONTHS_OF_SEASON = 3;

  /** Returns the number of a date's period, which grows by one from period to period. */
  long number(CalendarDate date) {
    long month = (long) date.year() * MONTHS + date.month();
    return switch (this) {
      case DAY -> Math.floorDiv(date.epochSecond(), CalendarDate.SECONDS_PER_DAY);
      case MONTH -> month - 1;
      case SEASON -> Math.floorDiv(month, (long) MONTHS_OF_SEASON);
      case YEAR -> date.year();
    };
  }

  /** Returns the first moment of a period. */
  CalendarDate start(CfCalendar calendar, long number) {
    return switch (this) {
      case DAY -> CalendarDate.ofEpoch(calendar, number * CalendarDate.SECONDS_PER_DAY, 0);
      case MONTH -> month(calendar, number);
      case SEASON -> month(calendar, number * MONTHS_OF_SEASON - 1);
      case YEAR -> month(calendar, number * MONTHS);
    };
  }

  private static CalendarDate month(CfCalendar calendar, long month) {
    int year = Math.toIntExact(Math.floorDiv(month, (long) MONTHS));
    return CalendarDate.of(calendar, year, (int) Math.floorMod(month, (long) MONTHS) + 1, 1);
  }
}
