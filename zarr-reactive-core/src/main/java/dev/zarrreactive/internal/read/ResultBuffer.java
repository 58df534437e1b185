package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.MemoryExhaustedException;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The memory of a selection's elements. To clear it takes time, which is a codec thread's and not
 * the caller's: where it is much, while the first requests are under way.
 */
final class Result {
  private static final int MUCH = 1 << 20;

  private final ArrayStorage array;
  private final Shape shape;
  private @Nullable ElementMemory memory;

  Result(ArrayStorage array, Shape shape) {
    this.array = array;
    this.shape = shape;
  }

  /** Begins to make it. What goes wrong is told to whoever needs it. */
  void prepare(Scheduler scheduler) {
    if (ElementMemory.slots(array.metadata().dataType(), shape) >= MUCH) {
      var unused =
          scheduler.schedule(
              () -> {
                try {
                  memory();
                } catch (MemoryExhaustedException e) {
                  // as it will be when the first chunk is there
                }
              });
    }
  }

  synchronized ElementMemory memory() {
    if (memory == null) {
      memory = array.newResult(shape);
    }
    return memory;
  }
}
