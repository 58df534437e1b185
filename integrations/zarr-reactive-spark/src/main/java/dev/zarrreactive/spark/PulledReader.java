package dev.zarrreactive.spark;

import dev.zarrreactive.partition.Pull;
import java.io.IOException;
import java.util.NoSuchElementException;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** A stream as Spark reads it: one result waits while Spark works on the one before. */
final class PulledReader<T> implements PartitionReader<T> {
  private final Pull<T> pull;
  private @Nullable T current;

  PulledReader(Publisher<T> stream) {
    this.pull = Pull.of(stream, 1);
  }

  @Override
  public boolean next() throws IOException {
    current = null;
    current = pull.next();
    return current != null;
  }

  @Override
  public T get() {
    T result = current;
    if (result == null) {
      throw new NoSuchElementException("there is no result");
    }
    return result;
  }

  @Override
  public void close() {
    pull.close();
  }
}
