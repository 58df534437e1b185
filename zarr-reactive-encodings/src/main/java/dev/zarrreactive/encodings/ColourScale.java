package dev.zarrreactive.encodings;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;

/**
 * A linear scale of colours in a {@link Encodings#png(ColourScale) picture}. A value at or beyond
 * {@code least} has the first colour of the map, at or beyond {@code greatest} the last one; {@code
 * least} may be the larger one. NaN is transparent. A value of 64 bits is rounded to the nearest
 * {@code double} first.
 *
 * @param map the colours
 * @param least the value with the first colour
 * @param greatest the value with the last colour
 * @param hidesFill true if elements with the bits of the array's fill value are transparent, too
 */
public record ColourScale(ColourMap map, double least, double greatest, boolean hidesFill) {
  /**
   * Checks the ends.
   *
   * @throws IllegalArgumentException if the ends are equal, or their difference is no finite number
   */
  public ColourScale {
    if (least == greatest || !Double.isFinite(greatest - least)) {
      throw new IllegalArgumentException(
          "a scale of colours needs two different finite values, found "
              + least
              + " and "
              + greatest);
    }
  }

  /** Returns the scale on which fill values are values like others. */
  public static ColourScale of(ColourMap map, double least, double greatest) {
    return new ColourScale(map, least, greatest, false);
  }

  /** Returns the same scale, on which fill values are transparent. */
  public ColourScale withTransparentFill() {
    return new ColourScale(map, least, greatest, true);
  }

  /**
   * Returns the colour of a value as {@code 0xAARRGGBB}: opaque, or 0 for NaN, which is
   * transparent.
   */
  public int colour(double value) {
    return Double.isNaN(value) ? 0 : 0xff000000 | map.colour((value - least) / (greatest - least));
  }

  /**
   * Returns a picture of {@code height} times {@code width} pixels with a plane of numbers in its
   * upper left corner; the rest is transparent, and so is NaN. Fill values are values like others.
   *
   * @param plane integers or floats of shape (rows, columns)
   * @return {@code uint8} of shape (height, width, 4): red, green, blue and opacity
   * @throws IllegalArgumentException for another type or shape, and if the plane has no room
   */
  public NdArray rgba(NdArray plane, int height, int width) {
    DataType type = plane.dataType();
    if (plane.shape().rank() != 2 || !(type instanceof IntegerType || type instanceof FloatType)) {
      throw new IllegalArgumentException(
          "colours are for a plane of integers or floats, not for "
              + type
              + " of "
              + plane.shape());
    }
    NdArray flat =
        plane.toContiguous().reshape(Shape.of(plane.shape().elementCountUpTo(Integer.MAX_VALUE)));
    return Encodings.padded(
        plane.shape(), height, width, pixel -> colour(PngSamples.value(type, flat, pixel)));
  }
}
