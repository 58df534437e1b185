package dev.zarrreactive.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The same batches of columns, kept in memory after their first read: the time that remains is
 * Spark's own.
 */
public final class HeldBatchesSource extends ComparedSource {
  private static final Map<Held, List<ColumnarBatch>> HELD = new ConcurrentHashMap<>();

  private record Held(StructType schema, InputPartition partition) {}

  @Override
  PartitionReaderFactory factory(PartitionReaderFactory cells, StructType schema) {
    return new Factory(cells, schema);
  }

  private record Factory(PartitionReaderFactory cells, StructType schema)
      implements PartitionReaderFactory {
    private static final long serialVersionUID = 1;

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      return cells.createReader(partition);
    }

    @Override
    public boolean supportColumnarReads(InputPartition partition) {
      return true;
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
      return new Reader(
          HELD.computeIfAbsent(new Held(schema, partition), first -> read(partition)).iterator());
    }

    private List<ColumnarBatch> read(InputPartition partition) {
      List<ColumnarBatch> batches = new ArrayList<>();
      try (PartitionReader<ColumnarBatch> reader = cells.createColumnarReader(partition)) {
        while (reader.next()) {
          batches.add(reader.get());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return batches;
    }
  }

  private static final class Reader implements PartitionReader<ColumnarBatch> {
    private final Iterator<ColumnarBatch> batches;
    private @Nullable ColumnarBatch current;

    Reader(Iterator<ColumnarBatch> batches) {
      this.batches = batches;
    }

    @Override
    public boolean next() {
      current = batches.hasNext() ? batches.next() : null;
      return current != null;
    }

    @Override
    public ColumnarBatch get() {
      return Objects.requireNonNull(current);
    }

    @Override
    public void close() {
      // the batches stay
    }
  }
}
