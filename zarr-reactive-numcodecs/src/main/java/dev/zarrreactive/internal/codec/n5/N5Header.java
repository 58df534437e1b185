package dev.zarrreactive.internal.codec.n5;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of a block of N5, all big-endian: its mode in two bytes, the number of dimensions in
 * two, the extent of each in four.
 */
final class N5Header {
  private static final int DEFAULT_MODE = 0;
  private static final long LARGEST_EXTENT = 0xffff_ffffL;

  private N5Header() {}

  /** Returns the size in bytes of the header of a block with {@code rank} dimensions. */
  static int size(int rank) {
    return 2 * Short.BYTES + rank * Integer.BYTES;
  }

  /** Returns the header of a block in default mode. */
  static byte[] write(Shape block) {
    ByteBuffer header = ByteBuffer.allocate(size(block.rank()));
    header.putShort((short) DEFAULT_MODE).putShort((short) block.rank());
    for (int d = 0; d < block.rank(); d++) {
      if (block.extent(d) > LARGEST_EXTENT) {
        throw new UnsupportedFeatureException(
            "N5 has no blocks of shape " + block + ": an extent has 32 bits", Location.UNKNOWN);
      }
      header.putInt((int) block.extent(d));
    }
    return header.array();
  }

  /**
   * Reads the shape of a block.
   *
   * @param rank the number of dimensions that it must have
   */
  static Shape read(Bytes encoded, int rank) {
    if (encoded.size() < size(rank)) {
      throw new CodecException(
          "expected at least the "
              + size(rank)
              + " bytes of the block's header, found "
              + encoded.size(),
          Location.UNKNOWN);
    }
    ByteBuffer header = encoded.asByteBuffer().order(ByteOrder.BIG_ENDIAN);
    int mode = Short.toUnsignedInt(header.getShort());
    if (mode != DEFAULT_MODE) {
      throw new CodecException(
          "the block has mode " + mode + "; only 0, the default, is an array", Location.UNKNOWN);
    }
    int dimensions = Short.toUnsignedInt(header.getShort());
    if (dimensions != rank) {
      throw new CodecException(
          "the block has " + dimensions + " dimensions, expected " + rank, Location.UNKNOWN);
    }
    long[] extents = new long[rank];
    for (int d = 0; d < rank; d++) {
      extents[d] = Integer.toUnsignedLong(header.getInt());
      if (extents[d] == 0) {
        throw new CodecException("the block's dimension " + d + " is empty", Location.UNKNOWN);
      }
    }
    return Shape.of(extents);
  }
}
