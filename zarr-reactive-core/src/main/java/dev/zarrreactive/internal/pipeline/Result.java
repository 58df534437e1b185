package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a selection's elements, made when the first chunk is there: to clear it takes time,
 * which is to be a codec thread's and not the caller's.
 */
final class Result {
  private final ArrayStorage array;
  private final Shape shape;
  private @Nullable ElementMemory memory;

  Result(ArrayStorage array, Shape shape) {
    this.array = array;
    this.shape = shape;
  }

  synchronized ElementMemory memory() {
    if (memory == null) {
      memory = array.newResult(shape);
    }
    return memory;
  }
}
