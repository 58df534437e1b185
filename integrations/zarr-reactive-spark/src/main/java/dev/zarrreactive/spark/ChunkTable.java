package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.SplitPlanner;
import dev.zarrreactive.partition.VariableSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The chunks of arrays, or their shards: a row for each, with its elements as they are stored. */
record ChunkTable(TableOptions options, List<ZarrArray> arrays) implements Table, SupportsRead {
  private static final org.apache.spark.sql.types.ArrayType INDICES =
      DataTypes.createArrayType(DataTypes.LongType, false);
  private static final StructType SCHEMA =
      new StructType()
          .add("array", DataTypes.StringType, false)
          .add("chunk_index", INDICES, false)
          .add("origin", INDICES, false)
          .add("shape", INDICES, false)
          .add("data_type", DataTypes.StringType, false)
          .add("stored", DataTypes.BooleanType, false)
          .add("data", DataTypes.BinaryType, true);

  ChunkTable {
    List<String> names = options.variables();
    arrays =
        arrays.stream()
            .filter(array -> names.isEmpty() || names.contains(array.path().name()))
            .toList();
    if (!options.select().isEmpty() || !options.dimensions().isEmpty()) {
      throw new IllegalArgumentException(
          "the options select and dimensions are for cells; choose chunks by a condition on"
              + " chunk_index");
    }
  }

  @Override
  public String name() {
    return "zarr chunks of " + options.store().location();
  }

  @Override
  @SuppressWarnings("deprecation") // columns() leads here
  public StructType schema() {
    return SCHEMA;
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap readOptions) {
    return new Builder(this);
  }

  /** Knows the wanted columns; chunks are read only where their data are among them. */
  private static final class Builder implements ScanBuilder, SupportsPushDownRequiredColumns {
    private final ChunkTable table;
    private StructType required = SCHEMA;

    Builder(ChunkTable table) {
      this.table = table;
    }

    @Override
    public void pruneColumns(StructType requiredSchema) {
      required = requiredSchema;
    }

    @Override
    public Scan build() {
      return new Chunks(table, required);
    }
  }

  /** The chunks of one array that a task reads, by their indices in the chunk grid. */
  record ChunkPartition(VariableSource source, IndexBox chunks, List<String> hosts)
      implements InputPartition {
    private static final long serialVersionUID = 1;

    @Override
    public String[] preferredLocations() {
      return hosts.toArray(String[]::new);
    }
  }

  private record Chunks(ChunkTable table, StructType required) implements Scan, Batch {
    @Override
    public StructType readSchema() {
      return required;
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
    public String description() {
      return table.name();
    }

    @Override
    public InputPartition[] planInputPartitions() {
      TableOptions options = table.options;
      List<InputPartition> partitions = new ArrayList<>();
      int most = Math.max(1, options.maxSplits() / Math.max(1, table.arrays.size()));
      for (ZarrArray array : table.arrays) {
        CfDecoding none = CfDecoding.of(array.metadata(), array.attributes(), Set.of(), false);
        VariableSource source = VariableSource.of(array, none, Set.of());
        long bytes =
            array.chunkGrid().largestChunkShape().elementCountUpTo(1L << 40)
                * CellType.width(array.dataType());
        ChunkGrid chunks = ChunkRows.grid(array);
        List<ChunkEdges> each =
            IntStream.range(0, chunks.rank()).mapToObj(chunks::dimension).toList();
        new SplitPlanner(bytes, options.splitBytes(), most)
            .plan(each, IndexBox.all(array.chunkGrid().gridShape().toArray()))
            .splits()
            .forEach(
                box ->
                    partitions.add(
                        new ChunkPartition(
                            source, box, options.hosts().of(each, box, CellScan.MOST_HOSTS))));
      }
      return partitions.toArray(new InputPartition[0]);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new Factory(table.options, List.of(required.fieldNames()));
    }
  }

  private record Factory(TableOptions options, List<String> columns)
      implements PartitionReaderFactory {
    private static final long serialVersionUID = 1;

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      ChunkRows rows = new ChunkRows(columns, options.concurrency(), (ChunkPartition) partition);
      return new PulledReader<>(
          options
              .store()
              .read(ZarrOptions.defaults().withDrafts(options.acceptedDrafts()), rows::stream));
    }
  }
}
