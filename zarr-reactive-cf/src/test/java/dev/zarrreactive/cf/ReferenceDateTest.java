package dev.zarrreactive.cf;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dates and units that times are counted by, as UDUNITS-2 and cftime read them. */
class ReferenceDateTest {
  private static CalendarDate zero(String units, String calendar) {
    TimeCoding times = TimeCoding.since(units, CfCalendar.of(calendar).orElseThrow(), true);
    return times.date(times.decode(0));
  }

  @Test
  void dates_are_those_of_udunits_and_of_cftime() throws IOException {
    List<String> wrong = new ArrayList<>();
    int count = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                requireNonNull(getClass().getResourceAsStream("/cf/reference-dates.tsv")),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] fields = line.split("\t", -1);
        count++;
        try {
          CalendarDate date = zero(fields[0], fields[1]);
          long epoch = CalendarDate.of(date.calendar(), 1970, 1, 1).epochSecond();
          BigDecimal found =
              BigDecimal.valueOf(date.epochSecond() - epoch)
                  .add(BigDecimal.valueOf(date.nano(), 9));
          if (found.compareTo(new BigDecimal(fields[2])) != 0) {
            wrong.add(line + " is " + found);
          }
        } catch (IllegalArgumentException e) {
          wrong.add(line + " is refused: " + e.getMessage());
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(count).isEqualTo(550);
  }

  @Test
  void the_days_of_astronomers_begin_in_4713_bc() {
    TimeCoding days =
        TimeCoding.since("days since -4713-01-01 12:00:00", CfCalendar.STANDARD, true);
    assertThat(days.date(days.decode(2_451_545))).hasToString("2000-01-01T12:00:00");
    TimeCoding proleptic =
        TimeCoding.since("days since -4713-11-24T12", CfCalendar.PROLEPTIC_GREGORIAN, true);
    assertThat(proleptic.date(proleptic.decode(2_451_545))).hasToString("2000-01-01T12:00:00");
  }

  @Test
  void a_zone_may_follow_a_date_alone() {
    assertThat(zero("days since 2000-01-01 +01:00", "standard")).hasToString("1999-12-31T23:00:00");
    assertThat(zero("days since 2000-01-01 UTC", "standard")).hasToString("2000-01-01T00:00:00");
    assertThat(zero("days since 2000-01-01t00:00:00z", "360_day"))
        .hasToString("2000-01-01T00:00:00");
  }

  @ParameterizedTest
  @CsvSource({
    "nsec, 1e-9",
    "us, 1e-6",
    "usec, 1e-6",
    "\u00b5s, 1e-6",
    "microsecs, 1e-6",
    "msec, 1e-3",
    "millisecs, 1e-3",
    "sec, 1",
    "Minutes, 60",
    "hrs, 3600",
    "d, 86400",
    "week, 604800",
    "weeks, 604800",
    "fortnights, 1209600",
    "common_year, 31536000",
    "common_years, 31536000",
    "leap_years, 31622400",
    "julian_year, 31557600"
  })
  void a_unit_has_the_length_that_udunits_gives_it(String unit, BigDecimal seconds) {
    for (CfCalendar calendar : CfCalendar.values()) {
      TimeCoding times = TimeCoding.since(unit + " since 1970", calendar, true);
      CalendarDate zero = times.date(times.decode(0));
      CalendarDate date = times.date(times.decode(1000));
      BigDecimal found =
          BigDecimal.valueOf(date.epochSecond() - zero.epochSecond())
              .add(BigDecimal.valueOf(date.nano(), 9));
      assertThat(found).isEqualByComparingTo(seconds.multiply(BigDecimal.valueOf(1000)));
    }
  }

  @Test
  void common_years_are_years_of_the_calendar_without_leap_days() {
    TimeCoding years = TimeCoding.since("common_years since 2000-02-01", CfCalendar.NO_LEAP, true);
    assertThat(years.date(years.decode(23))).hasToString("2023-02-01T00:00:00");
    TimeCoding reals = TimeCoding.since("common_years since 2000-01-01", CfCalendar.NO_LEAP, false);
    assertThat(reals.date(reals.decode(0.5))).hasToString("2000-07-02T12:00:00");
  }

  @ParameterizedTest
  @CsvSource({
    "years since 2000-01-01, a year of UDUNITS has 365.242198781 days",
    "months since 2000-01-01, months of the calendar standard differ in length",
    "days since 2000/01/01, the date is not like 2000-01-01",
    "days since 2000-01-01 12:30 EST, the date is not like 2000-01-01",
    "days since 20001, the date is not like 2000-01-01",
    "days since 2000011, the date is not like 2000-01-01",
    "days since 2000-01-01 130, the date is not like 2000-01-01",
    "days since 2000-01-01 12:30 +25:00, no zone is 25 hours and 0 minutes from UTC",
    "days since 2000-02-30, the calendar standard has no date 2000-02-30",
    "days since 2000-13-01, the calendar standard has no date 2000-13-01",
    "days since 2000-01-01 24:00, a day has no time 24:00:00"
  })
  void what_names_no_date_is_refused_with_the_reason(String units, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> zero(units, "standard"))
        .withMessageContaining("the units \"" + units + "\" name no time")
        .withMessageContaining(reason);
  }
}
