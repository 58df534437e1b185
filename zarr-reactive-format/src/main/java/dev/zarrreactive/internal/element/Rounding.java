package dev.zarrreactive.internal.element;

import dev.zarrreactive.json.LocatedJson;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** The roundings of casts. */
public enum Rounding {
  NEAREST_EVEN("nearest-even", RoundingMode.HALF_EVEN),
  TOWARDS_ZERO("towards-zero", RoundingMode.DOWN),
  TOWARDS_POSITIVE("towards-positive", RoundingMode.CEILING),
  TOWARDS_NEGATIVE("towards-negative", RoundingMode.FLOOR),
  NEAREST_AWAY("nearest-away", RoundingMode.HALF_UP);

  private final String json;
  private final RoundingMode decimal;

  Rounding(String json, RoundingMode decimal) {
    this.json = json;
    this.decimal = decimal;
  }

  /** Reads the name that the codec {@code cast_value} gives a rounding. */
  public static Rounding parse(LocatedJson json) {
    String name =
        json.oneOf(
            "nearest-even", "towards-zero", "towards-positive", "towards-negative", "nearest-away");
    for (Rounding rounding : values()) {
      if (rounding.json.equals(name)) {
        return rounding;
      }
    }
    throw json.expected("a rounding");
  }

  /** Rounds a finite value to an integer. */
  double toInteger(double value) {
    return switch (this) {
      case NEAREST_EVEN -> Math.rint(value);
      case TOWARDS_ZERO -> value < 0 ? Math.ceil(value) : Math.floor(value);
      case TOWARDS_POSITIVE -> Math.ceil(value);
      case TOWARDS_NEGATIVE -> Math.floor(value);
      case NEAREST_AWAY -> {
        double down = Math.floor(Math.abs(value));
        yield Math.copySign(Math.abs(value) - down >= 0.5 ? down + 1 : down, value);
      }
    };
  }

  /**
   * Rounds an exact value to a float, and returns the bits of its magnitude. The value is not below
   * all magnitudes of the type. The result is one more than the largest number's for a value beyond
   * that number by half a step or more, or by anything if the rounding is away from zero.
   */
  long toFloat(BigDecimal exact, Scalar type) {
    BigDecimal magnitude = exact.abs();
    // as sign and magnitude, the bits of floats are in the order of their values
    long largest = type.format().largest();
    double near = magnitude.doubleValue();
    long below = type.covers(near) ? type.fromDouble(near) : largest;
    while (type.exact(below).compareTo(magnitude) > 0) {
      below--;
    }
    while (below < largest && type.exact(below + 1).compareTo(magnitude) <= 0) {
      below++;
    }
    BigDecimal over = magnitude.subtract(type.exact(below));
    if (over.signum() == 0) {
      return below;
    }
    int half = over.multiply(BigDecimal.valueOf(2)).compareTo(step(below, type));
    boolean odd = (below & 1) != 0 || type.format().mantissaBits() == 0;
    boolean up =
        switch (decimal) {
          case HALF_EVEN -> half > 0 || (half == 0 && odd);
          case HALF_UP -> half >= 0;
          case CEILING -> exact.signum() > 0;
          case FLOOR -> exact.signum() < 0;
          default -> false;
        };
    return below + (up ? 1 : 0);
  }

  /** Returns the distance to the next magnitude; from the largest, to its imaginary successor. */
  private static BigDecimal step(long below, Scalar type) {
    if (type.format().mantissaBits() == 0) {
      return type.exact(below);
    }
    return below < type.format().largest()
        ? type.exact(below + 1).subtract(type.exact(below))
        : type.exact(below).subtract(type.exact(below - 1));
  }
}
