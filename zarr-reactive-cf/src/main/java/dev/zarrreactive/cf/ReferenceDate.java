package dev.zarrreactive.cf;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the date that times are counted from, in the grammar of UDUNITS-2, which CF 4.4 takes over.
 *
 * <p>A date is {@code 2000-1-31}, {@code 2000-1}, {@code 2000}, {@code 20000131} or {@code 200001};
 * what it leaves out is the first. A time of the day follows after {@code T} or blanks: {@code
 * 12:30:15.5} or {@code 123015.5}, without seconds or minutes at will. The zone is {@code Z},
 * {@code UTC}, {@code GMT}, {@code +1}, {@code +1:30} or {@code -0130}; after a time of the day the
 * plus may be left out.
 *
 * <p>Three rules are those of cftime, and of xarray with it. A zone may follow a date without a
 * time. A date that the calendar lacks is refused, where UDUNITS goes on to the next month. A year
 * may have five or six digits before a month.
 */
final class ReferenceDate {
  private static final String CLOCK =
      "(?:(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{0,9})\\d*)?)?)?"
          + "|(\\d{2})(\\d{2})(?:(\\d{2})(?:\\.(\\d{0,9})\\d*)?)?)";
  private static final Pattern DATE =
      Pattern.compile(
          "(?:([+-]?\\d{1,6})-(\\d{1,2})(?:-(\\d{1,2}))?"
              + "|([+-]?\\d{4})(?:(\\d{2})(\\d{2})?)?|([+-]?\\d{1,3}))"
              + ("(?:[T\\s]+" + CLOCK + "(?:\\s+(\\d{1,2})(?::(\\d{1,2})|(\\d{2}))?)?)?")
              + "\\s*(?:Z|UTC|GMT|([+-])(\\d{1,2})(?::(\\d{1,2})|(\\d{2}))?)?",
          Pattern.CASE_INSENSITIVE);

  private final Matcher text;

  private ReferenceDate(Matcher text) {
    this.text = text;
  }

  /**
   * Returns a date of a calendar.
   *
   * @throws IllegalArgumentException for another text, and for a date that the calendar lacks
   */
  static CalendarDate of(String text, CfCalendar calendar) {
    Matcher matcher = DATE.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "the date is not like 2000-01-01 00:00:00, 2000-01, 2000 or 20000101T0000");
    }
    return new ReferenceDate(matcher).date(calendar);
  }

  private CalendarDate date(CfCalendar calendar) {
    CalendarDate local =
        CalendarDate.of(
            calendar,
            year(calendar),
            number(1, 2, 5),
            number(1, 3, 6),
            number(0, 8, 12),
            number(0, 9, 13),
            number(0, 10, 14),
            nano());
    int hours = number(0, 16, 20);
    int minutes = number(0, 17, 18, 21, 22);
    if (hours > 23 || minutes > 59) {
      throw new IllegalArgumentException(
          String.format("no zone is %d hours and %d minutes from UTC", hours, minutes));
    }
    int minutesEast = hours * 60 + minutes;
    boolean isWest = "-".equals(text.group(19));
    return minutesEast == 0
        ? local
        : CalendarDate.ofEpoch(
            calendar,
            local.epochSecond() - (isWest ? -minutesEast : minutesEast) * 60L,
            local.nano());
  }

  /**
   * Returns the astronomical year. The years before 1 of calendars that follow the Julian one are
   * those BC, for UDUNITS and cftime: -4713 is 4713 BC, the year -4712.
   */
  private int year(CfCalendar calendar) {
    int year = number(0, 1, 4, 7);
    return year < 0 && calendar.countsYearsBc() ? year + 1 : year;
  }

  private int nano() {
    String fraction = group(11, 15);
    return fraction == null ? 0 : Integer.parseInt((fraction + "000000000").substring(0, 9));
  }

  /** Returns the number in the first of some groups that the text has. */
  private int number(int otherwise, int... groups) {
    String digits = group(groups);
    return digits == null ? otherwise : Integer.parseInt(digits);
  }

  private @Nullable String group(int... groups) {
    for (int group : groups) {
      String found = text.group(group);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
