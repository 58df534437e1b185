package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The header of a NumPy file, as {@code numpy.lib.format} describes it, of versions 1 to 3.
 *
 * @param layout of an element in the file
 * @param shape of the array
 * @param isFortran whether the first dimension varies fastest
 * @param dataStart the position of the first element
 */
public record NpyHeader(ItemLayout layout, Shape shape, boolean isFortran, long dataStart) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** The bytes of the magic number and of the version. */
  private static final int START = MAGIC.length + 2;

  /** The alignment of the elements. */
  private static final int ALIGNMENT = 64;

  private static final int LONGEST_OF_VERSION_1 = 0xffff;

  /** The longest header that is read: that of a struct of 10,000 fields is shorter. */
  private static final int LONGEST_READ = 1 << 20;

  /** Returns the bytes of the header of an array in C order, little-endian. */
  public static Bytes of(DataType dataType, Shape shape) {
    String extents =
        Arrays.stream(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(", "));
    String dictionary =
        "{'descr': "
            + NpyTypes.describe(dataType)
            + ", 'fortran_order': False, 'shape': ("
            + extents
            + (shape.rank() == 1 ? ",)" : ")")
            + ", }";
    Bytes version1 = header(1, Short.BYTES, dictionary);
    return version1.size() - START - Short.BYTES <= LONGEST_OF_VERSION_1
        ? version1
        : header(2, Integer.BYTES, dictionary);
  }

  private static Bytes header(int version, int lengthSize, String dictionary) {
    int before = START + lengthSize;
    int unpadded = before + dictionary.length() + 1; // the end of the line
    int size = (unpadded + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    byte[] header = new byte[size];
    ByteBuffer buffer = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    buffer.put(MAGIC).put((byte) version).put((byte) 0);
    if (lengthSize == Short.BYTES) {
      buffer.putShort((short) (size - before));
    } else {
      buffer.putInt(size - before);
    }
    buffer.put(dictionary.getBytes(StandardCharsets.US_ASCII));
    Arrays.fill(header, buffer.position(), size - 1, (byte) ' ');
    header[size - 1] = '\n';
    return Bytes.wrap(header);
  }

  /**
   * Reads the header at the start of a file. The call blocks.
   *
   * @throws UnreadableFileException for a file that is broken, or has a type that Zarr lacks
   */
  public static NpyHeader parse(InputStream file) throws IOException {
    byte[] start = file.readNBytes(START);
    int version = version(start);
    if (version == 0) {
      throw new UnreadableFileException(
          "not a NumPy file of versions 1 to 3; zarr help import lists other formats");
    }
    int lengthSize = version == 1 ? Short.BYTES : Integer.BYTES;
    ByteBuffer length = ByteBuffer.wrap(bytes(file, lengthSize)).order(ByteOrder.LITTLE_ENDIAN);
    long size = version == 1 ? length.getShort() & 0xffff : length.getInt() & 0xffff_ffffL;
    if (size > LONGEST_READ) {
      throw new UnreadableFileException(
          "the header of the NumPy file has " + size + " bytes, too many");
    }
    String text =
        new String(
            bytes(file, (int) size),
            version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    return of(text, START + lengthSize + size);
  }

  /**
   * Returns the array of a whole file.
   *
   * @throws InvalidInputException for a file that is broken, or of another size than its header
   *     says
   */
  public static NdArray array(byte[] file) {
    NpyHeader header = sent(file);
    byte[] elements = Arrays.copyOfRange(file, (int) header.dataStart, file.length);
    Shape shape = header.shape;
    if (!header.isFortran) {
      return RowCutter.whole(elements, header.layout, shape);
    }
    int rank = shape.rank();
    int[] axes = new int[rank];
    long[] turned = new long[rank];
    for (int d = 0; d < rank; d++) {
      axes[d] = rank - 1 - d;
      turned[d] = shape.extent(rank - 1 - d);
    }
    return RowCutter.whole(elements, header.layout, Shape.of(turned)).transpose(axes);
  }

  /**
   * Reads the header of a file that somebody has sent.
   *
   * @throws InvalidInputException for one that is broken, or has a type that Zarr lacks
   */
  static NpyHeader sent(byte[] begun) {
    if (version(begun) == 0) {
      throw new InvalidInputException("the body is not a NumPy file of versions 1 to 3");
    }
    try {
      return parse(new ByteArrayInputStream(begun));
    } catch (UnreadableFileException e) {
      throw new InvalidInputException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the bytes of a header by its first ones; -1 if they are too few to tell. Of bytes that
   * begin no header it is their own number, so that {@link #parse} refuses them.
   */
  static int sizeOf(byte[] begun) {
    if (begun.length < START + Short.BYTES) {
      return -1;
    }
    ByteBuffer bytes = ByteBuffer.wrap(begun).order(ByteOrder.LITTLE_ENDIAN);
    int version = bytes.get(MAGIC.length);
    if (version == 1) {
      return START + Short.BYTES + (bytes.getShort(START) & 0xffff);
    } else if (version != 2 && version != 3) {
      return begun.length;
    } else if (begun.length < START + Integer.BYTES) {
      return -1;
    }
    long size = bytes.getInt(START) & 0xffff_ffffL;
    return size > LONGEST_READ ? begun.length : START + Integer.BYTES + (int) size;
  }

  /** Returns the version of a file by its first bytes; 0 for another file. */
  private static int version(byte[] start) {
    boolean isNumpy =
        start.length >= START && Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    int version = isNumpy ? start[MAGIC.length] : 0;
    return version >= 1 && version <= 3 ? version : 0;
  }

  private static byte[] bytes(InputStream file, int size) throws IOException {
    byte[] bytes = file.readNBytes(size);
    if (bytes.length < size) {
      throw new UnreadableFileException("the NumPy file ends in its header");
    }
    return bytes;
  }

  private static NpyHeader of(String text, long dataStart) {
    Object header;
    try {
      header = PythonLiteral.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw new UnreadableFileException(
          "the header of the NumPy file is broken: " + e.getMessage(), e);
    }
    if (header instanceof Map<?, ?> members
        && members.get("descr") != null
        && members.get("fortran_order") instanceof Boolean isFortran
        && members.get("shape") instanceof List<?> shape) {
      ItemLayout layout = NpyTypes.layout(members.get("descr"));
      return new NpyHeader(layout, shape(shape), isFortran, dataStart);
    }
    throw new UnreadableFileException(
        "the header of the NumPy file lacks one of descr, fortran_order and shape");
  }

  private static Shape shape(List<?> extents) {
    long[] shape = new long[extents.size()];
    for (int d = 0; d < shape.length; d++) {
      if (!(extents.get(d) instanceof Long extent) || extent < 0) {
        throw new UnreadableFileException("the header of the NumPy file has the shape " + extents);
      }
      shape[d] = extent;
    }
    return Shape.of(shape);
  }
}
