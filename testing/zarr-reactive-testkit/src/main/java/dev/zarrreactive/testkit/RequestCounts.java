package dev.zarrreactive.testkit;

import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The counts of an {@link InstrumentedStore}. Thread-safe. */
public final class RequestCounts {
  private final Queue<StoreRequest> requests = new ConcurrentLinkedQueue<>();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger maxInFlight = new AtomicInteger();
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong cancelled = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicLong bytesWritten = new AtomicLong();

  RequestCounts() {}

  /** All requests, in the order in which they started. */
  public List<StoreRequest> requests() {
    return List.copyOf(requests);
  }

  /** How many requests were made. */
  public int total() {
    return requests.size();
  }

  /** How many requests were made for one operation. */
  public long total(StoreOperation operation) {
    return requests.stream().filter(request -> request.operation() == operation).count();
  }

  /** How many requests are under way now. */
  public int inFlight() {
    return inFlight.get();
  }

  /** The most requests that were under way at a time. */
  public int maxInFlight() {
    return maxInFlight.get();
  }

  /** How many requests ended well, with a value or without. */
  public long completed() {
    return completed.get();
  }

  /** How many requests ended in an error. */
  public long failed() {
    return failed.get();
  }

  /** How many requests were cancelled before they ended. */
  public long cancelled() {
    return cancelled.get();
  }

  /** The bytes of all values, and parts of values, that were read. */
  public long bytesRead() {
    return bytesRead.get();
  }

  /** The bytes of all values, and parts of values, that were written. */
  public long bytesWritten() {
    return bytesWritten.get();
  }

  /** Forgets everything but what is in flight. */
  public void reset() {
    requests.clear();
    maxInFlight.set(inFlight.get());
    for (AtomicLong count : List.of(completed, failed, cancelled, bytesRead, bytesWritten)) {
      count.set(0);
    }
  }

  @Override
  public String toString() {
    return total()
        + " requests, at most "
        + maxInFlight
        + " at a time: "
        + completed
        + " completed, "
        + failed
        + " failed, "
        + cancelled
        + " cancelled, "
        + inFlight
        + " in flight; "
        + bytesRead
        + " bytes read, "
        + bytesWritten
        + " written";
  }

  void started(StoreRequest request) {
    requests.add(request);
    maxInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
  }

  void read(long bytes) {
    bytesRead.addAndGet(bytes);
  }

  void written(long bytes) {
    bytesWritten.addAndGet(bytes);
  }

  End end() {
    return new End();
  }

  /** The end of one request; only the first call counts. */
  final class End {
    private final AtomicBoolean ended = new AtomicBoolean();

    void completed() {
      count(completed);
    }

    void failed() {
      count(failed);
    }

    void cancelled() {
      count(cancelled);
    }

    private void count(AtomicLong how) {
      if (ended.compareAndSet(false, true)) {
        how.incrementAndGet();
        inFlight.decrementAndGet();
      }
    }
  }
}
