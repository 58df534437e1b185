package dev.zarrreactive.cli.statistics;

import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import java.math.BigDecimal;
import java.math.MathContext;

/** The standard deviation of times, which is a length of time: {@code 8.94884 days}. */
final class TimeSpread {
  private static final MathContext DIGITS = new MathContext(6);

  private TimeSpread() {}

  /** Returns a deviation in the largest unit of which it is one or more. */
  static String text(TimeType type, double deviation) {
    if (Double.isNaN(deviation) || Double.isInfinite(deviation)) {
      return String.valueOf(deviation);
    }
    double count = deviation * type.scaleFactor();
    return switch (type.unit()) {
      case GENERIC -> number(count);
      case YEAR -> number(count) + " years";
      case MONTH -> number(count) + " months";
      default -> seconds(count * seconds(type.unit()));
    };
  }

  private static double seconds(NumpyUnit unit) {
    return switch (unit) {
      case WEEK -> 7 * 86_400;
      case DAY -> 86_400;
      case HOUR -> 3_600;
      case MINUTE -> 60;
      case MILLISECOND -> 1e-3;
      case MICROSECOND -> 1e-6;
      case NANOSECOND -> 1e-9;
      case PICOSECOND -> 1e-12;
      case FEMTOSECOND -> 1e-15;
      case ATTOSECOND -> 1e-18;
      default -> 1;
    };
  }

  private static String seconds(double seconds) {
    if (seconds >= 86_400) {
      return number(seconds / 86_400) + " days";
    } else if (seconds >= 3_600) {
      return number(seconds / 3_600) + " hours";
    } else if (seconds >= 60) {
      return number(seconds / 60) + " minutes";
    } else if (seconds >= 1 || seconds == 0) {
      return number(seconds) + " s";
    } else if (seconds >= 1e-3) {
      return number(seconds * 1e3) + " ms";
    } else if (seconds >= 1e-6) {
      return number(seconds * 1e6) + " µs";
    }
    return number(seconds * 1e9) + " ns";
  }

  private static String number(double number) {
    BigDecimal rounded = new BigDecimal(number).round(DIGITS).stripTrailingZeros();
    return rounded.scale() > 20 ? rounded.toString() : rounded.toPlainString();
  }
}
