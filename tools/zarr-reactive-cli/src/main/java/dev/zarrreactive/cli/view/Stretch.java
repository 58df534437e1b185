package dev.zarrreactive.cli.view;

import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.util.Locale;

/**
 * The numbers that get the first and the last colour.
 *
 * @param least the one with the first colour: a number, or a percentile
 * @param greatest the one with the last colour
 * @param isOfPercent true if both are percentiles of the numbers that are drawn
 */
public record Stretch(double least, double greatest, boolean isOfPercent) {
  /** From the 2nd to the 98th percentile. */
  private static final Stretch MOST = new Stretch(2, 98, true);

  /** Returns the usual stretch: exact for the samples of pictures, else of percentiles. */
  static Stretch of(DataType type) {
    if (type.equals(DataTypes.UINT8)) {
      return new Stretch(0, 255, false);
    }
    return type instanceof BoolType ? new Stretch(0, 1, false) : MOST;
  }

  /** Returns the stretch in numbers for a band. */
  Stretch resolved(PlaneValues values, int band) {
    return isOfPercent
        ? new Stretch(values.percentile(band, least), values.percentile(band, greatest), false)
        : this;
  }

  /** Returns the place of a value from 0 to 1; the middle where all are equal. */
  double place(double value) {
    return least == greatest ? 0.5 : (value - least) / (greatest - least);
  }

  /** Returns the text for a legend. */
  String text(PlaneValues values) {
    if (!isOfPercent || values.bands() > 1) {
      return number(least) + " to " + number(greatest) + (isOfPercent ? " % of each band" : "");
    }
    Stretch numbers = resolved(values, 0);
    return Double.isNaN(numbers.least)
        ? "no number"
        : number(numbers.least)
            + " to "
            + number(numbers.greatest)
            + " ("
            + number(least)
            + " to "
            + number(greatest)
            + " %)";
  }

  private static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return String.format(Locale.ROOT, "%,d", (long) value);
    }
    return String.format(Locale.ROOT, "%.4g", value);
  }
}
