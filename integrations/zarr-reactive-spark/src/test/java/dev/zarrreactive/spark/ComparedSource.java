package dev.zarrreactive.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The same columns, splits and conditions as the cells, with another reader, for comparison. */
abstract class ComparedSource implements TableProvider {
  private final ZarrDataSource source = new ZarrDataSource();

  /** Returns the reader of this source, which is made of that of the cells. */
  abstract PartitionReaderFactory factory(PartitionReaderFactory cells, StructType schema);

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return source.inferSchema(options);
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> options) {
    return new Same((CellTable) source.getTable(schema, partitioning, options));
  }

  private final class Same implements Table, SupportsRead {
    private final CellTable cells;

    Same(CellTable cells) {
      this.cells = cells;
    }

    @Override
    public String name() {
      return ComparedSource.this.getClass().getSimpleName();
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

  private final class Builder implements ScanBuilder, SupportsPushDownRequiredColumns {
    private final ScanBuilder cells;

    Builder(ScanBuilder cells) {
      this.cells = cells;
    }

    @Override
    public void pruneColumns(StructType required) {
      ((SupportsPushDownRequiredColumns) cells).pruneColumns(required);
    }

    @Override
    public Scan build() {
      return new SameScan(cells.build());
    }
  }

  private final class SameScan implements Scan, Batch {
    private final Scan cells;

    SameScan(Scan cells) {
      this.cells = cells;
    }

    @Override
    public StructType readSchema() {
      return cells.readSchema();
    }

    @Override
    public Batch toBatch() {
      return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
      return cells.toBatch().planInputPartitions();
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return factory(cells.toBatch().createReaderFactory(), cells.readSchema());
    }
  }
}
