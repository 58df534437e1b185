package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The memory of a selection's elements. Clearing a large buffer takes long, so a codec thread does
 * it while the first requests are in flight.
 */
final class ResultBuffer {
  private static final int MUCH = 1 << 20;

  private final Shape shape;
  private final Supplier<ElementMemory> source;
  private final @Nullable Mono<ElementMemory> clearing;
  private final Scheduler codecScheduler;
  private final boolean isClear;
  private volatile @Nullable ElementMemory memory;

  /** Creates a result in memory of its own. */
  ResultBuffer(ArrayStorage array, Shape shape, DataType type) {
    this.shape = shape;
    this.source = () -> array.newResult(shape, type);
    this.codecScheduler = array.limits().codecScheduler();
    this.isClear = true;
    if (ElementMemory.slots(type, shape) >= MUCH) {
      this.clearing = Mono.fromSupplier(this::allocate).subscribeOn(codecScheduler).cache();
    } else {
      this.clearing = null;
      allocate();
    }
  }

  /** Creates a result in memory of the caller, of any content. */
  ResultBuffer(ArrayStorage array, Shape shape, ElementMemory given) {
    this.shape = shape;
    this.source = () -> given;
    this.codecScheduler = array.limits().codecScheduler();
    this.isClear = false;
    this.clearing = null;
    this.memory = given;
  }

  private ElementMemory allocate() {
    ElementMemory made = source.get();
    memory = made;
    return made;
  }

  /** Returns {@code work}, with the memory cleared at the same time. */
  Mono<Void> cleared(Mono<Void> work) {
    return clearing == null
        ? work
        : Concurrently.map(Flux.just(clearing.then(), work), 2, both -> both).then();
  }

  /**
   * Returns the loaded fetch when the memory for its pieces is cleared. Fetches that have waited
   * are decoded on several codec threads.
   */
  Mono<Fetch> after(Mono<Fetch> loaded) {
    Mono<ElementMemory> cleared = clearing;
    return cleared == null
        ? loaded
        : loaded.flatMap(
            fetch ->
                memory != null
                    ? Mono.just(fetch)
                    : cleared.publishOn(codecScheduler).thenReturn(fetch));
  }

  /** Returns true if elements that no piece has written are zero or empty. */
  boolean isClear() {
    return isClear;
  }

  /** Returns true when pieces can be placed. */
  boolean isThere() {
    return memory != null;
  }

  ElementMemory memory() {
    return Objects.requireNonNull(memory);
  }

  NdArray toNdArray() {
    return memory().toNdArray(shape);
  }
}
