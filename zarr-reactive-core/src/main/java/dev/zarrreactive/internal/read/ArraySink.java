package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.internal.planning.Region;
import dev.zarrreactive.store.Bytes;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sink that places pieces in the result array. Pieces cover disjoint regions of the result, so
 * several threads may place pieces at the same time without a lock.
 */
final class ArraySink implements Sink<Boolean> {
  private final ResultBuffer result;
  private final Scratch.Pool scratch;
  private final FillValue stored;
  private final @Nullable ElementConversion conversion;

  /**
   * Creates a sink.
   *
   * @param conversion makes the elements of the result; null for those that are stored
   */
  ArraySink(ReadOperation operation, ResultBuffer result, @Nullable ElementConversion conversion) {
    this.result = result;
    this.scratch = operation.scratch();
    this.conversion = conversion;
    this.stored = operation.array().metadata().fillValue();
  }

  private FillValue fillValue() {
    if (conversion == null) {
      return stored;
    }
    byte[] image = new byte[conversion.target().itemSize()];
    conversion.convert(stored.image(), 0, 1, image, 0);
    return FillValue.of(conversion.target(), image);
  }

  /** Decodes straight into the result where the chunk is one contiguous part of it. */
  @Override
  public Boolean stored(Piece piece, Bytes encoded) {
    ChunkCodec codec = piece.codec();
    Region region = piece.projection().region();
    boolean isPlain = conversion == null && codec.decodesInPlace();
    long place = isPlain ? region.placeOfWholeChunk() : -1;
    if (place >= 0) {
      codec.decodeInto(encoded, result.memory(), (int) place);
    } else {
      Scratch memory = scratch.take();
      place(codec.decodeToMemory(encoded, memory), region, memory);
      scratch.giveBack(memory);
    }
    return true;
  }

  @Override
  public Boolean decoded(Piece piece, NdArray chunk) {
    Scratch memory = scratch.take();
    place(ElementMemory.of(chunk), piece.projection().region(), memory);
    scratch.giveBack(memory);
    return true;
  }

  @Override
  public Boolean missing(Piece piece) {
    FillValue fillValue = fillValue();
    if (!fillValue.isZero()) { // new memory is zero
      piece.projection().region().fillResult(result.memory(), fillValue);
    }
    return true;
  }

  private void place(ElementMemory elements, Region region, IntFunction<byte[]> memory) {
    if (conversion == null) {
      region.copyToResult(elements, result.memory());
    } else if (!region.convertToResult(elements, result.memory(), conversion)) {
      int count = elements.count();
      byte[] whole = memory.apply(count * conversion.target().itemSize());
      conversion.convert((byte[]) elements.array(), elements.slot(0), count, whole, 0);
      ElementMemory converted = ElementMemory.wrap(conversion.target(), whole, 0, count);
      region.copyToResult(converted, result.memory());
    }
  }
}
