package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * {@code numpy.datetime64}: points in time, counted from the beginning of 1970 in UTC.
 *
 * @param unit the unit of a count
 * @param scaleFactor the number of units of a count of one, at least 1
 */
public record Datetime64Type(NumpyUnit unit, int scaleFactor) implements TimeType {
  static final String NAME = "numpy.datetime64";

  private static final YearMonth FIRST_MONTH = YearMonth.of(1970, 1);

  /** Checks the scale factor. */
  public Datetime64Type {
    TimeSpans.requireScaleFactor(scaleFactor);
  }

  static Datetime64Type parse(NamedConfiguration use) {
    return new Datetime64Type(TimeSpans.unit(use), TimeSpans.scaleFactor(use));
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Returns the exact point in time of a count. For a year or month it is the beginning.
   *
   * @throws DateTimeException for {@link #NAT}, for the generic unit, for a fraction of a
   *     nanosecond, and beyond the range of {@code Instant}
   */
  public Instant toInstant(long count) {
    TimeSpans.requireTime(this, count);
    if (unit.isCalendar()) {
      return month(count).atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    }
    Duration sinceEpoch = TimeSpans.toDuration(this, count);
    try {
      return Instant.EPOCH.plus(sinceEpoch);
    } catch (DateTimeException | ArithmeticException e) {
      throw TimeSpans.beyondJava(this, count);
    }
  }

  /**
   * Returns the exact count of a point in time.
   *
   * @throws DateTimeException if the type has none
   */
  public long toCount(Instant time) {
    if (!unit.isCalendar()) {
      return TimeSpans.toCount(this, Duration.between(Instant.EPOCH, time), time);
    }
    LocalDateTime utc = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    YearMonth month = YearMonth.from(utc);
    if (!utc.equals(month.atDay(1).atStartOfDay())) {
      throw new DateTimeException(time + " is not a whole number of counts of " + this);
    }
    BigInteger months = BigInteger.valueOf(FIRST_MONTH.until(month, ChronoUnit.MONTHS));
    return TimeSpans.wholeCounts(this, months, months(1), time);
  }

  private BigInteger months(long count) {
    BigInteger units = TimeSpans.units(this, count);
    return unit == NumpyUnit.YEAR ? units.multiply(BigInteger.valueOf(12)) : units;
  }

  private YearMonth month(long count) {
    BigInteger months = months(count);
    try {
      return FIRST_MONTH.plusMonths(months.longValueExact());
    } catch (DateTimeException | ArithmeticException e) {
      throw TimeSpans.beyondJava(this, count);
    }
  }

  /** Returns ISO 8601 up to the unit, or the count beyond the range of java.time. */
  @Override
  public String toText(long count) {
    if (count == NAT) {
      return "NaT";
    } else if (unit == NumpyUnit.GENERIC) {
      return Long.toString(count);
    }
    try {
      return unit.isCalendar() ? calendarText(count) : clockText(count);
    } catch (DateTimeException e) {
      return Long.toString(count);
    }
  }

  private String calendarText(long count) {
    String text = month(count).toString();
    return unit == NumpyUnit.YEAR ? text.substring(0, text.length() - "-MM".length()) : text;
  }

  private String clockText(long count) {
    BigInteger[] seconds = TimeSpans.seconds(this, count);
    if (seconds[0].bitLength() >= Long.SIZE) {
      throw TimeSpans.beyondJava(this, count);
    }
    LocalDateTime time = LocalDateTime.ofEpochSecond(seconds[0].longValue(), 0, ZoneOffset.UTC);
    String date = time.toLocalDate().toString();
    String clock = String.format(Locale.ROOT, "T%tT", time);
    return switch (unit) {
      case WEEK, DAY -> date;
      case HOUR -> date + clock.substring(0, "Thh".length());
      case MINUTE -> date + clock.substring(0, "Thh:mm".length());
      default -> date + clock + fraction(seconds[1]);
    };
  }

  private String fraction(BigInteger attoseconds) {
    String digits = String.format(Locale.ROOT, ".%018d", attoseconds);
    return unit.digits() == 0 ? "" : digits.substring(0, 1 + unit.digits());
  }

  @Override
  public String toString() {
    return TimeSpans.toString(this);
  }
}
