package dev.zarrreactive.cf;

import dev.zarrreactive.datatype.DataType;
import java.util.OptionalLong;

/**
 * The decoding of integers whose values are {@code stored * scale + offset} in {@code float64}, but
 * for one missing value. So statistics of values are those of the stored integers.
 *
 * @param stored the type of the stored integers, with the sign of {@code _Unsigned}
 * @param missing the integer that stands for missing values; empty for none
 * @param scale 1 for plain integers
 * @param offset -0.0 for none, which leaves the sign of zero
 */
public record LinearDecoding(DataType stored, OptionalLong missing, double scale, double offset) {
  /** Returns the value of an integer other than the missing one. */
  public double value(long integer) {
    return integer * scale + offset;
  }
}
