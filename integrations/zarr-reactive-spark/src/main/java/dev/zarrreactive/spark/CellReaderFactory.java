package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.partition.GridSource;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a query that executors need: the store, the columns with their metadata, the chunks.
 *
 * @param rank the number of the rows' dimensions
 * @param limit the most rows of a task
 * @param reduction what is computed of each block; null for the cells themselves
 */
record CellReaderFactory(
    TableOptions options,
    List<CellColumn> columns,
    GridSource grid,
    int rank,
    double bytesPerCell,
    long limit,
    @Nullable BlockSums reduction)
    implements PartitionReaderFactory {
  private static final long serialVersionUID = 1;

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new UnsupportedOperationException("cells are read in batches of columns");
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    CellBatches batches = new CellBatches(this, (CellScan.CellPartition) partition);
    return new PulledReader<>(
        options
            .store()
            .read(ZarrOptions.defaults().withDrafts(options.acceptedDrafts()), batches::stream));
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }
}
