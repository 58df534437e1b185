package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * The rows of a PNG picture (W3C, third edition): grey, with or without alpha, RGB or RGBA, of 8 or
 * 16 bits, grey of fewer bits, and palettes, which become RGB.
 */
public final class PngPicture implements RowFile.Rows {
  private static final int GREY = 0;
  private static final int RGB = PngChunk.COLOUR;
  private static final int OF_PALETTE = PngChunk.COLOUR | PngChunk.PALETTE;
  private static final int GREY_WITH_ALPHA = PngChunk.ALPHA;
  private static final int RGBA = PngChunk.COLOUR | PngChunk.ALPHA;

  private final DataInputStream file;
  private final int width;
  private final int height;
  private final int bits;
  private final int colourType;
  private final byte[] palette;
  private final InputStream pixels;
  private byte[] previous;

  private PngPicture(Path path) throws IOException {
    file = new DataInputStream(new BufferedInputStream(Files.newInputStream(path)));
    byte[] signature = PngChunk.signature();
    if (!Arrays.equals(file.readNBytes(signature.length), signature)) {
      throw new UnreadableFileException("not a PNG picture");
    }
    PngChunk header = PngChunk.read(file);
    if (!header.is("IHDR") || header.data().length != 13) {
      throw new UnreadableFileException("the PNG picture has no header");
    }
    ByteBuffer fields = ByteBuffer.wrap(header.data());
    width = fields.getInt();
    height = fields.getInt();
    bits = fields.get();
    colourType = fields.get();
    check(header.data()[12]);
    byte[] colours = {};
    PngChunk chunk = PngChunk.read(file);
    while (!chunk.is("IDAT")) {
      if (chunk.is("PLTE")) {
        colours = chunk.data();
      } else if (chunk.is("tRNS")) {
        throw new UnreadableFileException(
            "the PNG picture marks one colour as transparent; save it as RGBA to import it");
      } else if (chunk.is("IEND")) {
        throw new UnreadableFileException("the PNG picture has no pixels");
      }
      chunk = PngChunk.read(file);
    }
    palette = colours;
    pixels = new InflaterInputStream(new CompressedPixels(chunk));
    previous = new byte[rowBytes()];
  }

  private void check(int interlace) {
    boolean isOfBytes = bits == 8 || bits == 16;
    boolean isOfFew = bits == 1 || bits == 2 || bits == 4;
    boolean fits =
        switch (colourType) {
          case GREY -> isOfBytes || isOfFew;
          case OF_PALETTE -> bits == 8 || isOfFew;
          case RGB, GREY_WITH_ALPHA, RGBA -> isOfBytes;
          default -> false;
        };
    if (!fits || width < 1 || height < 1 || width > PngChunk.LONGEST / 8) {
      throw new UnreadableFileException(
          "the PNG picture has "
              + width
              + " x "
              + height
              + " pixels of the colour type "
              + colourType
              + " with "
              + bits
              + " bits, which is no picture that can be read");
    }
    if (interlace != 0) {
      throw new UnreadableFileException(
          "the PNG picture is interlaced; save it without to import it");
    }
  }

  /**
   * Returns the rows of a picture, of shape [height, width] or [height, width, samples]. The call
   * reads the file's start.
   *
   * @throws UnreadableFileException for a file that is broken or of another kind
   */
  public static RowFile of(Path path) throws IOException {
    try (PngPicture picture = new PngPicture(path)) {
      return new RowFile(
          picture.dataType(), picture.shape(picture.height), () -> new PngPicture(path));
    }
  }

  private DataType dataType() {
    return bits == 16 ? DataTypes.UINT16 : DataTypes.UINT8;
  }

  private Shape shape(int rows) {
    int samples = colourType == OF_PALETTE ? 3 : storedSamples();
    return samples == 1 ? Shape.of(rows, width) : Shape.of(rows, width, samples);
  }

  /** Returns the number of stored samples of a pixel. */
  private int storedSamples() {
    return switch (colourType) {
      case RGB -> 3;
      case GREY_WITH_ALPHA -> 2;
      case RGBA -> 4;
      default -> 1;
    };
  }

  private int rowBytes() {
    return (int) (((long) width * storedSamples() * bits + 7) / 8);
  }

  @Override
  public NdArray next(int rows) throws IOException {
    Shape shape = shape(rows);
    DataType type = dataType();
    byte[] images = new byte[shape.byteSize(type.itemSize())];
    int size = images.length / rows;
    try {
      for (int row = 0; row < rows; row++) {
        expand(readRow(), images, row * size);
      }
    } catch (EOFException | ZipException e) {
      throw new UnreadableFileException(
          "the PNG picture is cut off or broken: " + e.getMessage(), e);
    }
    return NdArray.wrap(type, shape, Bytes.wrap(images));
  }

  /** Reads the next row, and takes its filter away (section 9). */
  private byte[] readRow() throws IOException {
    int filter = pixels.read();
    byte[] row = pixels.readNBytes(rowBytes());
    if (filter < 0 || row.length < rowBytes()) {
      throw new EOFException("a row is missing");
    }
    int step = Math.max(1, storedSamples() * bits / 8);
    for (int i = 0; i < row.length; i++) {
      int left = i < step ? 0 : row[i - step] & 0xff;
      int above = previous[i] & 0xff;
      int corner = i < step ? 0 : previous[i - step] & 0xff;
      row[i] +=
          (byte)
              switch (filter) {
                case 0 -> 0;
                case 1 -> left;
                case 2 -> above;
                case 3 -> (left + above) / 2;
                case 4 -> paeth(left, above, corner);
                default -> throw new ZipException("filter " + filter);
              };
    }
    previous = row;
    return row;
  }

  private static int paeth(int left, int above, int corner) {
    int estimate = left + above - corner;
    int ofLeft = Math.abs(estimate - left);
    int ofAbove = Math.abs(estimate - above);
    int ofCorner = Math.abs(estimate - corner);
    return ofLeft <= ofAbove && ofLeft <= ofCorner ? left : ofAbove <= ofCorner ? above : corner;
  }

  /** Writes the images of a row: little-endian, with colours in place of their numbers. */
  private void expand(byte[] row, byte[] images, int to) {
    if (bits == 16) {
      for (int i = 0; i < row.length; i += 2) {
        images[to + i] = row[i + 1];
        images[to + i + 1] = row[i];
      }
      return;
    }
    if (bits == 8 && colourType != OF_PALETTE) {
      System.arraycopy(row, 0, images, to, row.length);
      return;
    }
    int greatest = (1 << bits) - 1;
    for (int x = 0; x < width; x++) {
      int bit = x * bits;
      int sample = ((row[bit / 8] & 0xff) >> (8 - bits - bit % 8)) & greatest;
      if (colourType != OF_PALETTE) {
        images[to + x] = (byte) (sample * 255 / greatest);
      } else if (3 * sample + 3 > palette.length) {
        throw new UnreadableFileException("the PNG picture has a pixel that its palette lacks");
      } else {
        System.arraycopy(palette, 3 * sample, images, to + 3 * x, 3);
      }
    }
  }

  /** The compressed pixels, chunk after chunk. */
  private final class CompressedPixels extends InputStream {
    private byte[] data;
    private int at;

    CompressedPixels(PngChunk first) {
      this.data = first.data();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      while (at == data.length) {
        PngChunk next = PngChunk.read(file);
        if (!next.is("IDAT")) {
          return -1;
        }
        data = next.data();
        at = 0;
      }
      int count = Math.min(length, data.length - at);
      System.arraycopy(data, at, into, offset, count);
      at += count;
      return count;
    }
  }

  @Override
  public void close() {
    RowFile.close(file);
  }
}
