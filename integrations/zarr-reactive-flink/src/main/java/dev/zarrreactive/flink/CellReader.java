package dev.zarrreactive.flink;

import dev.zarrreactive.internal.threads.Daemons;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Gives Flink the rows of its splits, one for each call. Nothing waits, also no thread of Flink's:
 * where no block is there, Flink gets a future that ends when one is. Blocks are asked for as Flink
 * takes rows, and a close cancels the requests. Flink calls it on one thread.
 */
final class CellReader implements SourceReader<RowData, ZarrSplit> {
  /** Tells Flink's mailbox, whose lock no thread that decodes should wait for. */
  private static final Scheduler WAKES = Daemons.mayBlock(1, "zarr-flink", 60);

  private final SourceReaderContext context;
  private final ZarrSource source;
  private final Deque<ZarrSplit> waiting = new ArrayDeque<>();
  private final AtomicReference<CompletableFuture<Void>> wake =
      new AtomicReference<>(new CompletableFuture<>());
  private boolean isLast;
  private @Nullable ZarrSplit split;
  private @Nullable SplitRows reading;
  private @Nullable RowsOfBlock block;
  private long position;

  CellReader(SourceReaderContext context, ZarrSource source) {
    this.context = context;
    this.source = source;
  }

  @Override
  public void start() {
    if (waiting.isEmpty()) {
      context.sendSplitRequest();
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<RowData> output) throws IOException {
    while (true) {
      if (block != null && block.hasNext()) {
        output.collect(block.next());
        position++;
        return InputStatus.MORE_AVAILABLE;
      }
      block = null;
      if (reading == null && !begin()) {
        return isLast ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
      }
      SplitRows rows = Objects.requireNonNull(reading);
      if (!rows.hasSignal()) {
        return InputStatus.NOTHING_AVAILABLE;
      }
      block = rows.take();
      if (block == null) {
        end();
      }
    }
  }

  /** Begins the next split; returns false if there is none. */
  private boolean begin() {
    split = waiting.poll();
    if (split == null) {
      return false;
    }
    position = split.position();
    reading = SplitRows.of(source, split, () -> WAKES.schedule(this::wake));
    return true;
  }

  private void end() {
    split = null;
    reading = null;
    if (waiting.isEmpty() && !isLast) {
      context.sendSplitRequest();
    }
  }

  private void wake() {
    Objects.requireNonNull(wake.get()).complete(null);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    // first the future, then the look: who signals after the look ends this future
    CompletableFuture<Void> next =
        Objects.requireNonNull(
            wake.updateAndGet(old -> old.isDone() ? new CompletableFuture<>() : old));
    boolean canGoOn =
        reading != null
            ? (block != null && block.hasNext()) || reading.hasSignal()
            : !waiting.isEmpty() || isLast;
    return canGoOn ? CompletableFuture.completedFuture(null) : next;
  }

  @Override
  public void addSplits(List<ZarrSplit> splits) {
    for (ZarrSplit added : splits) {
      source.check(added.query());
      waiting.add(added);
    }
    wake();
  }

  @Override
  public void notifyNoMoreSplits() {
    isLast = true;
    wake();
  }

  @Override
  public List<ZarrSplit> snapshotState(long checkpoint) {
    List<ZarrSplit> all = new ArrayList<>();
    if (split != null) {
      all.add(split.at(position));
    }
    all.addAll(waiting);
    return all;
  }

  @Override
  public void close() {
    if (reading != null) {
      reading.cancel();
    }
  }
}
