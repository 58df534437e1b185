package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.Region;
import org.jspecify.annotations.Nullable;

/** The elements of a chunk, old ones and new ones. */
final class ChunkElements {
  private ChunkElements() {}

  /**
   * Returns the previous elements, or else the fill value, with the new elements copied in. Data
   * that have the whole chunk as it is are not copied: they are read-only.
   */
  static ElementMemory gathered(
      ChunkProjection part, NdArray data, ChunkCodec codec, @Nullable Bytes before) {
    long place = data.isContiguous() ? part.region().placeOfWholeChunk() : -1;
    if (place >= 0 && !(data.dataType() instanceof VariableLengthType)) {
      ElementMemory all = ElementMemory.of(data);
      int count = Math.toIntExact(codec.representation().shape().elementCountUpTo(all.count()));
      return ElementMemory.wrap(
          data.dataType(), (byte[]) all.array(), all.slot(Math.toIntExact(place)), count);
    }
    ChunkRepresentation chunk = codec.representation();
    return MemoryGuard.allocating(
        "of a chunk",
        chunk.byteSize(),
        Location.UNKNOWN,
        () -> {
          ElementMemory elements;
          if (before == null) {
            elements = ElementMemory.filled(chunk.shape(), chunk.fillValue());
          } else {
            elements = ElementMemory.allocate(chunk.dataType(), chunk.shape());
            codec.decodeInto(before, elements, 0);
          }
          copy(data, part.region(), elements);
          return elements;
        });
  }

  /**
   * Copies the data of one chunk. Of a view only that part becomes contiguous: a view that repeats
   * elements may be far larger than the memory.
   */
  static void copy(NdArray data, Region region, ElementMemory chunk) {
    if (data.isContiguous()) {
      region.copyToChunk(ElementMemory.of(data), chunk);
    } else {
      ElementMemory part = ElementMemory.of(data.slice(shape -> region.places()));
      region.alone().copyToChunk(part, chunk);
    }
  }
}
