package dev.zarrreactive.flink;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.partition.CountedStores;
import dev.zarrreactive.partition.Weather;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader goes on where another one stood, at each row, and asks for nothing that is done. */
class CellReaderTest {
  @TempDir Path directory;

  @BeforeEach
  void reset() {
    CountedStores.reset();
  }

  /** Receives rows as texts. */
  private static final class Rows {
    private final List<String> texts = new ArrayList<>();

    @SuppressWarnings("unchecked")
    private ReaderOutput<RowData> output() {
      return (ReaderOutput<RowData>)
          Proxy.newProxyInstance(
              CellReaderTest.class.getClassLoader(),
              new Class<?>[] {ReaderOutput.class},
              (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("collect");
                texts.add(String.valueOf(arguments[0]));
                return null;
              });
    }
  }

  /** A context for readers whose splits are added by hand. */
  private static SourceReaderContext context() {
    return (SourceReaderContext)
        Proxy.newProxyInstance(
            CellReaderTest.class.getClassLoader(),
            new Class<?>[] {SourceReaderContext.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("sendSplitRequest");
              return null;
            });
  }

  private static ZarrSource source(
      Path file, String column, org.apache.flink.table.types.DataType type) {
    Configuration options = new Configuration();
    options.set(SourceOptions.LOCATION, "counted://" + file);
    RowType declared = (RowType) DataTypes.ROW(DataTypes.FIELD(column, type)).getLogicalType();
    ZarrTable table = ZarrTable.open(SourceOptions.of(options, Map.of()), declared);
    return table.source(List.of(column), table.selected());
  }

  /** Reads up to some rows, and returns what a checkpoint then has. */
  @SuppressWarnings("try") // an interrupt of the close is an error of the test
  private static List<ZarrSplit> read(
      ZarrSource source, List<ZarrSplit> splits, int most, Rows rows) throws Exception {
    try (SourceReader<RowData, ZarrSplit> reader = source.createReader(context())) {
      reader.addSplits(splits);
      reader.start();
      reader.notifyNoMoreSplits();
      ReaderOutput<RowData> output = rows.output();
      int before = rows.texts.size();
      while (rows.texts.size() - before < most) {
        InputStatus status = reader.pollNext(output);
        if (status == InputStatus.END_OF_INPUT) {
          break;
        } else if (status == InputStatus.NOTHING_AVAILABLE) {
          reader.isAvailable().get(60, TimeUnit.SECONDS);
        }
      }
      return reader.snapshotState(1);
    }
  }

  private static List<ZarrSplit> sent(ZarrSource source, List<ZarrSplit> splits)
      throws IOException {
    var serializer = source.getEnumeratorCheckpointSerializer();
    PendingSplits pending = new PendingSplits(source.query(), true, splits);
    return serializer.deserialize(serializer.getVersion(), serializer.serialize(pending)).left();
  }

  @Test
  void a_split_goes_on_at_each_row() throws Exception {
    Path file = directory.resolve("w.zarr");
    Weather.write(file);
    ZarrSource source = source(file, "lat", DataTypes.DOUBLE());
    List<ZarrSplit> plan = source.plan();
    Rows all = new Rows();
    assertThat(read(source, plan, Integer.MAX_VALUE, all)).isEmpty();
    assertThat(all.texts).hasSize(Weather.LATS);
    for (int row = 0; row <= Weather.LATS; row++) {
      Rows both = new Rows();
      List<ZarrSplit> left = read(source, plan, row, both);
      read(source, sent(source, left), Integer.MAX_VALUE, both);
      assertThat(both.texts).as("stopped after %d rows", row).isEqualTo(all.texts);
    }
  }

  @Test
  void blocks_that_are_done_are_not_asked_for() throws Exception {
    Path file = directory.resolve("wide.zarr");
    ZarrGroup group = requireNonNull(await(Zarr.at(file.toString()).createGroup()));
    int chunk = 2100; // of 4096 bytes each: more than a block has
    await(
        group.createArray(
            "name",
            ArrayMetadata.v3(Shape.of(3 * chunk), new FixedLengthUtf32Type(4096))
                .chunkShape(chunk)
                .dimensionNames("x")
                .build()));
    ZarrSource source = source(file, "name", DataTypes.STRING());
    List<ZarrSplit> plan = source.plan();
    assertThat(plan).hasSize(1);
    CountedStores.reset();
    Rows rest = new Rows();
    read(source, List.of(plan.get(0).at(chunk + 17)), Integer.MAX_VALUE, rest);
    assertThat(rest.texts).hasSize(2 * chunk - 17);
    assertThat(CountedStores.chunks("name")).containsExactly("name/c/1", "name/c/2");
  }

  @Test
  void a_checkpoint_of_another_query_is_refused() {
    Path file = directory.resolve("w.zarr");
    Weather.write(file);
    ZarrSource source = source(file, "lat", DataTypes.DOUBLE());
    assertThatThrownBy(() -> source(file, "t", DataTypes.INT()).check(source.query()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the checkpoint is of the query counted://")
        .hasMessageContaining("by the option snapshot");
    assertThatThrownBy(() -> source.getSplitSerializer().deserialize(7, new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version 7");
  }
}
