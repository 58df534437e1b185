package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The memory of a selection's elements. Clearing a large buffer takes long, so a codec thread does
 * it while the first requests are in flight. The threads of a store that lends bytes decode them,
 * and would hand them over before the memory is there: such results are large from 8 MiB on.
 */
final class ResultBuffer {
  private static final int MUCH = 1 << 20;
  private static final int MUCH_FOR_LENDERS = 1 << 23;

  private final Shape shape;
  private final Supplier<ElementMemory> source;
  private final @Nullable Mono<ElementMemory> clearing;
  private final List<Runnable> waiting = new ArrayList<>();
  private final boolean isClear;
  private volatile @Nullable ElementMemory memory;

  /** Creates a result in memory of its own. */
  ResultBuffer(ReadOperation operation, Shape shape, DataType type) {
    this.shape = shape;
    this.source = () -> operation.array().newResult(shape, type);
    this.isClear = true;
    int much =
        operation.mayBorrow() && operation.array().context().hasLent() ? MUCH_FOR_LENDERS : MUCH;
    if (ElementMemory.slots(type, shape) >= much) {
      this.clearing =
          Mono.fromSupplier(this::allocate)
              .subscribeOn(operation.array().limits().codecScheduler());
    } else {
      this.clearing = null;
      allocate();
    }
  }

  /** Creates a result in memory of the caller, of any content. */
  ResultBuffer(ReadOperation operation, Shape shape, ElementMemory given) {
    this.shape = shape;
    this.source = () -> given;
    this.isClear = false;
    this.clearing = null;
    this.memory = given;
  }

  private ElementMemory allocate() {
    ElementMemory made = source.get();
    List<Runnable> waited;
    synchronized (waiting) {
      memory = made;
      waited = List.copyOf(waiting);
      waiting.clear();
    }
    waited.forEach(Runnable::run);
    return made;
  }

  /** Returns {@code work}, with the memory cleared at the same time. */
  Mono<Void> cleared(Mono<Void> work) {
    return clearing == null
        ? work
        : Concurrently.map(Flux.just(clearing.then(), work), 2, both -> both).then();
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
