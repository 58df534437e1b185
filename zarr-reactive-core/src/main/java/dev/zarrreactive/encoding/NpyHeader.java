package dev.zarrreactive.encoding;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The header of an {@code .npy} file, as {@code numpy.lib.format} describes it. */
final class NpyHeader {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** The alignment of the data. */
  private static final int ALIGNMENT = 64;

  private static final int LONGEST_OF_VERSION_1 = 0xffff;

  private NpyHeader() {}

  /** Returns the header of an array in C order, little-endian. */
  static Bytes of(DataType dataType, Shape shape) {
    String dictionary =
        "{'descr': "
            + NpyDescription.of(dataType)
            + ", 'fortran_order': False, 'shape': "
            + tuple(shape)
            + ", }";
    Bytes version1 = header(1, Short.BYTES, dictionary);
    return version1.size() - MAGIC.length - 4 <= LONGEST_OF_VERSION_1
        ? version1
        : header(2, Integer.BYTES, dictionary);
  }

  private static Bytes header(int version, int lengthSize, String dictionary) {
    int before = MAGIC.length + 2 + lengthSize;
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

  private static String tuple(Shape shape) {
    String extents =
        Arrays.stream(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(", "));
    return "(" + extents + (shape.rank() == 1 ? "," : "") + ")";
  }
}
