package dev.zarrreactive.encodings;

/**
 * A linear scale of grey in a {@link Encodings#png(GreyScale) picture}. A value at or beyond {@code
 * least} is black, at or beyond {@code greatest} white; {@code least} may be the larger one. NaN is
 * transparent. A value of 64 bits is rounded to the nearest {@code double} first.
 *
 * @param least the value that is black
 * @param greatest the value that is white
 * @param hidesFill true if elements with the bits of the array's fill value are transparent, too
 */
public record GreyScale(double least, double greatest, boolean hidesFill) {
  /**
   * Checks the ends.
   *
   * @throws IllegalArgumentException if the ends are equal, or their difference is no finite number
   */
  public GreyScale {
    if (least == greatest || !Double.isFinite(greatest - least)) {
      throw new IllegalArgumentException(
          "a grey scale needs two different finite values, found " + least + " and " + greatest);
    }
  }

  /** Returns the scale from black to white, on which fill values are values like others. */
  public static GreyScale of(double least, double greatest) {
    return new GreyScale(least, greatest, false);
  }

  /** Returns the same scale, on which fill values are transparent. */
  public GreyScale withTransparentFill() {
    return new GreyScale(least, greatest, true);
  }
}
