package dev.zarrreactive.internal.write;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ShardLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The index of a shard that is stored piece by piece, one inner chunk after the other in any order.
 * Not thread-safe.
 */
final class ShardPlaces {
  private final ShardLayout layout;
  private final ByteBuffer entries;
  private long end;

  ShardPlaces(ShardLayout layout) {
    this.layout = layout;
    this.entries =
        ByteBuffer.allocate(layout.innerGrid().gridShape().byteSize(2 * Long.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    while (entries.hasRemaining()) {
      entries.putLong(-1);
    }
  }

  /**
   * One encoded inner chunk.
   *
   * @param number its number in C order
   */
  record Piece(int number, Bytes bytes) {}

  /** Returns true if the index comes after the inner chunks, so that they can be stored first. */
  static boolean canStream(ShardLayout layout) {
    return layout.indexRange() instanceof ByteRange.Suffix;
  }

  /** Returns the number of an inner chunk in C order. */
  static int number(long[] index, long[] gridShape) {
    long number = 0;
    for (int d = 0; d < index.length; d++) {
      number = number * gridShape[d] + index[d];
    }
    return Math.toIntExact(number);
  }

  /** Notes that the piece is the next one in the shard, and returns its bytes. */
  Bytes add(Piece piece) {
    int at = 2 * Long.BYTES * piece.number();
    entries.putLong(at, end).putLong(at + Long.BYTES, piece.bytes().size());
    end += piece.bytes().size();
    return piece.bytes();
  }

  /** Notes that the pieces are the next ones in the shard, and returns their bytes. */
  Bytes add(List<Piece> pieces) {
    return Bytes.join(pieces.stream().map(this::add).toList());
  }

  /** Returns the encoded index, which ends the shard. */
  Bytes index() {
    return layout.encodeIndex(Bytes.wrap(entries.array()));
  }
}
