package dev.zarrreactive.encodings;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.files.NpyHeader;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.OptionalLong;

/**
 * NumPy's files: a header, then the images of the elements.
 *
 * @param raw the images, little-endian
 */
record NpyEncoding(Encoding raw) implements Encoding {
  @Override
  public String mediaType() {
    return "application/x-npy";
  }

  @Override
  public String fileSuffix() {
    return ".npy";
  }

  @Override
  public OptionalLong length(ArrayMetadata array, Selection selection) {
    DataType type = array.dataType();
    requireImages(type);
    Shape shape = selection.resolve(array.shape()).shape();
    int header = NpyHeader.of(type, shape).size();
    OptionalLong images = raw.length(array, selection);
    return images.isPresent() && images.getAsLong() <= Long.MAX_VALUE - header
        ? OptionalLong.of(images.getAsLong() + header)
        : OptionalLong.empty();
  }

  private static void requireImages(DataType type) {
    if (type instanceof VariableLengthType) {
      throw new UnsupportedFeatureException(
          "elements of "
              + type
              + " have a variable size, which an .npy file cannot have; the encodings jsonLines,"
              + " json and csv can",
          Location.UNKNOWN);
    }
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    DataType type = array.dataType();
    requireImages(type);
    Bytes header = NpyHeader.of(type, selection.shape());
    Encoder images = raw.encoder(array, selection);
    boolean isView = !(type instanceof BoolType);
    return new Encoder() {
      @Override
      public Bytes begin() {
        return header;
      }

      @Override
      public Part encode(NdArray band, int from, int size) {
        return isView ? images.encode(band, from, size) : bools(band, from, size);
      }

      @Override
      public boolean isView() {
        return isView;
      }

      @Override
      public boolean isFixedSize() {
        return true;
      }
    };
  }

  /** Encodes bools as bytes 0 and 1 only, as NumPy requires. In memory every byte but 0 is true. */
  private static Encoder.Part bools(NdArray band, int from, int size) {
    int next = Math.min(band.bytes().size(), from + size);
    byte[] bytes = band.bytes().slice(from, next - from).toByteArray();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (bytes[i] == 0 ? 0 : 1);
    }
    return new Encoder.Part(Bytes.wrap(bytes), next);
  }
}
