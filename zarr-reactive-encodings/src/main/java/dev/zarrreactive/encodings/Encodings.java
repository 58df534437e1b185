package dev.zarrreactive.encodings;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The formats in which {@code ZarrArray.encode} publishes the elements of a selection. {@link
 * Encoding#raw} has the bytes alone.
 */
public final class Encodings {
  /** The bytes that are encoded at once. */
  private static final int PART = 1 << 16;

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
    return new PngEncoding(null, null);
  }

  /**
   * Returns a PNG picture of a plane of integers or floats of any size, in grey of 8 bits. The
   * plane is as in {@link #png()}.
   */
  public static Encoding png(GreyScale scale) {
    return new PngEncoding(scale, null);
  }

  /**
   * Returns a PNG picture of a plane of integers or floats of any size, in the colours of a map,
   * with 8 bits each. The plane is as in {@link #png()}.
   */
  public static Encoding png(ColourScale scale) {
    return new PngEncoding(null, scale);
  }

  /**
   * Returns the elements of an array in memory in a format, for example the bytes of a PNG file.
   * They are encoded on the caller's thread.
   *
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if the format lacks the data type or
   *     the shape
   */
  public static Bytes encode(Encoding format, NdArray values) {
    NdArray elements = values.toContiguous();
    Encoder encoder =
        format.encoder(
            ArrayMetadata.v3(elements.shape(), elements.dataType()).build(),
            Selection.all().resolve(elements.shape()));
    List<Bytes> parts = new ArrayList<>();
    parts.add(encoder.begin());
    int count = (int) elements.shape().elementCountUpTo(Integer.MAX_VALUE);
    for (int next = 0; next < count; ) {
      Encoder.Part part = encoder.encode(elements, next, PART);
      parts.add(part.bytes());
      next = part.next();
    }
    parts.add(encoder.end());
    return Bytes.join(parts);
  }

  /**
   * Returns a picture of {@code height} times {@code width} pixels with a plane in its upper left
   * corner; the rest is transparent. So tiles at the edges of an array are as large as the others.
   *
   * @param plane {@code uint8} of shape (rows, columns) in grey, (rows, columns, 3) in red, green
   *     and blue, or (rows, columns, 4) with the opacity
   * @return {@code uint8} of shape (height, width, 4)
   * @throws IllegalArgumentException for another type or shape, and if the plane has no room
   */
  public static NdArray rgba(NdArray plane, int height, int width) {
    Shape shape = plane.shape();
    long colours = shape.rank() == 2 ? 1 : shape.rank() == 3 ? shape.extent(2) : 0;
    if (!plane.dataType().equals(DataTypes.UINT8)
        || (colours != 1 && colours != 3 && colours != 4)) {
      throw new IllegalArgumentException(
          "a picture has uint8 of the shape (rows, columns), with 3 or 4 colours or none, not "
              + plane.dataType()
              + " of "
              + shape);
    }
    Bytes samples = plane.toContiguous().bytes();
    return padded(
        shape,
        height,
        width,
        pixel -> {
          int at = (int) (pixel * colours);
          int red = samples.get(at) & 0xff;
          int green = colours == 1 ? red : samples.get(at + 1) & 0xff;
          int blue = colours == 1 ? red : samples.get(at + 2) & 0xff;
          int opacity = colours == 4 ? samples.get(at + 3) & 0xff : 0xff;
          return opacity << 24 | red << 16 | green << 8 | blue;
        });
  }

  /**
   * Returns pixels in the upper left corner of a picture.
   *
   * @param colour returns {@code 0xAARRGGBB} of a pixel in C order
   */
  static NdArray padded(Shape plane, int height, int width, IntUnaryOperator colour) {
    if (plane.extent(0) > height || plane.extent(1) > width) {
      throw new IllegalArgumentException(
          "the plane " + plane + " has no room in " + height + " x " + width + " pixels");
    }
    int columns = (int) plane.extent(1);
    byte[] rgba = new byte[Math.multiplyExact(4, Math.multiplyExact(height, width))];
    for (int row = 0; row < plane.extent(0); row++) {
      int at = 4 * row * width;
      for (int column = 0; column < columns; column++) {
        int pixel = colour.applyAsInt(row * columns + column);
        rgba[at++] = (byte) (pixel >> 16);
        rgba[at++] = (byte) (pixel >> 8);
        rgba[at++] = (byte) pixel;
        rgba[at++] = (byte) (pixel >> 24);
      }
    }
    return NdArray.ofBytes(DataTypes.UINT8, Shape.of(height, width, 4), rgba);
  }
}
