package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.CfCalendar;
import dev.zarrreactive.cf.DatePeriod;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.dataset.CoordinateValues.WholeKey;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Times, and lengths of time. A label is an Instant, a local date or time of UTC, a date of the
 * calendar, or text in ISO 8601; text that is cut, such as {@code 2000-01}, is a period. Labels
 * among lengths of time are durations.
 */
final class TimeIndex extends CoordinateValues.Wholes {
  private static final BigDecimal GIGA = BigDecimal.valueOf(1_000_000_000L);

  private final @Nullable CfCalendar calendar;
  private final BigDecimal perSecond;
  private DatePeriod.@Nullable Resolution resolution;

  private TimeIndex(
      String name, long[] values, @Nullable CfCalendar calendar, BigDecimal perSecond) {
    super(name, values);
    this.calendar = calendar;
    this.perSecond = perSecond;
  }

  static TimeIndex of(Variable coordinate, long... counts) {
    Optional<TimeCoding> coding = coordinate.times();
    if (coding.isPresent()) {
      return new TimeIndex(
          coordinate.name(),
          counts,
          coding.get().calendar().orElse(null),
          perSecond(coding.get().unit(), 1, coordinate));
    }
    TimeType type = (TimeType) coordinate.dataType();
    return new TimeIndex(
        coordinate.name(),
        counts,
        type instanceof Datetime64Type ? CfCalendar.PROLEPTIC_GREGORIAN : null,
        perSecond(type.unit(), type.scaleFactor(), coordinate));
  }

  private static BigDecimal perSecond(NumpyUnit unit, int scale, Variable coordinate) {
    int digits =
        switch (unit) {
          case SECOND -> 0;
          case MILLISECOND -> 3;
          case MICROSECOND -> 6;
          case NANOSECOND -> 9;
          default -> -1;
        };
    if (digits < 0 || scale != 1) {
      throw new IllegalArgumentException(
          "the coordinate "
              + coordinate.name()
              + " has times of "
              + coordinate.dataType()
              + ", in which labels are unsupported; use isel");
    }
    return BigDecimal.TEN.pow(digits);
  }

  @Override
  boolean isMissing(int position) {
    return values[position] == TimeType.NAT;
  }

  private WholeKey key(CalendarDate date) {
    return key(date.epochSecond(), date.nano());
  }

  private WholeKey key(long second, long nano) {
    BigDecimal seconds = BigDecimal.valueOf(second).add(BigDecimal.valueOf(nano).divide(GIGA));
    return WholeKey.of(seconds.multiply(perSecond));
  }

  private WholeKey key(Duration duration) {
    return key(duration.getSeconds(), duration.getNano());
  }

  @Override
  double tolerance(Object tolerance) {
    WholeKey key = key(duration(tolerance));
    return key.floor().doubleValue() + key.above();
  }

  private Duration duration(Object label) {
    try {
      if (label instanceof Duration duration) {
        return duration;
      } else if (label instanceof String text) {
        return Duration.parse(text.strip());
      }
    } catch (DateTimeException e) {
      throw refused(label, "a length of time is a Duration, or text such as PT6H");
    }
    throw refused(label, "a length of time is a Duration, or text such as PT6H");
  }

  @Override
  Interval<WholeKey> interval(Object label) {
    CfCalendar days = calendar;
    if (days == null) {
      return Interval.of(key(duration(label)));
    }
    try {
      if (label instanceof String text) {
        DatePeriod period = DatePeriod.parse(days, text);
        boolean isPeriod = period.resolution().compareTo(resolution()) < 0;
        return new Interval<>(key(period.start()), key(period.end()), true, isPeriod);
      } else if (label instanceof CalendarDate date) {
        if (date.calendar() != days) {
          throw refused(label, "its calendar is " + days + ", not " + date.calendar());
        }
        return Interval.of(key(date));
      }
      return Interval.of(key(CalendarDate.of(days, instant(label))));
    } catch (IllegalArgumentException e) {
      throw refused(label, String.valueOf(e.getMessage()));
    }
  }

  private Instant instant(Object label) {
    if (label instanceof Instant instant) {
      return instant;
    } else if (label instanceof LocalDate date) {
      return date.atStartOfDay().toInstant(ZoneOffset.UTC);
    } else if (label instanceof LocalDateTime time) {
      return time.toInstant(ZoneOffset.UTC);
    }
    throw refused(label, "a time is an Instant, a local date, a CalendarDate, or text in ISO 8601");
  }

  /** Returns the finest part of a date that a value has, at least the day. */
  private DatePeriod.Resolution resolution() {
    DatePeriod.Resolution known = resolution;
    if (known == null) {
      known = DatePeriod.Resolution.DAY;
      for (int i = 0; i < values.length; i++) {
        DatePeriod.Resolution its =
            isMissing(i) ? DatePeriod.Resolution.DAY : DatePeriod.Resolution.of(date(i));
        known = its.compareTo(known) > 0 ? its : known;
      }
      resolution = known;
    }
    return known;
  }

  /** The calendar; null for lengths of time. */
  @Nullable CfCalendar calendar() {
    return calendar;
  }

  CalendarDate date(int position) {
    long count = perSecond.longValue();
    return CalendarDate.ofEpoch(
        calendar == null ? CfCalendar.STANDARD : calendar,
        Math.floorDiv(values[position], count),
        Math.floorMod(values[position], count) * (1_000_000_000L / count));
  }

  /**
   * Returns the value of a date.
   *
   * @throws ArithmeticException if no value stands for it
   */
  long count(CalendarDate date) {
    return BigDecimal.valueOf(date.epochSecond())
        .add(BigDecimal.valueOf(date.nano()).divide(GIGA))
        .multiply(perSecond)
        .longValueExact();
  }

  /**
   * Returns the count of a label in the unit of the values.
   *
   * @throws dev.zarrreactive.error.InvalidInputException if no count stands for it
   */
  long countOf(Object label) {
    WholeKey key = interval(label).low();
    if (key.above() != 0 || key.floor().bitLength() >= Long.SIZE) {
      throw refused(label, "it is between two counts of the values");
    }
    return key.floor().longValue();
  }

  @Override
  Variable labels(Variable coordinate, List<?> labels) {
    long[] counts = labels.stream().mapToLong(this::countOf).toArray();
    NdArray times = NdArray.ofLongs(coordinate.dataType(), Shape.of(counts.length), counts);
    return new Variable(
        coordinate.name(),
        coordinate.attributes(),
        new MemoryValues(coordinate.dimensions(), times, coordinate.times().orElse(null)));
  }

  @Override
  String text(int position) {
    if (isMissing(position)) {
      return "NaT";
    }
    return calendar == null
        ? BigDecimal.valueOf(values[position]).divide(perSecond).toPlainString() + " s"
        : date(position).toString();
  }
}
