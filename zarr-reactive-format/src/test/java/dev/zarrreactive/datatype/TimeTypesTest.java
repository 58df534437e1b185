package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts of NumPy's times as java.time, and back: exactly, or refused with a reason. */
class TimeTypesTest {
  private static Datetime64Type points(String unit, int factor) {
    return DataTypes.datetime64(unit(unit), factor);
  }

  private static Timedelta64Type lengths(String unit, int factor) {
    return DataTypes.timedelta64(unit(unit), factor);
  }

  private static NumpyUnit unit(String symbol) {
    for (NumpyUnit unit : NumpyUnit.values()) {
      if (unit.symbol().equals(symbol)) {
        return unit;
      }
    }
    throw new IllegalArgumentException(symbol);
  }

  @ParameterizedTest
  @CsvSource({
    "Y, 1, 0, 1970-01-01T00:00:00Z, 1970",
    "Y, 1, 30, 2000-01-01T00:00:00Z, 2000",
    "Y, 1, -1, 1969-01-01T00:00:00Z, 1969",
    "Y, 10, -197, 0000-01-01T00:00:00Z, 0000",
    "M, 1, 361, 2000-02-01T00:00:00Z, 2000-02",
    "M, 3, -1, 1969-10-01T00:00:00Z, 1969-10",
    "W, 1, 1, 1970-01-08T00:00:00Z, 1970-01-08",
    "W, 1, -1, 1969-12-25T00:00:00Z, 1969-12-25",
    "D, 1, 11016, 2000-02-29T00:00:00Z, 2000-02-29",
    "D, 1, -1, 1969-12-31T00:00:00Z, 1969-12-31",
    "h, 6, -1, 1969-12-31T18:00:00Z, 1969-12-31T18",
    "m, 1, -1, 1969-12-31T23:59:00Z, 1969-12-31T23:59",
    "s, 1, 1234567890, 2009-02-13T23:31:30Z, 2009-02-13T23:31:30",
    "s, 1, -1, 1969-12-31T23:59:59Z, 1969-12-31T23:59:59",
    "ms, 10, -1, 1969-12-31T23:59:59.990Z, 1969-12-31T23:59:59.990",
    "us, 1, 1, 1970-01-01T00:00:00.000001Z, 1970-01-01T00:00:00.000001",
    "ns, 1, -1, 1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999999",
    "ns, 1, 9223372036854775807, 2262-04-11T23:47:16.854775807Z, 2262-04-11T23:47:16.854775807",
    // more than 2^63 nanoseconds
    "ns, 1000, 9223372036854775807, +294247-01-10T04:00:54.775807Z, +294247-01-10T04:00:54.775807000",
    "ps, 1, -1000, 1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999999000",
    "as, 1, 1000000000, 1970-01-01T00:00:00.000000001Z, 1970-01-01T00:00:00.000000001000000000",
  })
  void a_count_is_a_point_in_time(String unit, int factor, long count, Instant time, String text) {
    Datetime64Type type = points(unit, factor);
    assertThat(type.toInstant(count)).isEqualTo(time);
    assertThat(type.toCount(time)).isEqualTo(count);
    assertThat(type.toText(count)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "W, 1, -2, -PT336H",
    "D, 1, 1, PT24H",
    "h, 6, 2, PT12H",
    "m, 1, -90, -PT1H30M",
    "s, 1, 5, PT5S",
    "ms, 10, -1, -PT0.01S",
    "us, 1, 1500000, PT1.5S",
    "ns, 1, -1, -PT0.000000001S",
    "fs, 1, 3000000, PT0.000000003S",
    "s, 1, 9223372036854775807, PT2562047788015215H30M7S",
  })
  void a_count_is_a_length_of_time(String unit, int factor, long count, Duration length) {
    Timedelta64Type type = lengths(unit, factor);
    assertThat(type.toDuration(count)).isEqualTo(length);
    assertThat(type.toCount(length)).isEqualTo(count);
    assertThat(type.toText(count)).isEqualTo(Long.toString(count));
  }

  @Property
  void milliseconds_are_those_of_an_instant(@ForAll long count) {
    if (count != TimeType.NAT) {
      assertThat(points("ms", 1).toInstant(count)).isEqualTo(Instant.ofEpochMilli(count));
    }
  }

  @Property
  void nanoseconds_are_those_of_java_time(@ForAll long count) {
    if (count != TimeType.NAT) {
      Instant time = Instant.EPOCH.plus(count, ChronoUnit.NANOS);
      assertThat(points("ns", 1).toInstant(count)).isEqualTo(time);
      assertThat(points("ns", 1).toCount(time)).isEqualTo(count);
      assertThat(points("ns", 1).toText(count) + "Z").startsWith(time.toString().substring(0, 19));
      assertThat(lengths("ns", 1).toDuration(count)).isEqualTo(Duration.ofNanos(count));
    }
  }

  @Property
  void days_are_those_of_a_local_date(
      @ForAll @LongRange(min = -400_000, max = 400_000) long count,
      @ForAll @IntRange(min = 1, max = 1000) int factor) {
    LocalDate date = LocalDate.ofEpochDay(count * factor);
    assertThat(points("D", factor).toInstant(count))
        .isEqualTo(date.atStartOfDay().toInstant(ZoneOffset.UTC));
    assertThat(points("D", factor).toText(count)).isEqualTo(date.toString());
  }

  @Property
  void months_are_those_of_the_calendar(
      @ForAll @LongRange(min = -100_000, max = 100_000) long count,
      @ForAll @IntRange(min = 1, max = 50) int factor) {
    LocalDate date = LocalDate.EPOCH.plusMonths(count * factor);
    Instant time = date.atStartOfDay().toInstant(ZoneOffset.UTC);
    assertThat(points("M", factor).toInstant(count)).isEqualTo(time);
    assertThat(points("M", factor).toCount(time)).isEqualTo(count);
  }

  @Test
  void not_a_time_is_none() {
    assertThatThrownBy(() -> points("s", 1).toInstant(TimeType.NAT))
        .isInstanceOf(DateTimeException.class)
        .hasMessage("NaT of numpy.datetime64[s] is no time; use the count");
    assertThatThrownBy(() -> lengths("Y", 1).toDuration(TimeType.NAT))
        .hasMessageContaining("NaT of numpy.timedelta64[Y]");
    assertThat(points("s", 1).toText(TimeType.NAT)).isEqualTo("NaT");
    assertThat(lengths("generic", 1).toText(TimeType.NAT)).isEqualTo("NaT");
  }

  @ParameterizedTest
  @CsvSource({"Y", "M", "generic"})
  void a_length_of_years_or_months_is_no_duration(String unit) {
    assertThatThrownBy(() -> lengths(unit, 10).toDuration(1))
        .isInstanceOf(DateTimeException.class)
        .hasMessage(
            "the unit of numpy.timedelta64[10%s] has no fixed length in time; use the count", unit);
    assertThatThrownBy(() -> lengths(unit, 10).toCount(Duration.ZERO))
        .isInstanceOf(DateTimeException.class);
  }

  @Test
  void a_point_of_no_unit_is_none() {
    assertThatThrownBy(() -> points("generic", 1).toInstant(1))
        .isInstanceOf(DateTimeException.class)
        .hasMessageContaining("no fixed length");
    assertThat(points("generic", 1).toText(-7)).isEqualTo("-7");
  }

  @ParameterizedTest
  @CsvSource({
    "Y, 1, 9223372036854775807",
    "Y, 1, 999998030",
    "M, 2147483647, -9223372036854775807",
    "D, 1, 9223372036854775807",
    "s, 2147483647, -9223372036854775807",
    "us, 2147483647, 9223372036854775807",
  })
  void beyond_the_range_of_java_time_there_is_only_the_count(String unit, int factor, long count) {
    Datetime64Type type = points(unit, factor);
    assertThatThrownBy(() -> type.toInstant(count))
        .isInstanceOf(DateTimeException.class)
        .hasMessage(count + " of " + type + " is beyond the range of java.time");
    assertThat(type.toText(count)).isEqualTo(Long.toString(count));
  }

  @Test
  void a_duration_may_be_too_long_too() {
    assertThatThrownBy(() -> lengths("W", 1).toDuration(Long.MAX_VALUE))
        .isInstanceOf(DateTimeException.class)
        .hasMessageContaining("beyond the range of java.time");
  }

  @Test
  void parts_of_a_nanosecond_are_not_lost() {
    assertThatThrownBy(() -> points("ps", 1).toInstant(-1))
        .isInstanceOf(DateTimeException.class)
        .hasMessageContaining("-1 of numpy.datetime64[ps] is not a whole number of nanoseconds");
    assertThat(points("ps", 1).toText(-1)).isEqualTo("1969-12-31T23:59:59.999999999999");
  }

  @Test
  void what_is_no_whole_count_is_refused() {
    Instant time = Instant.parse("2000-01-01T00:00:05Z");
    assertThatThrownBy(() -> points("s", 2).toCount(time))
        .isInstanceOf(DateTimeException.class)
        .hasMessage("2000-01-01T00:00:05Z is not a whole number of counts of numpy.datetime64[2s]");
    assertThatThrownBy(() -> points("M", 1).toCount(time))
        .hasMessageContaining("not a whole number");
    assertThatThrownBy(() -> points("Y", 20).toCount(Instant.parse("2000-01-01T00:00:00Z")))
        .hasMessageContaining("not a whole number");
    assertThatThrownBy(() -> lengths("h", 1).toCount(Duration.ofNanos(1)))
        .hasMessageContaining("not a whole number");
  }

  @Test
  void what_has_no_count_is_refused() {
    assertThatThrownBy(() -> points("ns", 1).toCount(Instant.MAX))
        .isInstanceOf(DateTimeException.class)
        .hasMessageContaining("is beyond the range of numpy.datetime64[ns]");
    // the count would be the one that means "not a time"
    assertThatThrownBy(() -> lengths("s", 1).toCount(Duration.ofSeconds(Long.MIN_VALUE)))
        .hasMessageContaining("beyond the range of numpy.timedelta64[s]");
  }

  @Test
  void a_scale_factor_is_positive() {
    assertThatThrownBy(() -> points("s", 0)).hasMessageContaining("at least 1, not 0");
    assertThatThrownBy(() -> lengths("s", -1)).hasMessageContaining("at least 1, not -1");
  }
}
