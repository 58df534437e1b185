package dev.zarrreactive.flink;

import dev.zarrreactive.partition.SplitBlocks;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * The blocks of one split: one waits while Flink takes the rows of the one before. The thread of a
 * reader takes, and those that decode add; neither waits for the other.
 */
final class SplitRows extends BaseSubscriber<RowsOfBlock> {
  private final Queue<Signal> signals = new ConcurrentLinkedQueue<>();
  private final Runnable wake;

  /**
   * What the stream has said.
   *
   * @param block the rows; null at the end
   */
  private record Signal(@Nullable RowsOfBlock block, @Nullable Throwable error) {}

  private SplitRows(Runnable wake) {
    this.wake = wake;
  }

  /**
   * Begins to read a split behind the rows that the job has already; blocks that have only such
   * rows are not asked for.
   *
   * @param wake called after each signal, on a thread that must not block
   */
  static SplitRows of(ZarrSource source, ZarrSplit split, Runnable wake) {
    SplitRows rows = new SplitRows(wake);
    SplitBlocks<DeclaredColumn> blocks = source.blocks();
    AtomicLong done = new AtomicLong(split.position());
    source
        .options()
        .store()
        .read(
            source.options().operations(),
            hierarchy ->
                blocks.read(
                    hierarchy,
                    split.box(),
                    List.of(split.box()),
                    all -> all.skipWhile(box -> isDone(box.cells(), done)),
                    block -> RowsOfBlock.of(source.columns(), block)))
        .map(block -> block.from(done.getAndSet(0)))
        .subscribe(rows);
    return rows;
  }

  private static boolean isDone(long cells, AtomicLong done) {
    if (done.get() < cells) {
      return false;
    }
    done.addAndGet(-cells);
    return true;
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    request(1);
  }

  @Override
  protected void hookOnNext(RowsOfBlock block) {
    add(new Signal(block, null));
  }

  @Override
  protected void hookOnComplete() {
    add(new Signal(null, null));
  }

  @Override
  protected void hookOnError(Throwable error) {
    add(new Signal(null, error));
  }

  private void add(Signal signal) {
    signals.add(signal);
    wake.run();
  }

  /** Returns true if {@link #take} has something. */
  boolean hasSignal() {
    return !signals.isEmpty();
  }

  /** Returns the next block, and asks for one more; null at the end. */
  @Nullable RowsOfBlock take() throws IOException {
    Signal signal = signals.remove();
    if (signal.error != null) {
      throw new IOException(signal.error.getMessage(), signal.error);
    }
    if (signal.block != null) {
      request(1);
    }
    return signal.block;
  }
}
