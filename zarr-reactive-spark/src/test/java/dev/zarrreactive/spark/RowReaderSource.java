package dev.zarrreactive.spark;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The same cells by a row reader, for comparison: the same reads and the same decoding, and then a
 * row of values for each cell, as a connector without columns hands them to Spark.
 */
public final class RowReaderSource implements TableProvider {
  private final ZarrDataSource source = new ZarrDataSource();

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return source.inferSchema(options);
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> options) {
    return new Rows((CellTable) source.getTable(schema, partitioning, options));
  }

  private record Rows(CellTable cells) implements Table, SupportsRead {
    @Override
    public String name() {
      return "rows";
    }

    @Override
    @SuppressWarnings("deprecation") // columns() leads here
    public StructType schema() {
      return cells.schema();
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return new Builder(cells.newScanBuilder(options));
    }
  }

  private record Builder(ScanBuilder cells)
      implements ScanBuilder, SupportsPushDownRequiredColumns {
    @Override
    public void pruneColumns(StructType required) {
      ((SupportsPushDownRequiredColumns) cells).pruneColumns(required);
    }

    @Override
    public Scan build() {
      return new RowScan(cells.build());
    }
  }

  private record RowScan(Scan cells) implements Scan, Batch {
    @Override
    public StructType readSchema() {
      return cells.readSchema();
    }

    @Override
    public Batch toBatch() {
      return this;
    }

    @Override
    public ColumnarSupportMode columnarSupportMode() {
      return ColumnarSupportMode.UNSUPPORTED;
    }

    @Override
    public InputPartition[] planInputPartitions() {
      return cells.toBatch().planInputPartitions();
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new Factory(cells.toBatch().createReaderFactory(), cells.readSchema());
    }
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
