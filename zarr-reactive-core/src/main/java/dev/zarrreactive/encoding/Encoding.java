package dev.zarrreactive.encoding;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A format for the elements of a selection, which {@code ZarrArray.encode} publishes. Elements
 * stand in C order of the result, as {@code ZarrArray.read} has them. Immutable and thread-safe; an
 * encoding serves any number of arrays.
 *
 * <p>An own format implements this interface and {@link Encoder}.
 */
public interface Encoding {
  /**
   * Returns the elements' images without a header, in either byte order. A {@code bool} and an
   * integer of less than 8 bits take one byte. Serves every data type except a {@link
   * dev.zarrreactive.datatype.VariableLengthType}. Little-endian pieces are views; nothing is
   * copied.
   */
  static Encoding raw(ByteOrder order) {
    return new RawEncoding(order);
  }

  /**
   * Returns NumPy's {@code .npy}, version 1.0, or 2.0 for a long header. Values are little-endian,
   * whatever byte order is stored. Serves every data type except a {@link
   * dev.zarrreactive.datatype.VariableLengthType}. A type that NumPy lacks, such as {@code
   * bfloat16}, becomes opaque bytes ({@code V2}), as the package ml_dtypes writes it.
   */
  static Encoding npy() {
    return new NpyEncoding();
  }

  /**
   * Returns JSON lines: each element on a line of its own, in the form that a fill value of the
   * same bits has. So numbers are exact, {@code uint64} too; a NaN is {@code "NaN"} or its bits in
   * hexadecimal, an infinity {@code "Infinity"} or {@code "-Infinity"}. A time is its count, or
   * {@code "NaT"}. Serves every data type.
   */
  static Encoding jsonLines() {
    return JsonEncoding.LINES;
  }

  /**
   * Returns one JSON document: lists in lists, one level for each dimension of the result, of
   * elements as in {@link #jsonLines}. A result of rank 0 is the bare element, an empty one {@code
   * []}. Serves every data type.
   */
  static Encoding json() {
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
  static Encoding csv() {
    return new CsvEncoding();
  }

  /**
   * Returns a PNG picture with exact values: grey of 8 or 16 bits for {@code uint8} and {@code
   * uint16}, black and white for {@code bool}. A result of rank 3 whose last extent is 3 or 4 is
   * RGB or RGBA. Otherwise the result is a plane: rank 2, rows first, where leading and trailing
   * extents of 1 do not count. At most 2^30 pixels.
   */
  static Encoding png() {
    return new PngEncoding(null);
  }

  /**
   * Returns a PNG picture of a plane of integers or floats of any size, in grey of 8 bits. The
   * plane is as in {@link #png()}.
   */
  static Encoding png(GreyScale scale) {
    return new PngEncoding(scale);
  }

  /** The media type, such as {@code image/png}, for {@code Content-Type}. */
  String mediaType();

  /** The usual end of a file's name, such as {@code .npy}. */
  String fileSuffix();

  /**
   * Returns the number of bytes where the format, the data type and the shape decide it, for {@code
   * Content-Length}: of {@link #raw} and {@link #npy}. Otherwise empty.
   *
   * @throws IllegalArgumentException if the selection does not fit the shape
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if the format lacks the data type
   */
  default OptionalLong length(ArrayMetadata array, Selection selection) {
    return OptionalLong.empty();
  }

  /**
   * Returns this format of converted elements. Codec threads convert on the way from a chunk into
   * the elements that are encoded. The result of elements that are joined lacks the last dimension,
   * and a selection that divides it is an {@link IllegalArgumentException}.
   *
   * @throws IllegalArgumentException if this format converts elements already
   */
  default Encoding converted(ElementConversion conversion) {
    return new ConvertedEncoding(this, conversion);
  }

  /**
   * Returns the conversion that makes the elements that are encoded from those that are stored;
   * empty for stored elements. It is refused for a {@link
   * dev.zarrreactive.datatype.VariableLengthType} that is stored.
   */
  default Optional<ElementConversion> conversion() {
    return Optional.empty();
  }

  /**
   * Returns an encoder for one subscription.
   *
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if the format lacks the data type or
   *     the shape of the result; the message names an encoding that has it
   */
  Encoder encoder(ArrayMetadata array, ResolvedSelection selection);
}
