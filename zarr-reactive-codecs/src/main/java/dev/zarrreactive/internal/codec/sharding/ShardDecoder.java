package dev.zarrreactive.internal.codec.sharding;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;

/** Decodes a whole shard whose inner chunks cannot be read one by one. */
final class ShardDecoder {
  private ShardDecoder() {}

  static NdArray decode(Bytes encoded, Shard shard) {
    ChunkRepresentation representation = shard.representation();
    FillValue fillValue = representation.fillValue();
    ShardIndex index = shard.decodeIndex(slice(encoded, shard.indexRange()));
    ElementMemory result =
        ElementMemory.allocate(representation.dataType(), representation.shape());
    for (ChunkProjection part :
        ChunkPlan.of(Selection.all().resolve(representation.shape()), shard.innerGrid())) {
      try {
        ByteRange.Slice place = index.find(part.chunkIndex());
        if (place == null) {
          part.region().fillResult(result, fillValue);
        } else {
          NdArray chunk = shard.innerCodec().decode(slice(encoded, place));
          part.region().copyToResult(ElementMemory.of(chunk), result);
        }
      } catch (ZarrException e) {
        throw e.at(Location.UNKNOWN.innerChunk(part.chunkIndex()));
      }
    }
    return result.toNdArray(representation.shape());
  }

  private static Bytes slice(Bytes shard, ByteRange range) {
    try {
      ByteRange.Slice slice = range.resolve(shard.size());
      return shard.slice((int) slice.offset(), (int) slice.length());
    } catch (IndexOutOfBoundsException e) {
      throw new CodecException(
          "the shard's index points outside of it: " + e.getMessage(), Location.UNKNOWN, e);
    }
  }
}
