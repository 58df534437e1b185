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
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.Scratch;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.Region;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.internal.read.Decoder.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sink that places pieces in the result array. Pieces cover disjoint regions of the result, so
 * several threads may place pieces at the same time without a lock.
 *
 * <p>Clearing a large result takes long, so a codec thread does it while the first requests are in
 * flight. The threads of a store that lends bytes decode them, and would hand them over before the
 * memory is there: such results are large from 8 MiB on.
 */
final class ArraySink implements Sink<Boolean> {
  private static final int MUCH = 1 << 20;
  private static final int MUCH_FOR_LENDERS = 1 << 23;

  private final FillValue stored;
  private final @Nullable ElementConversion conversion;
  private final Scratch.Pool scratch;
  private final boolean isClear;
  private final @Nullable Mono<Void> clearing;
  private final List<Runnable> waiting = new ArrayList<>();
  private volatile @Nullable ElementMemory memory;

  /**
   * Creates a sink.
   *
   * @param conversion makes the elements of the result; null for those that are stored
   * @param given the memory of the caller, of any content; null for memory of the sink's own
   */
  ArraySink(
      ReadOperation operation,
      @Nullable ElementConversion conversion,
      Shape shape,
      DataType type,
      @Nullable ElementMemory given) {
    ArrayStorage array = operation.array();
    this.stored = array.metadata().fillValue();
    this.conversion = conversion;
    this.scratch = operation.scratch();
    this.isClear = given == null;
    boolean isForLender = operation.mayBorrow() && array.context().hasLent();
    boolean isLater =
        given == null
            && ElementMemory.slots(type, shape) >= (isForLender ? MUCH_FOR_LENDERS : MUCH);
    this.memory = isLater ? null : given == null ? array.newResult(shape, type) : given;
    this.clearing =
        isLater
            ? Mono.<Void>fromRunnable(() -> provide(array.newResult(shape, type)))
                .subscribeOn(array.limits().codecScheduler())
            : null;
  }

  private void provide(ElementMemory made) {
    List<Runnable> waited;
    synchronized (waiting) {
      memory = made;
      waited = List.copyOf(waiting);
      waiting.clear();
    }
    waited.forEach(Runnable::run);
  }

  /** Returns {@code work}, with the memory cleared at the same time. */
  Mono<Void> clearBefore(Mono<Void> work) {
    return clearing == null
        ? work
        : Concurrently.map(Flux.just(clearing, work), 2, both -> both).then();
  }

  /**
   * Registers work for the time when the memory is there; returns false if it is there already.
   *
   * @param resume hands the work over to other threads, so that these decode side by side
   */
  boolean tryWait(Runnable resume) {
    if (isThere()) {
      return false;
    }
    synchronized (waiting) {
      return !isThere() && waiting.add(resume);
    }
  }

  /** Returns true when pieces can be placed. */
  boolean isThere() {
    return memory != null;
  }

  private ElementMemory memory() {
    return Objects.requireNonNull(memory);
  }

  /** Returns the result of a shape, whose elements are all in their places. */
  NdArray toNdArray(Shape shape) {
    return memory().toNdArray(shape);
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
    long first = isPlain ? region.placeOfWholeChunk() : -1;
    if (first >= 0) {
      codec.decodeInto(encoded, memory(), (int) first);
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
    if (!fillValue.isZero() || !isClear) {
      region.fillResult(memory(), fillValue);
    }
    return true;
  }

  private static boolean hasImages(ElementConversion conversion) {
    return conversion.joined().isEmpty() && !(conversion.target() instanceof VariableLengthType);
  }

  private void place(ElementMemory elements, Region region, IntFunction<byte[]> memory) {
    if (conversion == null) {
      region.copyToResult(elements, memory());
    } else if (!region.convertToResult(elements, memory(), conversion)) {
      int first = region.first(); // the elements around may have any content
      int end = region.end();
      DataType type = conversion.target();
      ElementMemory converted =
          hasImages(conversion)
              ? ElementMemory.wrap(type, memory.apply(end * type.itemSize()), 0, end)
              : ElementMemory.allocate(type, Shape.of(end));
      conversion.convert(
          (byte[]) elements.array(), elements.slot(first), end - first, converted, first);
      region.copyToResult(converted, memory());
    }
  }
}
