package dev.zarrreactive.cli.input;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.files.RowFile;
import java.util.function.DoubleConsumer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The elements of a file, which is read part by part. */
interface ElementSource {
  /** Returns the type of the elements. */
  DataType dataType();

  /** Returns the shape of the array that they make. */
  Shape shape();

  /**
   * Writes the elements to all of an array of this type and shape. One part of the file is in
   * memory, and the next one.
   *
   * @param isResumed whether an earlier run has written a part of the array, in the same order: the
   *     source may leave out the part that is certain to be stored
   * @param progress is told the read share of the file, from 0 to 1, on {@code reader}
   * @param reader the thread for reading the file, which may block
   * @return completes when everything is stored; {@link
   *     dev.zarrreactive.internal.files.UnreadableFileException} for a file that is broken
   */
  Mono<Void> writeTo(ZarrArray array, boolean isResumed, DoubleConsumer progress, Scheduler reader);

  /** A table or a picture. All rows are written, also those that are stored. */
  record Rows(RowFile file) implements ElementSource {
    @Override
    public DataType dataType() {
      return file.dataType();
    }

    @Override
    public Shape shape() {
      return file.shape();
    }

    @Override
    public Mono<Void> writeTo(
        ZarrArray array, boolean isResumed, DoubleConsumer progress, Scheduler reader) {
      return shape().isEmpty()
          ? Mono.empty()
          : array.write(Selection.all(), file.blocks(progress, reader));
    }
  }
}
