package dev.zarrreactive.cli.console;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers for people. */
public final class Quantities {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"};
  private static final BigDecimal STEP = BigDecimal.valueOf(1024);

  private Quantities() {}

  /** A number of bytes, such as {@code 15.8 KiB}. */
  public static String bytes(BigInteger count) {
    if (count.bitLength() <= 10) {
      return plural(count, "byte");
    }
    BigDecimal scaled = new BigDecimal(count);
    int unit = -1;
    while (scaled.compareTo(STEP) >= 0 && unit < UNITS.length - 1) {
      scaled = scaled.divide(STEP);
      unit++;
    }
    return scaled.setScale(1, RoundingMode.HALF_UP).toPlainString() + " " + UNITS[unit];
  }

  /** A number of bytes, such as {@code 15.8 KiB}. */
  public static String bytes(long count) {
    return bytes(BigInteger.valueOf(count));
  }

  /** A number with its thousands marked, such as {@code 777,600}. */
  public static String number(BigInteger number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number with its noun, such as {@code 1 chunk} and {@code 48 chunks}. */
  public static String plural(BigInteger count, String noun) {
    return number(count) + " " + noun + (count.equals(BigInteger.ONE) ? "" : "s");
  }

  /** A number with its noun, such as {@code 1 chunk} and {@code 48 chunks}. */
  public static String plural(long count, String noun) {
    return plural(BigInteger.valueOf(count), noun);
  }
}
