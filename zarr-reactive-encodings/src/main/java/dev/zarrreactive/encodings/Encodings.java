package dev.zarrreactive.encodings;

import dev.zarrreactive.encoding.Encoding;
import java.nio.ByteOrder;

/**
 * The formats in which {@code ZarrArray.encode} publishes the elements of a selection. {@link
 * Encoding#raw} has the bytes alone.
 */
public final class Encodings {
  private Encodings() {}

  /**
   * Returns NumPy's {@code .npy}, version 1.0, or 2.0 for a long header. Values are little-endian,
   * whatever byte order is stored. Serves every data type except a {@link
   * dev.zarrreactive.datatype.VariableLengthType}. A type that NumPy lacks, such as {@code
   * bfloat16}, becomes opaque bytes ({@code V2}), as the package ml_dtypes writes it.
   */
  public static Encoding npy() {
    return new NpyEncoding(Encoding.raw(ByteOrder.LITTLE_ENDIAN));
  }

  /**
   * Returns JSON lines: each element on a line of its own, in the form that a fill value of the
   * same bits has. So numbers are exact, {@code uint64} too; a NaN is {@code "NaN"} or its bits in
   * hexadecimal, an infinity {@code "Infinity"} or {@code "-Infinity"}. A time is its count, or
   * {@code "NaT"}. Serves every data type.
   */
  public static Encoding jsonLines() {
    return JsonEncoding.LINES;
  }

  /**
   * Returns one JSON document: lists in lists, one level for each dimension of the result, of
   * elements as in {@link #jsonLines}. A result of rank 0 is the bare element, an empty one {@code
   * []}. Serves every data type.
   */
  public static Encoding json() {
    return JsonEncoding.LISTS;
  }

  /**
   * Returns CSV (RFC 4180) in UTF-8, with a header. Each element has a line: its index in every
   * dimension of the array, then its value. The columns have the names of the dimensions, {@code
   * d0}, {@code d1}, ... where they have none, and {@code value}. The fields of a {@code struct}
   * are columns of their own, and so are {@code real} and {@code imag} of a complex number. Values
   * are as in {@link #jsonLines}, strings and {@code NaN} without JSON's quotes, times in ISO 8601.
   * Serves every data type.
   */
  public static Encoding csv() {
    return new CsvEncoding();
  }

  /**
   * Returns a PNG picture with exact values: grey of 8 or 16 bits for {@code uint8} and {@code
   * uint16}, black and white for {@code bool}. A result of rank 3 whose last extent is 3 or 4 is
   * RGB or RGBA. Otherwise the result is a plane: rank 2, rows first, where leading and trailing
   * extents of 1 do not count. At most 2^30 pixels.
   */
  public static Encoding png() {
    return new PngEncoding(null);
  }

  /**
   * Returns a PNG picture of a plane of integers or floats of any size, in grey of 8 bits. The
   * plane is as in {@link #png()}.
   */
  public static Encoding png(GreyScale scale) {
    return new PngEncoding(scale);
  }
}
