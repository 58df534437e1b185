package dev.zarrreactive.flink;

import dev.zarrreactive.partition.GridSource;
import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.Pull;
import dev.zarrreactive.partition.SplitBlocks;
import dev.zarrreactive.partition.SplitPlan;
import dev.zarrreactive.partition.SplitPlanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.RowData;

/**
 * The cells that a query reads, as a source that ends: the store at one version, the columns with
 * their metadata, the chunks. Immutable; Flink sends it to its machines.
 */
final class ZarrSource implements Source<RowData, ZarrSplit, PendingSplits> {
  private static final long serialVersionUID = 1;

  private final SourceOptions options;
  private final List<DeclaredColumn> columns;
  private final GridSource grid;
  private final IndexBox box;

  /**
   * Creates a source.
   *
   * @param options the store, at its version, and how it is read
   * @param columns the columns of the rows
   * @param grid the chunks that divide the rows
   * @param box the cells
   */
  ZarrSource(SourceOptions options, List<DeclaredColumn> columns, GridSource grid, IndexBox box) {
    this.options = options;
    this.columns = List.copyOf(columns);
    this.grid = grid;
    this.box = box;
  }

  SourceOptions options() {
    return options;
  }

  List<DeclaredColumn> columns() {
    return columns;
  }

  /** Names what is read: a checkpoint goes with one version, its columns and its cells. */
  String query() {
    return options.store().location()
        + (options.group().isEmpty() ? "" : " group " + options.group())
        + " columns "
        + columns
        + " cells "
        + Integer.toHexString(box.hashCode());
  }

  /**
   * Checks that a checkpoint is of this query.
   *
   * @throws IllegalStateException for another version, or other columns or cells
   */
  void check(String other) {
    if (!other.equals(query())) {
      throw new IllegalStateException(
          "the checkpoint is of the query "
              + other
              + ", and the job reads "
              + query()
              + "; name the version by the option snapshot, and leave the query as it was, or start"
              + " without the checkpoint");
    }
  }

  SplitBlocks<DeclaredColumn> blocks() {
    return new SplitBlocks<>(
        columns, grid, box.dimensions().size(), bytesPerCell(), options.concurrency());
  }

  private double bytesPerCell() {
    return Math.max(
        1,
        columns.stream()
            .mapToInt(
                column ->
                    column.dimensions().length == box.dimensions().size() ? column.itemSize() : 1)
            .sum());
  }

  /** Plans the splits. The thread waits for metadata where an array is of a draft. */
  List<ZarrSplit> plan() throws IOException {
    GridSource.Edges edges =
        Pull.one(
            options.store().read(options.operations(), hierarchy -> grid.edges(hierarchy).flux()));
    SplitPlan plan =
        new SplitPlanner(bytesPerCell(), options.splitBytes(), options.maxSplits())
            .plan(edges.chunks(), box);
    List<ZarrSplit> splits = new ArrayList<>();
    for (IndexBox split : plan.splits()) {
      splits.add(new ZarrSplit(splits.size(), query(), split, 0));
    }
    return splits;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SplitEnumerator<ZarrSplit, PendingSplits> createEnumerator(
      SplitEnumeratorContext<ZarrSplit> context) {
    return new SplitQueue(context, this, null);
  }

  @Override
  public SplitEnumerator<ZarrSplit, PendingSplits> restoreEnumerator(
      SplitEnumeratorContext<ZarrSplit> context, PendingSplits checkpoint) {
    return new SplitQueue(context, this, checkpoint);
  }

  @Override
  public SourceReader<RowData, ZarrSplit> createReader(SourceReaderContext context) {
    return new CellReader(context, this);
  }

  @Override
  public SimpleVersionedSerializer<ZarrSplit> getSplitSerializer() {
    return new ZarrSplit.Serializer();
  }

  @Override
  public SimpleVersionedSerializer<PendingSplits> getEnumeratorCheckpointSerializer() {
    return new PendingSplits.Serializer();
  }
}
