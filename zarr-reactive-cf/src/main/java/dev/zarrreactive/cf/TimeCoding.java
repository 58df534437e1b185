package dev.zarrreactive.cf;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Times that are counted since a date (CF 4.4), or lengths of time. Decoded times are counts since
 * 1970-01-01 00:00 in the calendar: of seconds, where integers of seconds or larger units are
 * stored; of the stored unit, where that is smaller; and of microseconds for floats. The smallest
 * long is "not a time". Immutable.
 *
 * <p>Counts of a real calendar are {@code numpy.datetime64}, and each is an {@code Instant}. Counts
 * of other calendars are {@code int64}, and {@link #date} says their dates.
 */
public final class TimeCoding {
  private static final Pattern SINCE =
      Pattern.compile("(.+?)\\s+since\\s+(.+)", Pattern.CASE_INSENSITIVE);
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long NANOS_PER_DAY = CalendarDate.SECONDS_PER_DAY * NANOS_PER_SECOND;

  private final @Nullable CfCalendar calendar;
  private final String units;
  private final NumpyUnit unit;
  private final long perUnit;
  private final long reference;

  private TimeCoding(
      @Nullable CfCalendar calendar, String units, NumpyUnit unit, long perUnit, long reference) {
    this.calendar = calendar;
    this.units = units;
    this.unit = unit;
    this.perUnit = perUnit;
    this.reference = reference;
  }

  /** Returns true for units with a reference date, such as {@code days since 2000-01-01}. */
  public static boolean isSince(String units) {
    return SINCE.matcher(units.strip()).matches();
  }

  /**
   * Returns the coding of times since a date.
   *
   * @param isWhole true if integers are stored
   * @throws IllegalArgumentException if the unit or the date is unknown, or the calendar lacks it
   */
  static TimeCoding since(String units, CfCalendar calendar, boolean isWhole) {
    Matcher since = SINCE.matcher(units.strip());
    if (!since.matches()) {
      throw unreadable(units, "it has no \"since\"");
    }
    long nanosPerUnit = nanos(since.group(1), calendar, units);
    CalendarDate zero;
    try {
      zero = ReferenceDate.of(since.group(2), calendar);
    } catch (IllegalArgumentException e) {
      throw unreadable(units, String.valueOf(e.getMessage()));
    }
    NumpyUnit unit = unit(isWhole, nanosPerUnit);
    while (zero.nano() % nanosOf(unit) != 0) {
      unit = finer(unit);
    }
    long nanosOfUnit = nanosOf(unit);
    long second = zero.epochSecond();
    long reference =
        exactly(
            BigDecimal.valueOf(second)
                .multiply(BigDecimal.valueOf(NANOS_PER_SECOND / nanosOfUnit))
                .add(BigDecimal.valueOf(zero.nano() / nanosOfUnit)),
            units);
    return new TimeCoding(calendar, units, unit, nanosPerUnit / nanosOfUnit, reference);
  }

  /** Returns the coding of lengths of time; empty for units that xarray does not write. */
  static Optional<TimeCoding> delta(String units, boolean isWhole) {
    return switch (units) {
      case "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds" -> {
        long nanos = nanos(units, CfCalendar.STANDARD, units);
        NumpyUnit unit = unit(isWhole, nanos);
        yield Optional.of(new TimeCoding(null, units, unit, nanos / nanosOf(unit), 0));
      }
      default -> Optional.empty();
    };
  }

  private static long exactly(BigDecimal count, String units) {
    try {
      return count.longValueExact();
    } catch (ArithmeticException e) {
      throw unreadable(units, "the date is too far from 1970 for its unit");
    }
  }

  private static IllegalArgumentException unreadable(String units, String why) {
    return new IllegalArgumentException("the units \"" + units + "\" name no time: " + why);
  }

  private static NumpyUnit unit(boolean isWhole, long nanosPerUnit) {
    if (nanosPerUnit == 1) {
      return NumpyUnit.NANOSECOND;
    } else if (!isWhole || nanosPerUnit < 1_000_000) {
      return NumpyUnit.MICROSECOND;
    }
    return nanosPerUnit < NANOS_PER_SECOND ? NumpyUnit.MILLISECOND : NumpyUnit.SECOND;
  }

  private static NumpyUnit finer(NumpyUnit unit) {
    return switch (unit) {
      case SECOND -> NumpyUnit.MILLISECOND;
      case MILLISECOND -> NumpyUnit.MICROSECOND;
      default -> NumpyUnit.NANOSECOND;
    };
  }

  private static long nanosOf(NumpyUnit unit) {
    return switch (unit) {
      case SECOND -> NANOS_PER_SECOND;
      case MILLISECOND -> 1_000_000;
      case MICROSECOND -> 1000;
      default -> 1;
    };
  }

  /** Returns the length of a unit by its names in UDUNITS and in cftime. */
  private static long nanos(String unit, CfCalendar calendar, String units) {
    return switch (unit.strip().toLowerCase(Locale.ROOT)) {
      case "nanosecond", "nanoseconds", "nanosec", "nanosecs", "nsec", "nsecs", "ns" -> 1;
      case "microsecond", "microseconds", "microsec", "microsecs", "usec", "usecs", "us" -> 1000;
      case "\u00b5s", "\u03bcs" -> 1000;
      case "millisecond", "milliseconds", "millisec", "millisecs", "msec", "msecs", "ms" ->
          1_000_000;
      case "second", "seconds", "sec", "secs", "s" -> NANOS_PER_SECOND;
      case "minute", "minutes", "min", "mins" -> 60 * NANOS_PER_SECOND;
      case "hour", "hours", "hr", "hrs", "h" -> 3600 * NANOS_PER_SECOND;
      case "day", "days", "d" -> NANOS_PER_DAY;
      case "week", "weeks" -> 7 * NANOS_PER_DAY;
      case "fortnight", "fortnights" -> 14 * NANOS_PER_DAY;
      case "common_year", "common_years" -> 365 * NANOS_PER_DAY;
      case "leap_year", "leap_years" -> 366 * NANOS_PER_DAY;
      case "julian_year", "julian_years" -> 365 * NANOS_PER_DAY + NANOS_PER_DAY / 4;
      case "month", "months" -> {
        if (calendar != CfCalendar.DAYS_360) {
          throw unreadable(
              units,
              "months of the calendar "
                  + calendar
                  + " differ in length, and CF has none; store days, or use the calendar 360_day");
        }
        yield 30 * NANOS_PER_DAY;
      }
      case "year", "years", "yr", "yrs" ->
          throw unreadable(
              units,
              "a year of UDUNITS has 365.242198781 days, so that its dates drift; common_years have"
                  + " 365 days");
      default ->
          throw unreadable(
              units,
              "a unit is one of weeks, days, hours, minutes, seconds and their parts, or"
                  + " common_years");
    };
  }

  /** The calendar; empty for lengths of time. */
  public Optional<CfCalendar> calendar() {
    return Optional.ofNullable(calendar);
  }

  /** The attribute {@code units}. */
  public String units() {
    return units;
  }

  /** The unit of decoded counts. */
  public NumpyUnit unit() {
    return unit;
  }

  /** The type of decoded counts. */
  public DataType dataType() {
    if (calendar == null) {
      return DataTypes.timedelta64(unit, 1);
    }
    return calendar.isReal() ? DataTypes.datetime64(unit, 1) : DataTypes.INT64;
  }

  /**
   * Returns the date of a decoded count.
   *
   * @throws IllegalArgumentException for {@link TimeType#NAT}, for a length of time, and beyond the
   *     year 999,999
   */
  public CalendarDate date(long count) {
    if (calendar == null || count == TimeType.NAT) {
      throw new IllegalArgumentException(
          (count == TimeType.NAT ? "NaT" : count + " of " + units) + " is no date");
    }
    long perSecond = NANOS_PER_SECOND / nanosOf(unit);
    return CalendarDate.ofEpoch(
        calendar, Math.floorDiv(count, perSecond), Math.floorMod(count, perSecond) * nanosOf(unit));
  }

  /**
   * Returns a decoded count as text: ISO 8601 of a date in its calendar, the count of a length of
   * time, or {@code NaT}.
   */
  public String text(long count) {
    if (count == TimeType.NAT) {
      return "NaT";
    }
    return calendar == null ? count + " " + unit.symbol() : date(count).toString();
  }

  /** Returns the count of seconds and nanoseconds since 1970, with a fraction. */
  public BigDecimal count(long second, long nano) {
    return BigDecimal.valueOf(second)
        .multiply(BigDecimal.valueOf(NANOS_PER_SECOND))
        .add(BigDecimal.valueOf(nano))
        .divide(BigDecimal.valueOf(nanosOf(unit)), 9, RoundingMode.UNNECESSARY);
  }

  /**
   * Decodes a stored integer.
   *
   * @throws ArithmeticException if the count exceeds a long
   */
  long decode(long stored) {
    return stored == TimeType.NAT
        ? stored
        : Math.addExact(reference, Math.multiplyExact(stored, perUnit));
  }

  /**
   * Decodes a stored float: the nearest count.
   *
   * @throws ArithmeticException if the count exceeds a long
   */
  long decode(double stored) {
    if (Double.isNaN(stored)) {
      return TimeType.NAT;
    }
    double whole = Math.floor(stored);
    if (Math.abs(whole) >= 0x1p62) {
      throw new ArithmeticException("long overflow");
    }
    long counts = Math.multiplyExact((long) whole, perUnit);
    return Math.addExact(
        reference, Math.addExact(counts, (long) Math.rint((stored - whole) * perUnit)));
  }

  /**
   * Returns a decoded count for a count of a type of times; counts of {@code int64} are decoded.
   *
   * @param exactly true to refuse a time between two counts; else the nearest is returned
   * @throws ArithmeticException if there is none, or the count exceeds a long
   */
  long converted(long count, DataType type, boolean exactly) {
    if (!(type instanceof TimeType from)) {
      return count;
    }
    long theirs = Math.multiplyExact(nanosOfType(from.unit()), from.scaleFactor());
    long ours = nanosOf(unit);
    if (theirs % ours == 0) {
      return Math.multiplyExact(count, theirs / ours);
    }
    RoundingMode rounding = exactly ? RoundingMode.UNNECESSARY : RoundingMode.HALF_EVEN;
    return BigDecimal.valueOf(count)
        .multiply(BigDecimal.valueOf(theirs))
        .divide(BigDecimal.valueOf(ours), 0, rounding)
        .longValueExact();
  }

  private static long nanosOfType(NumpyUnit unit) {
    return switch (unit) {
      case WEEK -> 7 * CalendarDate.SECONDS_PER_DAY * NANOS_PER_SECOND;
      case DAY -> CalendarDate.SECONDS_PER_DAY * NANOS_PER_SECOND;
      case HOUR -> 3600 * NANOS_PER_SECOND;
      case MINUTE -> 60 * NANOS_PER_SECOND;
      case SECOND, MILLISECOND, MICROSECOND, NANOSECOND -> nanosOf(unit);
      default ->
          throw new IllegalArgumentException(
              "times of the unit " + unit.symbol() + " are not stored as counts since a date");
    };
  }

  /**
   * Encodes a decoded count as a stored integer.
   *
   * @throws ArithmeticException if no integer stands for it
   */
  long encode(long count) {
    long since = Math.subtractExact(count, reference);
    if (since % perUnit != 0) {
      throw new ArithmeticException("between two stored integers");
    }
    return since / perUnit;
  }

  /** Encodes a decoded count as a stored float, the nearest one. */
  double encodeReal(long count) {
    long since = Math.subtractExact(count, reference);
    long whole = since / perUnit;
    return whole + (double) (since % perUnit) / perUnit;
  }

  /**
   * Returns dates as {@link CfDecoding#decode} returns them.
   *
   * @throws IllegalArgumentException for a date of another calendar, or between two counts
   */
  public NdArray counts(List<CalendarDate> dates) {
    long[] counts = new long[dates.size()];
    for (int i = 0; i < counts.length; i++) {
      CalendarDate date = dates.get(i);
      if (date.calendar() != calendar) {
        throw new IllegalArgumentException(
            "the date " + date + " is of the calendar " + date.calendar() + ", not " + this);
      }
      try {
        counts[i] = count(date.epochSecond(), date.nano()).longValueExact();
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            "the date " + date + " is no whole number of " + unit.symbol(), e);
      }
    }
    return NdArray.ofLongs(dataType(), Shape.of(counts.length), counts);
  }

  @Override
  public String toString() {
    return calendar == null ? units : units + ", " + calendar;
  }
}
