package dev.zarrreactive.metadata;

import dev.zarrreactive.array.Shape;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the shapes of chunks and shards. The axes of the access hint share the elements of a
 * chunk first, the other axes the rest. Axes that share take equal parts, and a short axis leaves
 * its rest to the longer ones. An extent of 0 is to grow, and counts as long.
 */
final class ChunkShapes {
  /** The most bytes of a chosen chunk, decoded. */
  static final long CHUNK_BYTES = 1L << 20;

  /** The most bytes of a chosen shard, decoded. A larger chunk is a shard of its own. */
  static final long SHARD_BYTES = 64L << 20;

  /** The least bytes of a chunk that is chosen to divide a given shard. */
  static final long LEAST_INNER_BYTES = CHUNK_BYTES / 16;

  /** With as many chunks along an axis, a last chunk that is partly empty wastes little. */
  private static final long MANY = 8;

  private ChunkShapes() {}

  /** The length of a chunk along an axis of some extent, at least 1 and at most {@code most}. */
  private interface Fit {
    long length(long extent, long most);
  }

  /** Returns the shape of the chunks of an array. */
  static long[] chunk(Shape array, int elementSize, Access access) {
    return fill(array.toArray(), CHUNK_BYTES / elementSize, access, ChunkShapes::even);
  }

  /** Returns the shape of the shards of an array with chunks of a given shape. */
  static long[] shard(Shape array, long[] chunk, int elementSize, Access access) {
    long[] shape = array.toArray();
    Arrays.setAll(shape, d -> shape[d] == 0 ? 0 : (shape[d] - 1) / chunk[d] + 1);
    long most = SHARD_BYTES / elementSize;
    long budget = most / Shape.of(chunk).elementCountUpTo(most + 1);
    long[] shard = fill(shape, budget, access, ChunkShapes::even);
    Arrays.setAll(shard, d -> shard[d] * chunk[d]);
    return shard;
  }

  /**
   * Returns the shape of chunks that divide the shards; null if only chunks of very few elements
   * would.
   */
  static long @Nullable [] inner(long[] shard, int elementSize, Access access) {
    long[] chunk = fill(shard, CHUNK_BYTES / elementSize, access, ChunkShapes::divisor);
    long elements = Shape.of(chunk).elementCountUpTo(CHUNK_BYTES);
    boolean large = elements * elementSize >= LEAST_INNER_BYTES;
    return large || Arrays.equals(chunk, shard) ? chunk : null;
  }

  private static long[] fill(long[] extents, long budget, Access access, Fit fit) {
    long[] lengths = new long[extents.length];
    int[] first = access.axes();
    long left = share(extents, first, Math.max(1, budget), lengths, fit);
    int[] others =
        IntStream.range(0, extents.length)
            .filter(d -> Arrays.stream(first).noneMatch(axis -> axis == d))
            .toArray();
    share(extents, others, left, lengths, fit);
    return lengths;
  }

  /** Sets the lengths along some axes, and returns the elements that are left for others. */
  private static long share(long[] extents, int[] axes, long budget, long[] lengths, Fit fit) {
    int[] byExtent =
        Arrays.stream(axes)
            .boxed()
            .sorted(Comparator.comparingLong(d -> extents[d] == 0 ? Long.MAX_VALUE : extents[d]))
            .mapToInt(d -> d)
            .toArray();
    long left = budget;
    for (int i = 0; i < byExtent.length; i++) {
      int d = byExtent[i];
      long side = root(left, byExtent.length - i);
      lengths[d] = extents[d] == 0 ? side : fit.length(extents[d], Math.min(side, extents[d]));
      left /= lengths[d];
    }
    return left;
  }

  /** Returns a length that divides the extent into parts of about the same length. */
  private static long even(long extent, long most) {
    long count = (extent - 1) / most + 1;
    return count >= MANY ? most : (extent - 1) / count + 1;
  }

  private static long divisor(long extent, long most) {
    long divisor = most;
    while (extent % divisor != 0) {
      divisor--;
    }
    return divisor;
  }

  /** Returns the largest integer of which the power is at most {@code value}. */
  private static long root(long value, int power) {
    long root = (long) Math.pow((double) value, 1.0 / power) + 1;
    while (root > 1 && exceeds(root, power, value)) {
      root--;
    }
    return root;
  }

  private static boolean exceeds(long base, int power, long value) {
    long left = value;
    for (int i = 0; i < power; i++) {
      left /= base;
      if (left == 0) {
        return true;
      }
    }
    return false;
  }
}
