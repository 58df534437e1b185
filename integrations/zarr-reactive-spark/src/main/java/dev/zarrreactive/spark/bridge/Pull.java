package dev.zarrreactive.spark.bridge;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;

/**
 * The bridge from a stream, which signals, to a task of Spark, which waits: the one place of the
 * connector that blocks on a stream, and only threads of Spark do. A result is demanded when an
 * earlier one is taken, so that no more than {@code ahead} of them wait in memory. Closing cancels
 * the stream, and with it its requests; so does an interrupt, by which Spark kills a task.
 */
public final class Pull<T> implements AutoCloseable {
  private static final Object END = new Object();

  private final BlockingQueue<Object> results;
  private final Receiver receiver = new Receiver();
  private final int ahead;
  private boolean ended;

  private record Failure(Throwable error) {}

  private Pull(int ahead) {
    this.ahead = ahead;
    this.results = new ArrayBlockingQueue<>(ahead + 1);
  }

  /** Subscribes, and demands the first {@code ahead} results. */
  public static <T> Pull<T> of(Publisher<T> stream, int ahead) {
    Pull<T> pull = new Pull<>(ahead);
    stream.subscribe(pull.receiver);
    return pull;
  }

  /** Waits for the only result of a stream. */
  public static <T> T one(Publisher<T> stream) throws IOException {
    try (Pull<T> pull = of(stream, 1)) {
      T result = pull.next();
      if (result == null) {
        throw new IOException("the stream has ended without a result");
      }
      return result;
    }
  }

  /** Waits for the next result; null at the end. */
  @SuppressWarnings("unchecked") // the queue has results, failures and the end
  public @Nullable T next() throws IOException {
    if (ended) {
      return null;
    }
    Object result;
    try {
      result = results.take();
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new IOException("the task was interrupted", e);
    }
    if (result == END) {
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

  private final class Receiver extends BaseSubscriber<Object> {
    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      request(ahead);
    }

    @Override
    protected void hookOnNext(Object value) {
      results.add(value);
    }

    @Override
    protected void hookOnError(Throwable error) {
      results.add(new Failure(error));
    }

    @Override
    protected void hookFinally(SignalType type) {
      if (type == SignalType.ON_COMPLETE) {
        results.add(END);
      }
    }
  }
}
