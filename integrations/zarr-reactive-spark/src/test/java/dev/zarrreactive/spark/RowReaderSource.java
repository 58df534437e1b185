package dev.zarrreactive.spark;

import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The same cells by a row reader, for comparison: the same reads and the same decoding, and then a
 * row of values for each cell, as a connector without columns hands them to Spark.
 */
public final class RowReaderSource extends ComparedSource {
  @Override
  PartitionReaderFactory factory(PartitionReaderFactory cells, StructType schema) {
    return new Factory(cells, schema);
  }

  private record Factory(PartitionReaderFactory cells, StructType schema)
      implements PartitionReaderFactory {
    private static final long serialVersionUID = 1;

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      return new Reader(cells.createColumnarReader(partition), schema);
    }
  }

  private static final class Reader implements PartitionReader<InternalRow> {
    private final PartitionReader<ColumnarBatch> batches;
    private final StructType schema;
    private int row;
    private int rows;

    Reader(PartitionReader<ColumnarBatch> batches, StructType schema) {
      this.batches = batches;
      this.schema = schema;
    }

    @Override
    public boolean next() throws IOException {
      row++;
      while (row >= rows) {
        if (!batches.next()) {
          return false;
        }
        rows = batches.get().numRows();
        row = 0;
      }
      return true;
    }

    @Override
    public InternalRow get() {
      Object[] values = new Object[schema.length()];
      InternalRow cells = batches.get().getRow(row);
      for (int i = 0; i < values.length; i++) {
        values[i] = cells.isNullAt(i) ? null : cells.get(i, schema.apply(i).dataType());
      }
      return new GenericInternalRow(values);
    }

    @Override
    public void close() throws IOException {
      batches.close();
    }
  }
}
