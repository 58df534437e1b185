package dev.zarrreactive.spark;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.partition.IndexRanges;
import dev.zarrreactive.partition.Pull;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReadMaxRows;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a table that becomes longer along one dimension, as a stream: each batch has those
 * behind the batch before. An offset names the place that was opened, with its snapshot where that
 * is a branch of a repository, and the extent of the dimension. So a batch that Spark repeats has
 * the same cells.
 */
final class FollowedTable implements MicroBatchStream, SupportsTriggerAvailableNow {
  private static final String LOCATION = "location";
  private static final String EXTENT = "extent";

  private final TableOptions options;
  private final StructType required;
  private @Nullable CellTable open;
  private @Nullable Place end;

  /**
   * Creates a stream.
   *
   * @param options of a table with the option {@code follow}
   * @param required the columns, which every version of the table has
   */
  FollowedTable(TableOptions options, StructType required) {
    if (options.follow().isEmpty()) {
      throw new IllegalArgumentException(
          "a stream of "
              + options.given().location()
              + " needs the option follow: the dimension that becomes longer, such as time");
    }
    this.options = options;
    this.required = required;
  }

  /** How far a stream has come. */
  private static final class Place extends Offset {
    private final String location;
    private final long extent;

    Place(String location, long extent) {
      this.location = location;
      this.extent = extent;
    }

    @Override
    public String json() {
      return JsonObject.EMPTY.with(LOCATION, location).with(EXTENT, extent).toString();
    }
  }

  /** Cells of one version of the table. */
  private record Cells(CellReaderFactory factory, CellScan.CellPartition partition)
      implements InputPartition {
    private static final long serialVersionUID = 1;

    @Override
    public String[] preferredLocations() {
      return partition.preferredLocations();
    }
  }

  /** Reads cells of the version that their partition names. */
  private record OfVersions() implements PartitionReaderFactory {
    private static final long serialVersionUID = 1;

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      return ((Cells) partition).factory.createReader(((Cells) partition).partition);
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
      return ((Cells) partition).factory.createColumnarReader(((Cells) partition).partition);
    }

    @Override
    public boolean supportColumnarReads(InputPartition partition) {
      return true;
    }
  }

  @Override
  public Offset initialOffset() {
    return new Place(options.given().location(), 0);
  }

  @Override
  public Offset deserializeOffset(String json) {
    ByteBuffer text = ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
    JsonObject object = (JsonObject) JsonDocument.parse(text, Location.UNKNOWN).value();
    return new Place(object.string(LOCATION).orElseThrow(), object.integer(EXTENT).orElseThrow());
  }

  @Override
  public ReadLimit getDefaultReadLimit() {
    return options.followMost() == Long.MAX_VALUE
        ? ReadLimit.allAvailable()
        : ReadLimit.maxRows(options.followMost());
  }

  @Override
  public void prepareForTriggerAvailableNow() {
    end = newest();
  }

  @Override
  public Offset latestOffset() {
    return newest();
  }

  @Override
  public Offset reportLatestOffset() {
    Place known = end;
    return known == null ? newest() : known;
  }

  /** Returns the end of the next batch, which is {@code start} where there is nothing new. */
  @Override
  public Offset latestOffset(Offset start, ReadLimit limit) {
    Place from = (Place) start;
    Place known = end;
    Place to = known == null ? newest() : known;
    if (to.extent < from.extent) {
      throw new IllegalStateException(
          "the stream has read "
              + from.extent
              + " indices of "
              + options.follow()
              + ", but "
              + to.location
              + " has "
              + to.extent
              + "; begin another stream, with a checkpoint of its own");
    }
    long most = limit instanceof ReadMaxRows some ? some.maxRows() : Long.MAX_VALUE;
    long extent = to.extent - from.extent > most ? from.extent + most : to.extent;
    return extent == from.extent ? from : new Place(to.location, extent);
  }

  /** Opens what the branch leads to now. */
  private Place newest() {
    CellTable table = open(options.with(options.given()));
    return new Place(table.options().store().location(), table.extent(options.follow()));
  }

  private CellTable open(TableOptions version) {
    close();
    CellTable table = (CellTable) ZarrDataSource.load(version);
    open = table;
    return table;
  }

  @Override
  public InputPartition[] planInputPartitions(Offset start, Offset stop) {
    Place to = (Place) stop;
    CellTable known = open;
    CellTable table =
        known != null && known.options().store().location().equals(to.location)
            ? known
            : open(options.with(options.given().at(to.location)));
    IndexRanges indices = IndexRanges.of(((Place) start).extent, to.extent);
    CellScan scan = table.scan(required, options.follow(), indices);
    CellReaderFactory factory = scan.createReaderFactory();
    return Arrays.stream(scan.planInputPartitions())
        .map(partition -> new Cells(factory, (CellScan.CellPartition) partition))
        .toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new OfVersions();
  }

  @Override
  public void commit(Offset batch) {
    // offsets are in the checkpoint
  }

  @Override
  public void stop() {
    close();
  }

  private void close() {
    CellTable table = open;
    open = null;
    if (table != null) {
      try {
        Pull.one(table.hierarchy().store().close().thenReturn(true));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public String toString() {
    return "zarr " + options.given().location() + " along " + options.follow();
  }
}
