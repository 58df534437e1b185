package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.internal.planning.Region;
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
    DataType type = conversion.target();
    byte[] image = new byte[type.itemSize()];
    conversion.convert(stored.image(), 0, 1, ElementMemory.wrap(type, image, 0, 1), 0);
    return FillValue.of(type, image);
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
      place(codec.decodeToMemory(encoded, memory, region.first(), region.end()), region, memory);
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
    Region region = piece.projection().region();
    if (conversion != null && !hasImages(conversion)) {
      ElementMemory chunk = ElementMemory.filled(piece.codec().representation().shape(), stored);
      place(chunk, region, byte[]::new);
      return true;
    }
    FillValue fillValue = fillValue();
    if (!fillValue.isZero() || !result.isClear()) {
      region.fillResult(result.memory(), fillValue);
    }
    return true;
  }

  private static boolean hasImages(ElementConversion conversion) {
    return conversion.joined().isEmpty() && !(conversion.target() instanceof VariableLengthType);
  }

  private void place(ElementMemory elements, Region region, IntFunction<byte[]> memory) {
    if (conversion == null) {
      region.copyToResult(elements, result.memory());
    } else if (!region.convertToResult(elements, result.memory(), conversion)) {
      int first = region.first(); // the elements around may have any content
      int end = region.end();
      DataType type = conversion.target();
      ElementMemory converted =
          hasImages(conversion)
              ? ElementMemory.wrap(type, memory.apply(end * type.itemSize()), 0, end)
              : ElementMemory.allocate(type, Shape.of(end));
      conversion.convert(
          (byte[]) elements.array(), elements.slot(first), end - first, converted, first);
      region.copyToResult(converted, result.memory());
    }
  }
}
