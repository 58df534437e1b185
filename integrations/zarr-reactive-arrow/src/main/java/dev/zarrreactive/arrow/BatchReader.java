package dev.zarrreactive.arrow;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/**
 * The bridge from batches, which are signalled, to a reader, which waits: the one place of the
 * module that blocks, and only the thread that calls it does. A batch is demanded by a call.
 */
final class BatchReader extends ArrowReader {
  private static final Object END = new Object();

  private final Schema schema;
  private final Flux<VectorSchemaRoot> batches;
  private final Receiver receiver = new Receiver();
  private boolean isSubscribed;
  private boolean isEnded;
  private long bytes;

  private record Failure(Throwable error) {}

  BatchReader(BufferAllocator allocator, Schema schema, Flux<VectorSchemaRoot> batches) {
    super(allocator);
    this.schema = schema;
    this.batches = batches;
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    if (isEnded) {
      return false;
    }
    if (!isSubscribed) {
      isSubscribed = true;
      batches.subscribe(receiver);
    }
    receiver.request(1);
    Object result;
    try {
      result = receiver.results.take();
    } catch (InterruptedException e) {
      closeReadSource();
      Thread.currentThread().interrupt();
      throw new IOException("the thread was interrupted while it waited for the next batch", e);
    }
    if (result instanceof VectorSchemaRoot next) {
      load(next);
      return true;
    }
    isEnded = true;
    if (result instanceof Failure failure) {
      throw new IOException(failure.error().getMessage(), failure.error());
    }
    return false;
  }

  /** Moves the memory of a batch to the root of this reader. */
  private void load(VectorSchemaRoot next) {
    try (next) {
      ArrowRecordBatch batch = new VectorUnloader(next).getRecordBatch();
      bytes += batch.computeBodyLength();
      loadRecordBatch(batch); // closes it
    }
  }

  @Override
  public long bytesRead() {
    return bytes;
  }

  @Override
  protected Schema readSchema() {
    return schema;
  }

  @Override
  protected void closeReadSource() {
    isEnded = true;
    receiver.end();
  }

  /** Hands the batch that was demanded over, or closes it if nobody waits any more. */
  private static final class Receiver extends BaseSubscriber<VectorSchemaRoot> {
    private final BlockingQueue<Object> results = new ArrayBlockingQueue<>(2);
    private volatile boolean isClosed;

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      // each call demands its batch
    }

    @Override
    protected void hookOnNext(VectorSchemaRoot batch) {
      results.add(batch);
      if (isClosed) {
        closeWaiting();
      }
    }

    @Override
    protected void hookOnComplete() {
      results.add(END);
    }

    @Override
    protected void hookOnError(Throwable error) {
      results.add(new Failure(error));
    }

    void end() {
      isClosed = true;
      cancel();
      closeWaiting();
    }

    private void closeWaiting() {
      for (Object result = results.poll(); result != null; result = results.poll()) {
        if (result instanceof VectorSchemaRoot batch) {
          batch.close();
        }
      }
    }
  }
}
