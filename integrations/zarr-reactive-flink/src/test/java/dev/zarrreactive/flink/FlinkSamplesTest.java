package dev.zarrreactive.flink;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.partition.Weather;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of docs/flink.md. */
class FlinkSamplesTest {
  @TempDir Path directory;

  @SuppressWarnings("try") // an interrupt of the close is an error of the test
  private static List<Row> rows(TableResult result) throws Exception {
    List<Row> rows = new ArrayList<>();
    try (CloseableIterator<Row> each = result.collect()) {
      each.forEachRemaining(rows::add);
    }
    return rows;
  }

  @Test
  @SuppressWarnings("try") // an interrupt of the close is an error of the test
  void cells_are_read() throws Exception {
    StreamTableEnvironment tables = TestFlink.tables();
    String location = directory.resolve("w.zarr").toString();
    Weather.write(directory.resolve("w.zarr"));
    // docs: flink-table
    tables.executeSql(
        "CREATE TABLE weather (`time` TIMESTAMP(3), lat DOUBLE, station STRING, t INT)"
            + " WITH ('connector' = 'zarr', 'location' = '"
            + location
            + "')");
    TableResult hot =
        tables.executeSql(
            "SELECT station, max(t) FROM weather"
                + " WHERE lat BETWEEN 40 AND 50 AND `time` >= TIMESTAMP '2020-01-03 00:00:00'"
                + " GROUP BY station");
    // docs: end
    assertThat(rows(hot).stream().map(row -> row.getField(0)).distinct()).hasSize(Weather.STATIONS);
    // docs: flink-stream
    DataStream<Row> cells = tables.toDataStream(tables.from("weather"));
    // docs: end
    try (CloseableIterator<Row> each = cells.executeAndCollect()) {
      int[] count = {0};
      each.forEachRemaining(row -> count[0]++);
      assertThat(count[0]).isEqualTo(Weather.TIMES * Weather.LATS * Weather.STATIONS);
    }
  }

  /** Commits an array, or new values of it. */
  private static String commit(IcechunkRepository made, int value) {
    IcechunkRepository now = requireNonNull(await(made.refresh()));
    IcechunkSession session = requireNonNull(await(now.session("main")));
    ZarrHierarchy hierarchy = Zarr.hierarchy(session);
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(2), DataTypes.INT32).chunkShape(2).dimensionNames("x").build();
    ZarrArray array =
        requireNonNull(
            await(value == 1 ? hierarchy.createArray("a", metadata) : hierarchy.openArray("a")));
    await(array.write(Selection.all(), value));
    return requireNonNull(await(session.commit("value " + value)));
  }

  @Test
  void a_query_keeps_the_version_that_it_was_planned_with() throws Exception {
    StreamTableEnvironment tables = TestFlink.tables();
    String repository = directory.resolve("repo").toString();
    IcechunkRepository made =
        requireNonNull(await(Icechunk.create(FileSystemStore.open(directory.resolve("repo")))));
    String snapshot = commit(made, 1);
    // docs: flink-versions
    tables.executeSql(
        "CREATE TABLE newest (x BIGINT, a INT)"
            + " WITH ('connector' = 'zarr', 'group' = 'a', 'location' = '"
            + repository
            + "|icechunk://branch.main')");
    tables.executeSql(
        "CREATE TABLE first (x BIGINT, a INT)"
            + " WITH ('connector' = 'zarr', 'group' = 'a', 'location' = '"
            + repository
            + "', 'snapshot' = '"
            + snapshot
            + "')");
    // docs: end
    Table planned = tables.sqlQuery("SELECT a FROM newest");
    commit(made, 2);
    assertThat(rows(planned.execute())).containsExactly(Row.of(1), Row.of(1));
    assertThat(rows(tables.executeSql("SELECT a FROM newest")))
        .containsExactly(Row.of(2), Row.of(2));
    assertThat(rows(tables.executeSql("SELECT a FROM first")))
        .containsExactly(Row.of(1), Row.of(1));
  }
}
