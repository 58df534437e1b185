package dev.zarrreactive.encoding;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.Components;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/** The images of the elements, without a header. */
record RawEncoding(ByteOrder order) implements Encoding {
  /** The parts are the bands themselves. */
  private static final Encoder VIEWS =
      new Encoder() {
        @Override
        public Part encode(NdArray band, int from, int size) {
          return new Part(band.bytes(), count(band));
        }

        @Override
        public boolean isView() {
          return true;
        }

        @Override
        public boolean isFixedSize() {
          return true;
        }
      };

  @Override
  public String mediaType() {
    return "application/octet-stream";
  }

  @Override
  public String fileSuffix() {
    return ".raw";
  }

  @Override
  public OptionalLong length(ArrayMetadata array, Selection selection) {
    Shape shape = selection.resolve(array.shape()).shape();
    DataType type = array.dataType();
    requireImages(type);
    BigInteger size = shape.elementCount().multiply(BigInteger.valueOf(type.itemSize()));
    return size.bitLength() < Long.SIZE ? OptionalLong.of(size.longValue()) : OptionalLong.empty();
  }

  private static void requireImages(DataType type) {
    if (type instanceof VariableLengthType) {
      throw new UnsupportedFeatureException(
          "elements of "
              + type
              + " have a variable size, which raw bytes cannot have; the encodings jsonLines, json"
              + " and csv can",
          Location.UNKNOWN);
    }
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    DataType type = array.dataType();
    requireImages(type);
    return order == ByteOrder.LITTLE_ENDIAN || !type.hasByteOrder() ? VIEWS : new Swapping(type);
  }

  private record Swapping(DataType type) implements Encoder {
    @Override
    public Part encode(NdArray band, int from, int size) {
      return swap(type, band, from, size);
    }

    @Override
    public boolean isFixedSize() {
      return true;
    }
  }

  private static Encoder.Part swap(DataType type, NdArray band, int from, int size) {
    int itemSize = type.itemSize();
    int next = Math.min(count(band), from + Math.max(1, size / itemSize));
    byte[] images = band.bytes().slice(from * itemSize, (next - from) * itemSize).toByteArray();
    for (int at = 0; at < images.length; ) {
      for (Components components : type.components()) {
        components.swap(images, at);
        at += components.byteSize();
      }
    }
    return new Encoder.Part(Bytes.wrap(images), next);
  }

  /** Returns the number of elements of a band. */
  private static int count(NdArray band) {
    return (int) band.shape().elementCountUpTo(Integer.MAX_VALUE);
  }
}
