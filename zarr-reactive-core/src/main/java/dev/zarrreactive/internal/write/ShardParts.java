package dev.zarrreactive.internal.write;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The encoded inner chunks of one shard. Inner chunks that are not replaced stay as they were
 * stored. Threads may replace different inner chunks at the same time.
 */
final class ShardParts {
  private final ShardLayout layout;
  private final long[] gridShape;
  private final @Nullable Bytes[] parts;

  private ShardParts(ShardLayout layout) {
    this.layout = layout;
    this.gridShape = layout.innerGrid().gridShape().toArray();
    this.parts = new Bytes[layout.innerGrid().gridShape().byteSize(1)];
  }

  /** Returns a shard without inner chunks. */
  static ShardParts missing(ShardLayout layout) {
    return new ShardParts(layout);
  }

  /**
   * Returns the inner chunks of a stored shard, as views of it.
   *
   * @throws CodecException if the index is damaged
   */
  static ShardParts of(ShardLayout layout, Bytes shard) {
    ShardParts stored = new ShardParts(layout);
    ShardIndex index = layout.decodeIndex(slice(shard, layout.indexRange()));
    for (int number = 0; number < stored.parts.length; number++) {
      long[] at = stored.index(number);
      try {
        ByteRange.Slice place = index.find(at);
        stored.parts[number] = place == null ? null : slice(shard, place);
      } catch (ZarrException e) {
        throw e.at(Location.UNKNOWN.innerChunk(at));
      }
    }
    return stored;
  }

  private long[] index(int number) {
    long[] index = new long[gridShape.length];
    long rest = number;
    for (int d = index.length - 1; d >= 0; d--) {
      index[d] = rest % gridShape[d];
      rest /= gridShape[d];
    }
    return index;
  }

  private static Bytes slice(Bytes shard, ByteRange range) {
    try {
      ByteRange.Slice slice = range.resolve(shard.size());
      return shard.slice(Math.toIntExact(slice.offset()), Math.toIntExact(slice.length()));
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      throw new CodecException(
          "the shard's index points outside of it: " + e.getMessage(), Location.UNKNOWN, e);
    }
  }

  ShardLayout layout() {
    return layout;
  }

  /** Returns an encoded inner chunk; null if it is missing. */
  @Nullable Bytes get(long[] index) {
    return parts[ShardPlaces.number(index, gridShape)];
  }

  /** Replaces an inner chunk; by null to leave it out. */
  void put(long[] index, @Nullable Bytes encoded) {
    parts[ShardPlaces.number(index, gridShape)] = encoded;
  }

  /** Returns true if every inner chunk is missing. */
  boolean isEmpty() {
    return Arrays.stream(parts).noneMatch(Objects::nonNull);
  }

  /** Returns the shard. */
  Bytes joined() {
    return layout.join(Arrays.asList(parts));
  }
}
