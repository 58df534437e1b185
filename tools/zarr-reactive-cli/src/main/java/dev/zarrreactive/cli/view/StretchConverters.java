package dev.zarrreactive.cli.view;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of two numbers with a colon between them. */
public final class StretchConverters {
  private StretchConverters() {}

  /** Reads two numbers, for example {@code -40:50}. */
  public static final class OfNumbers implements ITypeConverter<Stretch> {
    @Override
    public Stretch convert(String text) {
      double[] ends = ends(text);
      if (!Double.isFinite(ends[1] - ends[0])) {
        throw refused(text);
      }
      return new Stretch(ends[0], ends[1], false);
    }
  }

  /** Reads two percentiles, for example {@code 2:98}. */
  public static final class OfPercentiles implements ITypeConverter<Stretch> {
    @Override
    public Stretch convert(String text) {
      double[] ends = ends(text);
      if (!(Math.min(ends[0], ends[1]) >= 0 && Math.max(ends[0], ends[1]) <= 100)) {
        throw new TypeConversionException("expected percentiles from 0 to 100; found " + text);
      }
      return new Stretch(ends[0], ends[1], true);
    }
  }

  private static double[] ends(String text) {
    String[] ends = text.split(":", -1);
    if (ends.length == 2) {
      try {
        double[] both = {Double.parseDouble(ends[0]), Double.parseDouble(ends[1])};
        if (both[0] != both[1]) {
          return both;
        }
      } catch (NumberFormatException e) {
        // reported below
      }
    }
    throw refused(text);
  }

  private static TypeConversionException refused(String text) {
    return new TypeConversionException(
        "expected two different numbers such as -40:50; found " + text);
  }
}
