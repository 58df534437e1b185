package dev.zarrreactive.partition;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;

/**
 * The bridge from a stream, which signals, to a thread of an engine, which waits: the one place
 * that blocks on a stream, and only threads of engines do. A result is demanded when an earlier one
 * is taken, so that no more than {@code ahead} of them wait in memory. Closing cancels the stream,
 * and with it its requests; so does an interrupt, by which an engine ends a task. What the stream
 * says is taken without a lock, so that its threads wait for nobody.
 */
public final class Pull<T> implements AutoCloseable {
  private static final Object END = new Object();

  private final Queue<Object> results = new ConcurrentLinkedQueue<>();
  private final Semaphore there = new Semaphore(0);
  private final Receiver receiver = new Receiver();
  private final int ahead;
  private boolean ended;

  private record Failure(Throwable error) {}

  private Pull(int ahead) {
    this.ahead = ahead;
  }

  /** Subscribes, and demands the first {@code ahead} results. */
  public static <T> Pull<T> of(Publisher<T> stream, int ahead) {
    Pull<T> pull = new Pull<>(ahead);
    stream.subscribe(pull.receiver);
    return pull;
  }

  /**
   * Waits for the only result of a stream.
   *
   * @throws IOException with the message of the stream's error, which is the cause
   */
  public static <T> T one(Publisher<T> stream) throws IOException {
    try (Pull<T> pull = of(stream, 1)) {
      T result = pull.next();
      if (result == null) {
        throw new IOException("the stream has ended without a result");
      }
      return result;
    }
  }

  /**
   * Waits for the next result; null at the end.
   *
   * @throws IOException with the message of the stream's error, which is the cause
   */
  @SuppressWarnings("unchecked") // the queue has results, failures and the end
  public @Nullable T next() throws IOException {
    if (ended) {
      return null;
    }
    try {
      there.acquire();
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new IOException("the task was interrupted", e);
    }
    Object result = results.poll(); // null after a close of another thread
    if (result == null || result == END) {
      ended = true;
      return null;
    } else if (result instanceof Failure failure) {
      ended = true;
      throw new IOException(failure.error.getMessage(), failure.error);
    }
    receiver.request(1);
    return (T) result;
  }

  @Override
  public void close() {
    ended = true;
    receiver.cancel();
    results.clear();
  }

  private void add(Object result) {
    results.add(result);
    there.release();
  }

  private final class Receiver extends BaseSubscriber<Object> {
    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      request(ahead);
    }

    @Override
    protected void hookOnNext(Object value) {
      add(value);
    }

    @Override
    protected void hookOnError(Throwable error) {
      add(new Failure(error));
    }

    @Override
    protected void hookFinally(SignalType type) {
      if (type == SignalType.ON_COMPLETE) {
        add(END);
      }
    }
  }
}
