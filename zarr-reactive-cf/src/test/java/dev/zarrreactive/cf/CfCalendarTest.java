package dev.zarrreactive.cf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.LocalDate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CfCalendarTest {
  @Property
  void a_day_has_one_date_and_the_date_that_day(
      @ForAll CfCalendar calendar, @ForAll @LongRange(min = -4_000_000, max = 4_000_000) long day) {
    int[] date = calendar.dateOf(day);
    assertThat(calendar.isDate(date[0], date[1], date[2])).isTrue();
    assertThat(calendar.epochDay(date[0], date[1], date[2])).isEqualTo(day);
  }

  @Property
  void the_next_day_is_the_next_date(
      @ForAll CfCalendar calendar, @ForAll @LongRange(min = -4_000_000, max = 4_000_000) long day) {
    int[] date = calendar.dateOf(day);
    int[] next = calendar.dateOf(day + 1);
    if (next[2] == 1) {
      assertThat(date[2]).isEqualTo(calendar.monthLength(date[0], date[1]));
      assertThat(next[0] * 12 + next[1]).isEqualTo(date[0] * 12 + date[1] + 1);
    } else if (!(calendar == CfCalendar.STANDARD && next[0] == 1582 && next[2] == 15)) {
      assertThat(next).containsExactly(date[0], date[1], date[2] + 1);
    }
  }

  @Property
  void the_gregorian_calendar_is_that_of_java(
      @ForAll @LongRange(min = -4_000_000, max = 4_000_000) long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    assertThat(CfCalendar.PROLEPTIC_GREGORIAN.dateOf(day))
        .containsExactly(date.getYear(), date.getMonthValue(), date.getDayOfMonth());
  }

  @Property
  void years_have_the_length_of_their_months(
      @ForAll CfCalendar calendar, @ForAll @IntRange(min = 1583, max = 9999) int year) {
    int days = 0;
    for (int month = 1; month <= 12; month++) {
      days += calendar.monthLength(year, month);
    }
    assertThat(calendar.epochDay(year + 1, 1, 1) - calendar.epochDay(year, 1, 1)).isEqualTo(days);
    assertThat(days)
        .isEqualTo(calendar == CfCalendar.DAYS_360 ? 360 : calendar.isLeapYear(year) ? 366 : 365);
  }

  @ParameterizedTest
  @CsvSource({
    "standard, 1582-10-04, -141428",
    "standard, 1582-10-15, -141427",
    "proleptic_gregorian, 1582-10-04, -141438",
    "julian, 1582-10-05, -141427",
    "julian, 1969-12-19, 0",
    "standard, 0001-01-01, -719164",
    "proleptic_gregorian, 0001-01-01, -719162",
    "noleap, 2000-03-01, 11009",
    "365_day, 1970-01-01, 0",
    "366_day, 1971-01-01, 366",
    "all_leap, 1970-03-01, 60",
    "360_day, 2000-02-30, 10859",
  })
  void known_dates(String name, String date, long day) {
    CfCalendar calendar = CfCalendar.of(name).orElseThrow();
    DatePeriod period = DatePeriod.parse(calendar, date);
    assertThat(period.start().epochSecond()).isEqualTo(day * 86_400);
    assertThat(period.start().toString()).isEqualTo(date + "T00:00:00");
  }

  @Test
  void dates_that_a_calendar_lacks_are_refused() {
    assertThat(CfCalendar.of("lunar")).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CalendarDate.of(CfCalendar.NO_LEAP, 2000, 2, 29))
        .withMessage("the calendar noleap has no date 2000-02-29");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CalendarDate.of(CfCalendar.STANDARD, 1582, 10, 10));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CalendarDate.of(CfCalendar.DAYS_360, 2000, 1, 31));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CalendarDate.of(CfCalendar.DAYS_360, Instant.EPOCH))
        .withMessageContaining("no instants");
  }

  @Test
  void dates_of_real_calendars_are_instants() {
    CalendarDate date = CalendarDate.of(CfCalendar.JULIAN, 1900, 2, 29, 12, 0, 0, 500_000_000);
    assertThat(date.toInstant()).isEqualTo("1900-03-13T12:00:00.5Z");
    assertThat(CalendarDate.of(CfCalendar.JULIAN, date.toInstant())).isEqualTo(date);
    assertThat(date).hasToString("1900-02-29T12:00:00.5");
  }

  @Test
  void a_date_that_is_cut_is_a_period() {
    DatePeriod month = DatePeriod.parse(CfCalendar.DAYS_360, "2000-02");
    assertThat(month.end()).isEqualTo(CalendarDate.of(CfCalendar.DAYS_360, 2000, 3, 1));
    DatePeriod hour = DatePeriod.parse(CfCalendar.STANDARD, "2000-12-31T23");
    assertThat(hour.end()).isEqualTo(CalendarDate.of(CfCalendar.STANDARD, 2001, 1, 1));
    DatePeriod part = DatePeriod.parse(CfCalendar.STANDARD, "2000-12-31 23:59:59.5");
    assertThat(part.start().nano()).isEqualTo(500_000_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DatePeriod.parse(CfCalendar.STANDARD, "yesterday"))
        .withMessageContaining("no date in ISO 8601");
  }
}
