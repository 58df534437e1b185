package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.internal.planning.Region;
import dev.zarrreactive.store.Bytes;

/**
 * Sink that places pieces in the result array. Pieces cover disjoint regions of the result, so
 * several threads may place pieces at the same time without a lock.
 */
final class ArraySink implements Sink<Boolean> {
  private final ResultBuffer result;
  private final Scratch.Pool scratch;
  private final FillValue fillValue;

  ArraySink(ReadOperation operation, ResultBuffer result) {
    this.result = result;
    this.scratch = operation.scratch();
    this.fillValue = operation.array().metadata().fillValue();
  }

  /** Decodes straight into the result where the chunk is one contiguous part of it. */
  @Override
  public Boolean stored(Piece piece, Bytes encoded) {
    ChunkCodec codec = piece.codec();
    Region region = piece.projection().region();
    long place = codec.decodesInPlace() ? region.placeOfWholeChunk() : -1;
    if (place >= 0) {
      codec.decodeInto(encoded, result.memory(), (int) place);
    } else {
      scratch.use(
          memory -> {
            copy(codec.decode(encoded, memory), region);
            return true;
          });
    }
    return true;
  }

  @Override
  public Boolean decoded(Piece piece, NdArray chunk) {
    copy(chunk, piece.projection().region());
    return true;
  }

  @Override
  public Boolean missing(Piece piece) {
    if (!fillValue.isZero()) { // new memory is zero
      piece.projection().region().fillResult(result.memory(), fillValue);
    }
    return true;
  }

  private void copy(NdArray chunk, Region region) {
    region.copyToResult(ElementMemory.of(chunk), result.memory());
  }
}
