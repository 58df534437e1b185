package dev.zarrreactive.cli.input;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * The rows of a PNG picture (W3C, third edition): grey, with or without alpha, RGB or RGBA, of 8 or
 * 16 bits, grey of fewer bits, and palettes, which become RGB.
 */
final class PngPicture implements RowSource.Rows {
  static final byte[] MAGIC = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private static final int LONGEST_CHUNK = 1 << 28;

  private final DataInputStream file;
  private final int width;
  private final int height;
  private final int bits;
  private final int kind;
  private final byte[] palette;
  private final InputStream pixels;

  /** The chunk of pixels that is read, and the place in it. */
  private byte[] chunk;

  private int at;
  private byte[] previous;

  private PngPicture(Path path) throws IOException {
    file = new DataInputStream(new BufferedInputStream(Files.newInputStream(path)));
    byte[] magic = file.readNBytes(MAGIC.length);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new CommandFailure("not a PNG picture");
    }
    byte[] type = new byte[4];
    byte[] header = chunk(type);
    if (!is(type, "IHDR") || header.length != 13) {
      throw new CommandFailure("the PNG picture has no header");
    }
    width = integer(header, 0);
    height = integer(header, 4);
    bits = header[8];
    kind = header[9];
    check(header[12]);
    byte[] colours = {};
    byte[] data = chunk(type);
    while (!is(type, "IDAT")) {
      if (is(type, "PLTE")) {
        colours = data;
      } else if (is(type, "tRNS")) {
        throw new CommandFailure(
            "the PNG picture marks one colour as transparent; save it as RGBA to import it");
      } else if (is(type, "IEND")) {
        throw new CommandFailure("the PNG picture has no pixels");
      }
      data = chunk(type);
    }
    palette = colours;
    chunk = data;
    pixels = new InflaterInputStream(new Pixels());
    previous = new byte[rowBytes()];
  }

  private void check(int interlace) {
    boolean isOfBytes = bits == 8 || bits == 16;
    boolean isOfFew = bits == 1 || bits == 2 || bits == 4;
    boolean fits =
        switch (kind) {
          case 0 -> isOfBytes || isOfFew;
          case 3 -> bits == 8 || isOfFew;
          case 2, 4, 6 -> isOfBytes;
          default -> false;
        };
    if (!fits || width < 1 || height < 1 || width > LONGEST_CHUNK / 8) {
      throw new CommandFailure(
          "the PNG picture has "
              + width
              + " x "
              + height
              + " pixels of kind "
              + kind
              + ", "
              + bits
              + " bits, which no PNG picture of ours has");
    }
    if (interlace != 0) {
      throw new CommandFailure("the PNG picture is interlaced; save it without to import it");
    }
  }

  /** Returns the rows of a picture, of shape [height, width] or [height, width, samples]. */
  static RowSource of(Path path) throws IOException {
    try (PngPicture picture = new PngPicture(path)) {
      DataType type = picture.bits == 16 ? DataTypes.UINT16 : DataTypes.UINT8;
      return new RowSource(type, picture.shape(picture.height), () -> new PngPicture(path));
    }
  }

  private Shape shape(int rows) {
    int samples = kind == 3 ? 3 : stored();
    return samples == 1 ? Shape.of(rows, width) : Shape.of(rows, width, samples);
  }

  /** Returns the stored samples of a pixel. */
  private int stored() {
    return switch (kind) {
      case 2 -> 3;
      case 4 -> 2;
      case 6 -> 4;
      default -> 1;
    };
  }

  private int rowBytes() {
    return (int) (((long) width * stored() * bits + 7) / 8);
  }

  @Override
  public NdArray next(int rows) throws IOException {
    Shape shape = shape(rows);
    DataType type = bits == 16 ? DataTypes.UINT16 : DataTypes.UINT8;
    byte[] images = new byte[shape.byteSize(type.itemSize())];
    int size = images.length / rows;
    try {
      for (int row = 0; row < rows; row++) {
        expand(unfiltered(), images, row * size);
      }
    } catch (EOFException | ZipException e) {
      throw new CommandFailure("the PNG picture is cut off or broken: " + e.getMessage(), e);
    }
    return NdArray.wrap(type, shape, Bytes.wrap(images));
  }

  /** Returns the next row without its filter (section 9). */
  private byte[] unfiltered() throws IOException {
    int filter = pixels.read();
    byte[] row = pixels.readNBytes(rowBytes());
    if (filter < 0 || row.length < rowBytes()) {
      throw new EOFException("a row is missing");
    }
    int step = Math.max(1, stored() * bits / 8);
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
    if (bits == 8 && kind != 3) {
      System.arraycopy(row, 0, images, to, row.length);
      return;
    }
    int greatest = (1 << bits) - 1;
    for (int x = 0; x < width; x++) {
      int bit = x * bits;
      int sample = ((row[bit / 8] & 0xff) >> (8 - bits - bit % 8)) & greatest;
      if (kind != 3) {
        images[to + x] = (byte) (sample * 255 / greatest);
      } else if (3 * sample + 3 > palette.length) {
        throw new CommandFailure("the PNG picture has a pixel that its palette lacks");
      } else {
        System.arraycopy(palette, 3 * sample, images, to + 3 * x, 3);
      }
    }
  }

  /** Reads a chunk, and its type into {@code type}. */
  private byte[] chunk(byte[] type) throws IOException {
    try {
      int length = file.readInt();
      if (length < 0 || length > LONGEST_CHUNK) {
        throw new CommandFailure("the PNG picture has a chunk of " + length + " bytes");
      }
      file.readFully(type);
      byte[] data = file.readNBytes(length);
      CRC32 check = new CRC32();
      check.update(type);
      check.update(data);
      if (data.length < length || file.readInt() != (int) check.getValue()) {
        throw new CommandFailure("the PNG picture is cut off, or a checksum is wrong");
      }
      return data;
    } catch (EOFException e) {
      throw new CommandFailure("the PNG picture is cut off", e);
    }
  }

  private static boolean is(byte[] type, String name) {
    return new String(type, StandardCharsets.ISO_8859_1).equals(name);
  }

  private static int integer(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  /** The compressed pixels, chunk after chunk. */
  private final class Pixels extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      byte[] type = new byte[4];
      while (at == chunk.length) {
        byte[] next = chunk(type);
        if (!is(type, "IDAT")) {
          return -1;
        }
        chunk = next;
        at = 0;
      }
      int count = Math.min(length, chunk.length - at);
      System.arraycopy(chunk, at, into, offset, count);
      at += count;
      return count;
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      // it was only read
    }
  }
}
