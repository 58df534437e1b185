package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.DoubleConsumer;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/**
 * A file that is read from its first row to its last: a table or a picture.
 *
 * @param dataType of the elements
 * @param shape of the array that they make; a row is an index of the first dimension
 * @param open opens the file at its first row
 */
public record RowFile(DataType dataType, Shape shape, Callable<Rows> open) {
  private static final int BLOCK_ELEMENTS = 1 << 17;

  /** The rows of an open file. */
  interface Rows extends AutoCloseable {
    /**
     * Reads the next rows.
     *
     * @throws UnreadableFileException for a file that is broken
     */
    NdArray next(int rows) throws IOException;

    @Override
    void close();
  }

  /**
   * Reads blocks of rows in order, each when it is demanded. An error is an {@link
   * UnreadableFileException}.
   *
   * @param progress is told the read share of the file, from 0 to 1, on {@code reader}
   * @param reader the thread for reading the file, which may block
   */
  public Flux<NdArray> blocks(DoubleConsumer progress, Scheduler reader) {
    if (shape.isEmpty()) {
      return Flux.empty();
    }
    long rows = shape.extent(0);
    long elements = shape.elementCountUpTo(Long.MAX_VALUE) / rows;
    int most = (int) Math.max(1, Math.min(rows, BLOCK_ELEMENTS / elements));
    return Flux.using(
            open,
            file ->
                Flux.<NdArray, Long>generate(
                    () -> 0L,
                    (from, sink) -> {
                      if (from >= rows) {
                        sink.complete();
                        return from;
                      }
                      progress.accept((double) from / rows);
                      int count = (int) Math.min(most, rows - from);
                      sink.next(next(file, count));
                      return from + count;
                    }),
            Rows::close)
        .subscribeOn(reader);
  }

  private static NdArray next(Rows file, int count) {
    try {
      return file.next(count);
    } catch (IOException e) {
      throw new UnreadableFileException("cannot read the file: " + e.getMessage(), e);
    }
  }

  /** Closes a file that was only read. */
  static void close(Closeable file) {
    try {
      file.close();
    } catch (IOException e) {
      // what was read is read
    }
  }
}
