package dev.zarrreactive.internal.codec.sharding;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Selection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes a whole shard: the inner chunks in C order without gaps. Inner chunks that consist of
 * fill value are left out.
 */
final class ShardEncoder {
  private final Shard shard;
  private final NdArray source;
  private final List<Bytes> chunks = new ArrayList<>();
  private final ByteBuffer entries;
  private long size;

  private ShardEncoder(NdArray source, Shard shard) {
    this.shard = shard;
    this.source = source;
    Shape grid = shard.innerGrid().gridShape();
    this.entries =
        ByteBuffer.allocate(grid.byteSize(2 * Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
    this.size = shard.headerSize();
  }

  static Bytes encode(NdArray source, Shard shard) {
    ShardEncoder encoder = new ShardEncoder(source, shard);
    ChunkPlan.of(Selection.all().resolve(source.shape()), shard.innerGrid()).forEach(encoder::add);
    return encoder.finish();
  }

  private void add(ChunkProjection part) {
    ChunkRepresentation inner = shard.innerCodec().representation();
    ElementMemory elements = ElementMemory.allocate(inner.dataType(), inner.shape());
    part.region().copyToChunk(ElementMemory.of(source), elements);
    if (elements.isAll(inner.fillValue())) {
      entries.putLong(-1).putLong(-1);
      return;
    }
    Bytes encoded = shard.innerCodec().encode(elements.toNdArray(inner.shape()));
    entries.putLong(size).putLong(encoded.size());
    chunks.add(encoded);
    size += encoded.size();
  }

  private Bytes finish() {
    Bytes index = shard.encodeIndex(Bytes.wrap(entries.array()));
    long total = size - shard.headerSize() + index.size();
    if (total > Integer.MAX_VALUE - 8) {
      throw new CodecException(
          "the encoded shard has " + total + " bytes, more than one Java array holds (2 GiB)",
          Location.UNKNOWN);
    }
    if (shard.isIndexAtStart()) {
      chunks.add(0, index);
    } else {
      chunks.add(index);
    }
    byte[] result = new byte[(int) total];
    int at = 0;
    for (Bytes chunk : chunks) {
      chunk.copyTo(0, result, at, chunk.size());
      at += chunk.size();
    }
    return Bytes.wrap(result);
  }
}
