package dev.zarrreactive.flink;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.util.FlinkRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the splits of the planner, in its order: one to each reader that asks. Flink calls it
 * on one thread; the plan is made on a worker of Flink's, which may wait for metadata.
 */
final class SplitQueue implements SplitEnumerator<ZarrSplit, PendingSplits> {
  private final SplitEnumeratorContext<ZarrSplit> context;
  private final ZarrSource source;
  private final Deque<ZarrSplit> left = new ArrayDeque<>();
  private final Set<Integer> waiting = new LinkedHashSet<>();
  private boolean isPlanned;

  SplitQueue(
      SplitEnumeratorContext<ZarrSplit> context,
      ZarrSource source,
      @Nullable PendingSplits checkpoint) {
    this.context = context;
    this.source = source;
    if (checkpoint != null) {
      source.check(checkpoint.query());
      isPlanned = checkpoint.isPlanned();
      left.addAll(checkpoint.left());
    }
  }

  @Override
  public void start() {
    if (!isPlanned) {
      context.callAsync(source::plan, this::planned);
    }
  }

  private void planned(List<ZarrSplit> splits, @Nullable Throwable error) {
    if (error != null) {
      throw new FlinkRuntimeException("the splits cannot be planned: " + error.getMessage(), error);
    }
    left.addAll(splits);
    isPlanned = true;
    assign();
  }

  @Override
  public void handleSplitRequest(int reader, @Nullable String host) {
    waiting.add(reader);
    assign();
  }

  private void assign() {
    if (!isPlanned) {
      return;
    }
    for (int reader : waiting) {
      if (context.registeredReaders().containsKey(reader)) {
        ZarrSplit split = left.poll();
        if (split == null) {
          context.signalNoMoreSplits(reader);
        } else {
          context.assignSplit(split, reader);
        }
      }
    }
    waiting.clear();
  }

  /** Takes the splits of a reader that has failed, as they stood at its last checkpoint. */
  @Override
  public void addSplitsBack(List<ZarrSplit> splits, int reader) {
    left.addAll(splits);
    assign();
  }

  @Override
  public void addReader(int reader) {
    // a reader asks for its splits
  }

  @Override
  public PendingSplits snapshotState(long checkpoint) {
    return new PendingSplits(source.query(), isPlanned, List.copyOf(left));
  }

  @Override
  public void close() {
    // nothing is open
  }
}
