package dev.zarrreactive.cf;

import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;

/**
 * The calendars of the CF conventions (section 4.4.1). Days are counted from 1970-01-01; real
 * calendars count from that day of the Gregorian calendar, so that equal counts are one day. Years
 * are astronomical: 1 BC is the year 0.
 */
public enum CfCalendar {
  /** Julian to 1582-10-04, Gregorian from 1582-10-15; also {@code gregorian}, and the default. */
  STANDARD("standard", true),

  /** Gregorian at all times, as {@code java.time} counts. */
  PROLEPTIC_GREGORIAN("proleptic_gregorian", true),

  /** Julian at all times. */
  JULIAN("julian", true),

  /** Years of 365 days; also {@code 365_day}. */
  NO_LEAP("noleap", false),

  /** Years of 366 days; also {@code 366_day}. */
  ALL_LEAP("all_leap", false),

  /** Twelve months of 30 days. */
  DAYS_360("360_day", false);

  private static final int[] DAYS_BEFORE_MONTH = {
    0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365
  };

  /** The first day of the Gregorian calendar, 1582-10-15. */
  private static final long REFORM = -141_427;

  /** The day 0000-03-01 of the Julian calendar. */
  private static final long JULIAN_MARCH_0 = -719_470;

  private final String cfName;
  private final boolean isReal;

  CfCalendar(String cfName, boolean isReal) {
    this.cfName = cfName;
    this.isReal = isReal;
  }

  /** Returns the calendar of a {@code calendar} attribute, in any case; empty if unknown. */
  public static Optional<CfCalendar> of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "standard", "gregorian" -> Optional.of(STANDARD);
      case "proleptic_gregorian" -> Optional.of(PROLEPTIC_GREGORIAN);
      case "julian" -> Optional.of(JULIAN);
      case "noleap", "365_day" -> Optional.of(NO_LEAP);
      case "all_leap", "366_day" -> Optional.of(ALL_LEAP);
      case "360_day" -> Optional.of(DAYS_360);
      default -> Optional.empty();
    };
  }

  /** Returns the name in attributes. */
  public String cfName() {
    return cfName;
  }

  /** Returns true if its days are days of the world, so that a date is an instant. */
  public boolean isReal() {
    return isReal;
  }

  /**
   * Returns true if years of units before the year 1 are those BC, and there is no year 0, as
   * UDUNITS and cftime have it.
   */
  boolean countsYearsBc() {
    return this == STANDARD || this == JULIAN;
  }

  /** Returns the number of days of a month from 1 to 12. */
  public int monthLength(int year, int month) {
    if (this == DAYS_360) {
      return 30;
    }
    int length = DAYS_BEFORE_MONTH[month] - DAYS_BEFORE_MONTH[month - 1];
    return month == 2 && isLeapYear(year) ? length + 1 : length;
  }

  /** Returns true if February has 29 days. */
  public boolean isLeapYear(int year) {
    return switch (this) {
      case NO_LEAP, DAYS_360 -> false;
      case ALL_LEAP -> true;
      case JULIAN -> Math.floorMod(year, 4) == 0;
      case PROLEPTIC_GREGORIAN -> isGregorianLeapYear(year);
      case STANDARD -> year > 1582 ? isGregorianLeapYear(year) : Math.floorMod(year, 4) == 0;
    };
  }

  private static boolean isGregorianLeapYear(int year) {
    return Math.floorMod(year, 4) == 0
        && (Math.floorMod(year, 100) != 0 || Math.floorMod(year, 400) == 0);
  }

  /** Returns true if the calendar has the date; the standard one lacks ten days of 1582. */
  public boolean isDate(int year, int month, int day) {
    boolean isSkipped = this == STANDARD && year == 1582 && month == 10 && day > 4 && day < 15;
    return month >= 1
        && month <= 12
        && day >= 1
        && day <= monthLength(year, month)
        && Math.abs(year) <= 999_999
        && !isSkipped;
  }

  /**
   * Returns the number of days from 1970-01-01 to a date.
   *
   * @throws IllegalArgumentException if the calendar lacks the date
   */
  public long epochDay(int year, int month, int day) {
    if (!isDate(year, month, day)) {
      throw new IllegalArgumentException(
          String.format("the calendar %s has no date %04d-%02d-%02d", cfName, year, month, day));
    }
    return switch (this) {
      case PROLEPTIC_GREGORIAN -> LocalDate.of(year, month, day).toEpochDay();
      case JULIAN -> julianDay(year, month, day);
      case STANDARD ->
          year * 10_000L + month * 100L + day >= 15821015
              ? LocalDate.of(year, month, day).toEpochDay()
              : julianDay(year, month, day);
      case DAYS_360 -> (year - 1970L) * 360 + (month - 1) * 30L + day - 1;
      case NO_LEAP -> (year - 1970L) * 365 + DAYS_BEFORE_MONTH[month - 1] + day - 1;
      case ALL_LEAP ->
          (year - 1970L) * 366 + DAYS_BEFORE_MONTH[month - 1] + (month > 2 ? 1 : 0) + day - 1;
    };
  }

  /** Counts in years that begin in March, so that a leap day is the last of its year. */
  private static long julianDay(int year, int month, int day) {
    long shifted = month > 2 ? year : year - 1L;
    int monthFromMarch = (month + 9) % 12;
    return JULIAN_MARCH_0
        + shifted * 365
        + Math.floorDiv(shifted, 4)
        + (153 * monthFromMarch + 2) / 5
        + day
        - 1;
  }

  /**
   * Returns the date of a number of days from 1970-01-01, as year, month and day.
   *
   * @throws IllegalArgumentException beyond the year 999,999
   */
  int[] dateOf(long epochDay) {
    if (Math.abs(epochDay) > 360_000_000L) {
      throw new IllegalArgumentException(epochDay + " days from 1970 are beyond the year 999999");
    }
    return switch (this) {
      case PROLEPTIC_GREGORIAN -> gregorianDate(epochDay);
      case JULIAN -> julianDate(epochDay);
      case STANDARD -> epochDay >= REFORM ? gregorianDate(epochDay) : julianDate(epochDay);
      case DAYS_360 -> {
        int day = (int) Math.floorMod(epochDay, 360L);
        yield new int[] {(int) Math.floorDiv(epochDay, 360L) + 1970, day / 30 + 1, day % 30 + 1};
      }
      case NO_LEAP -> dateOfYear(epochDay, 365);
      case ALL_LEAP -> dateOfYear(epochDay, 366);
    };
  }

  private static int[] gregorianDate(long epochDay) {
    LocalDate date = LocalDate.ofEpochDay(epochDay);
    return new int[] {date.getYear(), date.getMonthValue(), date.getDayOfMonth()};
  }

  private static int[] julianDate(long epochDay) {
    long days = epochDay - JULIAN_MARCH_0;
    long cycle = Math.floorDiv(days, 1461L);
    int inCycle = (int) Math.floorMod(days, 1461L);
    int yearOfCycle = Math.min(3, inCycle / 365);
    int dayOfYear = inCycle - yearOfCycle * 365;
    int monthFromMarch = (5 * dayOfYear + 2) / 153;
    int month = (monthFromMarch + 2) % 12 + 1;
    return new int[] {
      (int) (cycle * 4 + yearOfCycle + (month <= 2 ? 1 : 0)),
      month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    };
  }

  private static int[] dateOfYear(long epochDay, int yearLength) {
    int day = (int) Math.floorMod(epochDay, (long) yearLength);
    int leap = yearLength - 365;
    int month = 12;
    while (day < DAYS_BEFORE_MONTH[month - 1] + (month > 2 ? leap : 0)) {
      month--;
    }
    return new int[] {
      (int) Math.floorDiv(epochDay, (long) yearLength) + 1970,
      month,
      day - DAYS_BEFORE_MONTH[month - 1] - (month > 2 ? leap : 0) + 1
    };
  }

  @Override
  public String toString() {
    return cfName;
  }
}
