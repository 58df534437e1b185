package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The units of time of NumPy. */
public enum NumpyUnit {
  /** Calendar years. */
  YEAR("Y"),
  /** Calendar months. */
  MONTH("M"),
  /** Seven days. */
  WEEK("W", 7 * 24 * 60 * 60, 0),
  /** 24 hours. */
  DAY("D", 24 * 60 * 60, 0),
  /** 60 minutes. */
  HOUR("h", 60 * 60, 0),
  /** 60 seconds. */
  MINUTE("m", 60, 0),
  /** Seconds, without leap seconds. */
  SECOND("s", 1, 0),
  /** 10<sup>-3</sup> seconds. */
  MILLISECOND("ms", 1, 3),
  /** 10<sup>-6</sup> seconds; read under the name {@code μs}, with U+03BC, too. */
  MICROSECOND("us", 1, 6),
  /** 10<sup>-9</sup> seconds. */
  NANOSECOND("ns", 1, 9),
  /** 10<sup>-12</sup> seconds. */
  PICOSECOND("ps", 1, 12),
  /** 10<sup>-15</sup> seconds. */
  FEMTOSECOND("fs", 1, 15),
  /** 10<sup>-18</sup> seconds. */
  ATTOSECOND("as", 1, 18),
  /** Counts without a unit. */
  GENERIC("generic");

  private static final String GREEK_MICROSECOND = "\u03bcs";

  private final String symbol;
  private final int digits;
  private final BigInteger attoseconds;

  /** Creates a unit without a fixed length. */
  NumpyUnit(String symbol) {
    this(symbol, 0, 0);
  }

  /** Creates a unit of {@code seconds / 10^digits} seconds. */
  NumpyUnit(String symbol, long seconds, int digits) {
    this.symbol = symbol;
    this.digits = digits;
    this.attoseconds = BigInteger.valueOf(seconds).multiply(BigInteger.TEN.pow(18 - digits));
  }

  static NumpyUnit parse(LocatedJson json) {
    if (json.value() instanceof JsonString string) {
      if (string.value().equals(GREEK_MICROSECOND)) {
        return MICROSECOND;
      }
      for (NumpyUnit unit : values()) {
        if (unit.symbol.equals(string.value())) {
          return unit;
        }
      }
    }
    throw json.expected(
        "one of "
            + Arrays.stream(values())
                .map(unit -> "\"" + unit.symbol + "\"")
                .collect(Collectors.joining(", ")));
  }

  /** The name in metadata. */
  public String symbol() {
    return symbol;
  }

  /** Returns true for years and months, whose length varies. */
  boolean isCalendar() {
    return this == YEAR || this == MONTH;
  }

  /** The length in attoseconds, or zero if it varies. */
  BigInteger attoseconds() {
    return attoseconds;
  }

  /** The number of decimal digits of a second that this unit needs. */
  int digits() {
    return digits;
  }
}
