package dev.zarrreactive.cli.input;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** The elements of a file, which can be read along any axis. */
public interface Slabs {
  /** Returns the type of the elements. */
  DataType dataType();

  /** Returns the shape of the array in the file. */
  Shape shape();

  /**
   * Emits slabs along an axis, each of {@code rows} or, at the end, fewer.
   *
   * @param reader the thread for reading the file, which may block
   */
  Flux<NdArray> slabs(int axis, long rows, Scheduler reader);
}
