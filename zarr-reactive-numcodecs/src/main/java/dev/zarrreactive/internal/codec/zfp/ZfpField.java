package dev.zarrreactive.internal.codec.zfp;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.util.Arrays;

/**
 * A chunk as zfp sees it: numbers in C order, in 1 to 4 dimensions, cut into blocks of 4 along
 * each. The last block along a dimension may be partial.
 */
final class ZfpField {
  private static final int MOST_DIMENSIONS = 4;
  private static final String MAGIC = "zfp";
  private static final int CODEC_VERSION = 5;
  private static final int EXTENTS_BITS = 48;

  private final ZfpScalar scalar;
  private final int rank;

  /** The extents of four dimensions, slowest first; those that the field lacks are 1. */
  private final int[] extents = {1, 1, 1, 1};

  ZfpField(ZfpScalar scalar, long... shape) {
    this.scalar = scalar;
    rank = Math.max(1, shape.length);
    for (int i = 0; i < shape.length; i++) {
      extents[MOST_DIMENSIONS - shape.length + i] = Math.toIntExact(shape[i]);
    }
  }

  int rank() {
    return rank;
  }

  ZfpScalar scalar() {
    return scalar;
  }

  /** Returns the number of numbers. */
  long count() {
    long count = 1;
    for (int extent : extents) {
      count *= extent;
    }
    return count;
  }

  /** Reads the part of a header that names the field. The mode follows. */
  static ZfpField readHeader(BitInput in, long count) {
    for (int i = 0; i < MAGIC.length(); i++) {
      if (in.bits(8) != MAGIC.charAt(i)) {
        throw new CodecException("expected the header of zfp", Location.UNKNOWN);
      }
    }
    long version = in.bits(8);
    if (version != CODEC_VERSION) {
      throw new CodecException(
          "the header has version " + version + " of zfp's format, expected " + CODEC_VERSION,
          Location.UNKNOWN);
    }
    ZfpScalar scalar = ZfpScalar.of((int) in.bits(2));
    int rank = (int) in.bits(2) + 1;
    long[] shape = new long[rank];
    long product = 1;
    for (int i = rank - 1; i >= 0; i--) {
      shape[i] = in.bits(EXTENTS_BITS / rank) + 1;
      product = shape[i] > count / product ? count + 1 : product * shape[i];
      if (product > count) {
        break;
      }
    }
    if (product != count) {
      throw new CodecException(
          "the header's extents do not give the " + count + " elements of the chunk",
          Location.UNKNOWN);
    }
    return new ZfpField(scalar, shape);
  }

  void writeHeader(BitOutput out) {
    for (int i = 0; i < MAGIC.length(); i++) {
      out.bits(MAGIC.charAt(i), 8);
    }
    out.bits(CODEC_VERSION, 8);
    out.bits(scalar.code(), 2);
    out.bits(rank - 1, 2);
    for (int i = 0; i < rank; i++) {
      out.bits(extents[MOST_DIMENSIONS - 1 - i] - 1, EXTENTS_BITS / rank);
    }
  }

  /** Returns the greatest extent that a header can name. */
  static long mostExtent(int rank) {
    return 1L << (EXTENTS_BITS / Math.max(1, rank));
  }

  /** Decodes all blocks. */
  void decode(BitInput in, ZfpMode mode, ZfpElements elements, byte[] array, int itemSize) {
    BlockCoder coder = new BlockCoder(scalar, rank, mode);
    long[] block = new long[coder.size()];
    forEachBlock(
        origin -> {
          coder.decode(in, block);
          rows(
              origin,
              (at, index, count) -> elements.scatter(block, index, array, at * itemSize, count));
        });
  }

  /** Encodes all blocks. */
  void encode(BitOutput out, ZfpMode mode, ZfpElements elements, Bytes array, int itemSize) {
    BlockCoder coder = new BlockCoder(scalar, rank, mode);
    long[] block = new long[coder.size()];
    byte[] bytes = array.unsafeArray();
    int offset = array.unsafeOffset();
    forEachBlock(
        origin -> {
          rows(
              origin,
              (at, index, count) ->
                  elements.gather(bytes, offset + at * itemSize, block, index, count));
          pad(origin, block);
          coder.encode(out, block);
        });
  }

  private interface BlockAction {
    void run(int[] origin);
  }

  /** A row of elements: the index of the first, its index in the block, and their number. */
  private interface RowAction {
    void run(int at, int index, int count);
  }

  private void forEachBlock(BlockAction action) {
    int[] origin = new int[MOST_DIMENSIONS];
    for (origin[0] = 0; origin[0] < extents[0]; origin[0] += 4) {
      for (origin[1] = 0; origin[1] < extents[1]; origin[1] += 4) {
        for (origin[2] = 0; origin[2] < extents[2]; origin[2] += 4) {
          for (origin[3] = 0; origin[3] < extents[3]; origin[3] += 4) {
            action.run(origin);
          }
        }
      }
    }
  }

  private int width(int[] origin, int dimension) {
    return Math.min(4, extents[dimension] - origin[dimension]);
  }

  private void rows(int[] origin, RowAction action) {
    int count = width(origin, 3);
    for (int w = 0; w < width(origin, 0); w++) {
      for (int z = 0; z < width(origin, 1); z++) {
        for (int y = 0; y < width(origin, 2); y++) {
          int row = ((origin[0] + w) * extents[1] + origin[1] + z) * extents[2] + origin[2] + y;
          action.run(row * extents[3] + origin[3], 64 * w + 16 * z + 4 * y, count);
        }
      }
    }
  }

  /** Continues the numbers of a partial block along each dimension: a b c a, a b b a, a a a a. */
  private void pad(int[] origin, long[] block) {
    int filled = 1;
    int step = 1;
    for (int i = 0; i < rank; i++) {
      int width = width(origin, MOST_DIMENSIONS - 1 - i);
      if (width < 4) {
        padAlong(step, width, block);
      }
      filled *= 4;
      step = filled;
    }
  }

  private static void padAlong(int step, int width, long[] block) {
    Lifting.along(
        step,
        block,
        block.length,
        (p, at, by) -> {
          for (int i = width; i < 4; i++) {
            p[at + i * by] = p[at + (i == 3 ? 0 : i - 1) * by];
          }
        });
  }

  /** Returns the most bytes that the encoded field has, at most {@link Long#MAX_VALUE}. */
  static long mostBytes(ZfpScalar scalar, ZfpMode mode, long[] shape) {
    int rank = Math.max(1, shape.length);
    int size = 1 << (2 * rank);
    long most = 32 + (long) scalar.bits() * (size + 1) + size;
    long ofBlock = Math.max(most, mode.minBits()) / 8 + 1;
    double blocks = 1;
    for (long extent : shape) {
      long along = (extent + 3) / 4;
      blocks *= along;
    }
    return (long) (64 + blocks * ofBlock);
  }

  @Override
  public String toString() {
    return scalar + " of extents " + Arrays.toString(Arrays.copyOfRange(extents, 4 - rank, 4));
  }
}
