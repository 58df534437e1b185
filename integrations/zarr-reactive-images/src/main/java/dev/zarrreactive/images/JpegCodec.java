package dev.zarrreactive.images;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Arrays;

/**
 * The codec {@code imagecodecs_jpeg} of Zarr v3: a chunk is one JPEG image. Without extents of 1
 * its shape is the rows and columns of a grey image, or the rows, columns and 3 components of one
 * in RGB.
 */
final class JpegCodec implements ArrayToBytesCodec {
  static final String NAME = "imagecodecs_jpeg";

  /** The most rows and columns of JPEG. */
  private static final int MOST = 65_500;

  private final NamedConfiguration configuration;
  private final JpegOptions options;

  private JpegCodec(NamedConfiguration configuration) {
    this.configuration = configuration;
    this.options = JpegOptions.parse(configuration);
  }

  static JpegCodec of(NamedConfiguration use) {
    return new JpegCodec(use);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    if (!decoded.dataType().equals(DataTypes.UINT8)) {
      throw configuration.error(
          "JPEG has elements of uint8, but the chunk is " + decoded.dataType());
    }
    long[] image = extents(decoded.shape());
    boolean fits = image.length == 2 || (image.length == 3 && image[2] == 3);
    if (!fits || Arrays.stream(image).anyMatch(extent -> extent < 1 || extent > MOST)) {
      throw configuration.error(
          "a chunk of shape "
              + decoded.shape()
              + " is no image: expected rows and columns, and 3 components or none, each of 1 to "
              + MOST);
    }
    return SizeBound.atMost(decoded.byteSize()).compressed();
  }

  /** Returns the extents of the image: those of the chunk other than 1, and at least two. */
  static long[] extents(Shape shape) {
    long[] others = Arrays.stream(shape.toArray()).filter(extent -> extent != 1).toArray();
    return switch (others.length) {
      case 0 -> new long[] {1, 1};
      case 1 -> new long[] {1, others[0]};
      default -> others;
    };
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    long[] image = extents(decoded.shape());
    return Bytes.wrap(
        options.encode(
            decoded.bytes().toByteArray(), (int) image[1], (int) image[0], image.length == 3));
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    byte[] pixels = options.decode(encoded, SizeBound.exactly(decoded.byteSize()), decoded.shape());
    return NdArray.wrap(decoded.dataType(), decoded.shape(), Bytes.wrap(pixels));
  }
}
