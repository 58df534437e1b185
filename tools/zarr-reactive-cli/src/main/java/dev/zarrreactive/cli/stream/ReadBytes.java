package dev.zarrreactive.cli.stream;

import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes that a store delivers. Thread-safe. */
public final class ReadBytes implements StoreObserver {
  private final LongAdder bytes = new LongAdder();

  /** Creates a counter at zero. */
  public ReadBytes() {}

  /** Returns the number of bytes until now. */
  public long bytes() {
    return bytes.sum();
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    bytes.add(outcome.bytes());
  }
}
