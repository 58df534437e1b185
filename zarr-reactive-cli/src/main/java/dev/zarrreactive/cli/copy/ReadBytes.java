package dev.zarrreactive.cli.copy;

import dev.zarrreactive.store.StoreObserver;
import dev.zarrreactive.store.StoreOutcome;
import dev.zarrreactive.store.StoreRequest;
import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes that a store hands out. Thread-safe. */
public final class ReadBytes implements StoreObserver {
  private final LongAdder bytes = new LongAdder();

  /** Nothing is counted yet. */
  public ReadBytes() {}

  /** How many there were until now. */
  public long bytes() {
    return bytes.sum();
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    bytes.add(outcome.bytes());
  }
}
