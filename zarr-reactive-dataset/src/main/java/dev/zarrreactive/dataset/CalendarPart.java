package dev.zarrreactive.dataset;

import dev.zarrreactive.cf.CalendarDate;

/** A part of a date, by which {@link Dataset#groupBy(String, CalendarPart)} puts times together. */
public enum CalendarPart {
  /** The year. */
  YEAR("year"),

  /** The month, from 1 to 12. */
  MONTH("month"),

  /** The season: {@code DJF}, {@code JJA}, {@code MAM} or {@code SON}. */
  SEASON("season"),

  /** The day of the month, from 1 on. */
  DAY("day"),

  /** The day of the year, from 1 on. */
  DAY_OF_YEAR("dayofyear"),

  /** The hour, from 0 to 23. */
  HOUR("hour");

  /** In the order of their names, from that of the winter on. */
  private static final String[] SEASONS = {"DJF", "JJA", "MAM", "SON"};

  private static final int[] SEASON_OF_QUARTER = {0, 2, 1, 3};
  private static final int MONTHS_OF_SEASON = 3;

  private final String label;

  CalendarPart(String label) {
    this.label = label;
  }

  /** The name of the dimension that the results have in the place of the times'. */
  public String label() {
    return label;
  }

  /** Returns the part of a date as a number, in the order of the labels. */
  long number(CalendarDate date) {
    return switch (this) {
      case YEAR -> date.year();
      case MONTH -> date.month();
      case SEASON -> SEASON_OF_QUARTER[date.month() / MONTHS_OF_SEASON % SEASONS.length];
      case DAY -> date.day();
      case DAY_OF_YEAR ->
          date.calendar().epochDay(date.year(), date.month(), date.day())
              - date.calendar().epochDay(date.year(), 1, 1)
              + 1;
      case HOUR -> date.hour();
    };
  }

  /** Returns the label of a number: a text for a season, else the number. */
  Object labelOf(long number) {
    return this == SEASON ? SEASONS[(int) number] : (Object) number;
  }
}
