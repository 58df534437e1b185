package dev.zarrreactive.internal.codec.sharding;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a whole shard: the inner chunks in C order without gaps. Inner chunks that consist of
 * fill value are left out.
 */
final class ShardEncoder {
  private ShardEncoder() {}

  static Bytes encode(NdArray source, Shard shard) {
    List<@Nullable Bytes> chunks = new ArrayList<>();
    for (ChunkProjection part :
        ChunkPlan.of(Selection.all().resolve(source.shape()), shard.innerGrid())) {
      chunks.add(encode(source, part, shard));
    }
    return join(shard, chunks);
  }

  private static @Nullable Bytes encode(NdArray source, ChunkProjection part, Shard shard) {
    ChunkRepresentation inner = shard.innerCodec().representation();
    ElementMemory elements = ElementMemory.allocate(inner.dataType(), inner.shape());
    part.region().copyToChunk(ElementMemory.of(source), elements);
    return elements.isAll(inner.fillValue())
        ? null
        : shard.innerCodec().encode(elements.toNdArray(inner.shape()));
  }

  /** Joins encoded inner chunks; null stands for one that is left out. */
  static Bytes join(Shard shard, List<@Nullable Bytes> chunks) {
    ByteBuffer entries =
        ByteBuffer.allocate(shard.innerGrid().gridShape().byteSize(2 * Long.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    long end = shard.headerSize();
    for (Bytes chunk : chunks) {
      if (chunk == null) {
        entries.putLong(-1).putLong(-1);
      } else {
        entries.putLong(end).putLong(chunk.size());
        end += chunk.size();
      }
    }
    Bytes index = shard.encodeIndex(Bytes.wrap(entries.array()));
    long total = end - shard.headerSize() + index.size();
    if (total > Bytes.MAX_SIZE) {
      throw new CodecException(
          "the encoded shard has " + total + " bytes, more than one Java array holds (2 GiB)",
          Location.UNKNOWN);
    }
    byte[] result = new byte[(int) total];
    int at = shard.isIndexAtStart() ? copy(index, result, 0) : 0;
    for (Bytes chunk : chunks) {
      at = chunk == null ? at : copy(chunk, result, at);
    }
    if (!shard.isIndexAtStart()) {
      copy(index, result, at);
    }
    return Bytes.wrap(result);
  }

  private static int copy(Bytes bytes, byte[] target, int at) {
    bytes.copyTo(0, target, at, bytes.size());
    return at + bytes.size();
  }
}
