package dev.zarrreactive.cli.input;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.datatype.DataType;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.DoubleConsumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A file that is read from its first row to its last: CSV and PNG.
 *
 * @param open opens the file at its first row
 */
record RowSource(DataType dataType, Shape shape, Callable<Rows> open) implements ElementSource {
  private static final int BLOCK_ELEMENTS = 1 << 17;

  /** The rows of an open file. */
  interface Rows extends AutoCloseable {
    /**
     * Reads the next rows.
     *
     * @throws CommandFailure for a file that is broken
     */
    NdArray next(int rows) throws IOException;

    @Override
    void close();
  }

  /** Writes all rows, also those that are stored: the file is read from its first row anyway. */
  @Override
  public Mono<Void> writeTo(
      ZarrArray array, boolean isResumed, DoubleConsumer progress, Scheduler reader) {
    long rows = shape.extent(0);
    if (shape.isEmpty()) {
      return Mono.empty();
    }
    long elements = shape.elementCountUpTo(Long.MAX_VALUE) / rows;
    int most = (int) Math.max(1, Math.min(rows, BLOCK_ELEMENTS / elements));
    Flux<NdArray> blocks =
        Flux.using(
            open,
            file ->
                Flux.generate(
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
            Rows::close);
    return array.write(Selection.all(), blocks.subscribeOn(reader));
  }

  private static NdArray next(Rows file, int count) {
    try {
      return file.next(count);
    } catch (IOException e) {
      throw new CommandFailure("cannot read the file: " + e.getMessage(), e);
    }
  }
}
