package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.Relay;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * The memory of a selection's elements. Clearing a large buffer takes long, so a codec thread does
 * it while the first requests are in flight. File threads decode the chunks that they read, and
 * would hand them over before the memory is there: their results are large from 8 MiB on.
 */
final class ResultBuffer {
  private static final int MUCH = 1 << 20;
  private static final int MUCH_FOR_FILE_THREADS = 1 << 23;

  private final Shape shape;
  private final Supplier<ElementMemory> source;
  private final @Nullable Mono<ElementMemory> clearing;
  private final Scheduler codecScheduler;
  private final List<Waiting> waiting = new ArrayList<>();
  private final boolean isClear;
  private volatile @Nullable ElementMemory memory;

  /** Creates a result in memory of its own. */
  ResultBuffer(ReadOperation operation, Shape shape, DataType type) {
    this.shape = shape;
    this.source = () -> operation.array().newResult(shape, type);
    this.codecScheduler = operation.array().limits().codecScheduler();
    this.isClear = true;
    int much = operation.borrowsFromFileThreads() ? MUCH_FOR_FILE_THREADS : MUCH;
    if (ElementMemory.slots(type, shape) >= much) {
      this.clearing = Mono.fromSupplier(this::allocate).subscribeOn(codecScheduler);
    } else {
      this.clearing = null;
      allocate();
    }
  }

  /** Creates a result in memory of the caller, of any content. */
  ResultBuffer(ReadOperation operation, Shape shape, ElementMemory given) {
    this.shape = shape;
    this.source = () -> given;
    this.codecScheduler = operation.array().limits().codecScheduler();
    this.isClear = false;
    this.clearing = null;
    this.memory = given;
  }

  private ElementMemory allocate() {
    ElementMemory made = source.get();
    List<Waiting> waited;
    synchronized (waiting) {
      memory = made;
      waited = List.copyOf(waiting);
      waiting.clear();
    }
    for (Waiting one : waited) {
      one.resume();
    }
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
    if (clearing == null) {
      return loaded;
    }
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super Fetch> actual) {
        loaded.subscribe(new Waiting(actual));
      }
    };
  }

  /** Passes a fetch on when the memory is there: one operator, since each chunk has one. */
  private final class Waiting extends Relay<Fetch, Fetch> {
    private @Nullable Fetch early;
    private volatile boolean isCancelled;

    Waiting(CoreSubscriber<? super Fetch> actual) {
      super(actual);
    }

    @Override
    public void onNext(Fetch fetch) {
      if (!isThere()) {
        synchronized (waiting) {
          if (!isThere()) {
            early = fetch;
            waiting.add(this);
            return;
          }
        }
      }
      actual.onNext(fetch);
    }

    @Override
    public void onComplete() {
      if (early == null) {
        actual.onComplete();
      }
    }

    private void resume() {
      try {
        codecScheduler.schedule(this::passOn);
      } catch (RejectedExecutionException e) {
        actual.onError(Operators.onRejectedExecution(e, currentContext()));
      }
    }

    private void passOn() {
      if (!isCancelled) {
        actual.onNext(Objects.requireNonNull(early));
        actual.onComplete();
      }
    }

    @Override
    public void cancel() {
      isCancelled = true;
      super.cancel();
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
