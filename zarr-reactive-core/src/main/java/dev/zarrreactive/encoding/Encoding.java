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
 * <p>NumPy files, JSON, CSV and pictures are {@code Encodings} of the module {@code
 * zarr-reactive-encodings}. An own format implements this interface and {@link Encoder}.
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

  /** The media type, such as {@code image/png}, for {@code Content-Type}. */
  String mediaType();

  /** The usual end of a file's name, such as {@code .npy}. */
  String fileSuffix();

  /**
   * Returns the number of bytes where the format, the data type and the shape decide it, for {@code
   * Content-Length}: of {@link #raw} and of NumPy files. Otherwise empty.
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
