package dev.zarrreactive.encoding;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.OptionalLong;

/** NumPy's files: a header, then the images of the elements. */
record NpyEncoding() implements Encoding {
  private static final String NAME = "an .npy file";

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
    Shape shape = selection.resolve(array.shape()).shape();
    RawEncoding.requireImages(type, NAME);
    return RawEncoding.length(type, shape, NpyHeader.of(type, shape).size(), NAME);
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    DataType type = array.dataType();
    RawEncoding.requireImages(type, NAME);
    Bytes header = NpyHeader.of(type, selection.shape());
    boolean isView = !(type instanceof BoolType);
    return new Encoder() {
      @Override
      public Bytes begin() {
        return header;
      }

      @Override
      public Part encode(NdArray band, int from, int size) {
        return isView ? RawEncoding.VIEWS.encode(band, from, size) : bools(band, from, size);
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
    int next = Math.min(RawEncoding.count(band), from + size);
    byte[] bytes = band.bytes().slice(from, next - from).toByteArray();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (bytes[i] == 0 ? 0 : 1);
    }
    return new Encoder.Part(Bytes.wrap(bytes), next);
  }
}
