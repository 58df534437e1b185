package dev.zarrreactive.flink;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.partition.CountedStores;
import dev.zarrreactive.partition.Weather;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables have the values of the stores, and a condition asks for the chunks that survive it. */
class FlinkTablesTest {
  @TempDir static Path directory;

  private final StreamTableEnvironment tables = TestFlink.tables();

  @BeforeAll
  static void write() {
    Weather.write(directory.resolve("w.zarr"));
  }

  @BeforeEach
  void reset() {
    CountedStores.reset();
  }

  private static List<Row> expected(Predicate<Row> condition) {
    List<Row> rows = new ArrayList<>();
    for (int time = 0; time < Weather.TIMES; time++) {
      for (int lat = 0; lat < Weather.LATS; lat++) {
        for (int station = 0; station < Weather.STATIONS; station++) {
          Row row = TestFlink.row(time, lat, station);
          if (condition.test(row)) {
            rows.add(row);
          }
        }
      }
    }
    return rows;
  }

  private void counted(String... options) {
    TestFlink.create(
        tables, "w", TestFlink.COLUMNS, "counted://" + directory.resolve("w.zarr"), options);
  }

  @Test
  void rows_are_the_cells_and_each_chunk_is_asked_for_once() {
    counted("split-bytes", "500b");
    assertThat(TestFlink.rows(tables, "SELECT * FROM w"))
        .containsExactlyInAnyOrderElementsOf(expected(row -> true));
    assertThat(CountedStores.chunks("t")).hasSize(5 * 3 * 4).doesNotHaveDuplicates();
  }

  @Test
  void rows_are_the_cells_over_http() {
    Path file = directory.resolve("consolidated.zarr");
    Weather.write(file);
    // a web server lists nothing
    await(Zarr.at(file.toString()).openGroup().flatMap(ZarrGroup::consolidate));
    try (FaultyServer server = FaultyServer.of(FileSystemStore.open(directory))) {
      String location = server.uri().resolve("/consolidated.zarr").toString();
      TestFlink.create(tables, "w", TestFlink.COLUMNS, location);
      assertThat(TestFlink.rows(tables, "SELECT t FROM w WHERE lat > 58 AND station = 's1'"))
          .hasSize(Weather.TIMES)
          .contains(Row.of(Weather.value(23, 0, 3)));
      TestFlink.create(tables, "n", "station BIGINT, `value` INT", location + "/t");
      assertThat(TestFlink.rows(tables, "SELECT `value` FROM n WHERE station = 3"))
          .hasSize(Weather.TIMES * Weather.LATS);
    }
  }

  @Test
  void conditions_on_coordinates_ask_for_the_chunks_that_survive() {
    counted();
    // latitudes 57.5 and 60 are in the first of three chunks, stations s1 and s4 in two of four
    assertThat(
            TestFlink.rows(
                tables,
                "SELECT * FROM w WHERE lat > 56 AND station IN ('s1', 's8')"
                    + " AND `time` >= TIMESTAMP '2020-01-06 00:00:00'"))
        .containsExactlyInAnyOrderElementsOf(
            expected(
                row ->
                    (double) row.getField(1) > 56
                        && List.of("s1", "s8").contains(row.getField(2))
                        && !LocalDateTime.of(2020, 1, 6, 0, 0)
                            .isAfter((LocalDateTime) row.getField(0))));
    // s1 is at 3, in the second chunk of stations; s8 is at 4; the 20th time is in the last chunk
    assertThat(CountedStores.chunks("t")).containsExactly("t/c/4/0/1");
  }

  @Sampled
  @Test
  void conditions_leave_no_row_out_that_flink_finds() {
    counted();
    // expressions in place of columns, whose conditions no source takes
    tables.executeSql(
        "CREATE TEMPORARY VIEW unpruned AS SELECT `time` + INTERVAL '0' SECOND AS `time`,"
            + " lat * 1e0 AS lat, station || '' AS station, t FROM w");
    List<String> conditions =
        Cases.everyOther(
            2,
            List.of(
                "lat BETWEEN 40 AND 50.0",
                "NOT (lat < 40 OR lat > 50)",
                "lat = 47.5 OR lat IS NULL",
                "lat <> 60",
                "45 >= lat",
                "`time` < TIMESTAMP '2020-01-02 00:00:00.001'",
                "station > 's4'",
                "t > 2870 AND lat < 100",
                "lat > 99",
                "lat + 1 > 58"));
    assertThat(TestFlink.rows(tables, union("w", conditions)))
        .containsExactlyInAnyOrderElementsOf(TestFlink.rows(tables, union("unpruned", conditions)));
  }

  /** Returns one query of all conditions, with the number of each in its rows. */
  private static String union(String table, List<String> conditions) {
    List<String> queries = new ArrayList<>();
    for (String condition : conditions) {
      queries.add("SELECT " + queries.size() + ", t FROM " + table + " WHERE " + condition);
    }
    return String.join(" UNION ALL ", queries);
  }

  @Test
  void a_query_reads_the_columns_that_it_names_and_an_index_is_a_column() {
    TestFlink.create(
        tables,
        "w",
        "_index_time BIGINT, lat DOUBLE, t INT",
        "counted://" + directory.resolve("w.zarr"),
        "select",
        ":, 2:4, ::5");
    // a stream has a new count for each row
    assertThat(TestFlink.rows(tables, "SELECT count(lat) FROM w"))
        .last()
        .satisfies(row -> assertThat(row.getField(0)).isEqualTo(Weather.TIMES * 2L * 2));
    assertThat(CountedStores.chunks("t")).isEmpty();
    assertThat(TestFlink.rows(tables, "SELECT lat, t FROM w WHERE _index_time = 23"))
        .containsExactlyInAnyOrder(
            Row.of(55.0, 2780 + 0), Row.of(55.0, 2785), Row.of(52.5, 2790), Row.of(52.5, 2795));
  }

  @Test
  void every_type_has_its_values() {
    Path file = directory.resolve("types.zarr");
    ZarrGroup group = requireNonNull(await(Zarr.at(file.toString()).createGroup()));
    Shape two = Shape.of(2);
    Weather.write(
        group,
        "u8",
        Weather.array(DataTypes.UINT8, 2).dimensionNames("x"),
        NdArray.ofBytes(DataTypes.UINT8, two, (byte) 0, (byte) 255));
    Weather.write(
        group,
        "u64",
        Weather.array(DataTypes.UINT64, 2).dimensionNames("x"),
        NdArray.ofLongs(DataTypes.UINT64, two, 1, -1));
    Weather.write(
        group,
        "f32",
        Weather.array(DataTypes.FLOAT32, 2).dimensionNames("x"),
        NdArray.ofFloats(DataTypes.FLOAT32, two, 0.1f, Float.NaN));
    Weather.write(
        group,
        "packed",
        Weather.array(DataTypes.INT16, 2)
            .dimensionNames("x")
            .attributes(
                JsonObject.EMPTY
                    .with("scale_factor", new JsonNumber("0.5"))
                    .with("_FillValue", -1)),
        NdArray.ofShorts(DataTypes.INT16, two, (short) 3, (short) -1));
    Weather.write(
        group,
        "flag",
        Weather.array(DataTypes.BOOL, 2).dimensionNames("x"),
        NdArray.ofBooleans(two, true, false));
    Instant time = Instant.parse("1969-12-31T23:59:59.123456789Z");
    Datetime64Type nanos = new Datetime64Type(NumpyUnit.NANOSECOND, 1);
    Weather.write(
        group,
        "at",
        Weather.array(nanos, 2).dimensionNames("x"),
        NdArray.ofInstants(nanos, two, time, time));
    TestFlink.create(
        tables,
        "types",
        "x BIGINT NOT NULL, u8 SMALLINT NOT NULL, u64 DECIMAL(20, 0), f32 FLOAT, packed DOUBLE,"
            + " flag BOOLEAN, `at` TIMESTAMP(9)",
        file.toString());
    LocalDateTime local = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 123456789);
    assertThat(TestFlink.rows(tables, "SELECT * FROM types"))
        .containsExactlyInAnyOrder(
            Row.of(0L, (short) 0, BigDecimal.ONE, 0.1f, 1.5, true, local),
            Row.of(
                1L,
                (short) 255,
                new BigDecimal("18446744073709551615"),
                Float.NaN,
                null,
                false,
                local));
    TestFlink.create(tables, "cut", "`at` TIMESTAMP(0)", file.toString());
    assertThat(TestFlink.rows(tables, "SELECT * FROM cut"))
        .containsOnly(Row.of(LocalDateTime.of(1969, 12, 31, 23, 59, 59)));
    TestFlink.create(tables, "strict", "packed DOUBLE NOT NULL", file.toString());
    assertThatThrownBy(() -> TestFlink.rows(tables, "SELECT * FROM strict"))
        .hasStackTraceContaining("the column packed is declared NOT NULL");
  }

  @Test
  void a_schema_that_the_dataset_lacks_is_refused_with_the_column() {
    String location = directory.resolve("w.zarr").toString();
    TestFlink.create(tables, "narrow", "lat FLOAT, t INT", location);
    assertThatThrownBy(() -> tables.executeSql("SELECT * FROM narrow"))
        .hasStackTraceContaining(
            "the column lat is declared as FLOAT, but its values are float64; declare it as"
                + " DOUBLE");
    TestFlink.create(tables, "missing", "lat DOUBLE, t INT, wind INT", location);
    assertThatThrownBy(() -> tables.executeSql("SELECT * FROM missing"))
        .hasStackTraceContaining("the column wind is declared, but the dataset at " + location);
  }

  @Test
  void lengths_of_time_are_refused_and_their_stored_numbers_are_read() {
    Path file = directory.resolve("delays.zarr");
    ZarrGroup group = requireNonNull(await(Zarr.at(file.toString()).createGroup()));
    Weather.write(
        group,
        "delay",
        Weather.array(DataTypes.INT32, 2)
            .dimensionNames("x")
            .attributes(JsonObject.EMPTY.with("units", "hours")),
        NdArray.ofInts(DataTypes.INT32, Shape.of(2), 6, 12));
    TestFlink.create(tables, "delays", "x BIGINT, delay BIGINT", file.toString());
    assertThatThrownBy(() -> tables.executeSql("SELECT * FROM delays"))
        .hasStackTraceContaining("CREATE TABLE of Flink declares no interval")
        .hasStackTraceContaining("'decode' = 'none'");
    TestFlink.create(tables, "stored", "delay INT", file.toString(), "decode", "none");
    assertThat(TestFlink.rows(tables, "SELECT * FROM stored"))
        .containsExactlyInAnyOrder(Row.of(6), Row.of(12));
  }

  @Test
  void secrets_and_unknown_options_are_refused() {
    TestFlink.create(tables, "secret", "t INT", "s3://b/w", "store.secret-key", "hidden");
    assertThatThrownBy(() -> tables.executeSql("SELECT * FROM secret"))
        .hasStackTraceContaining("the option secret-key is a secret");
    TestFlink.create(tables, "misspelt", "t INT", "s3://b/w", "grup", "a");
    assertThatThrownBy(() -> tables.executeSql("SELECT * FROM misspelt"))
        .hasStackTraceContaining("grup");
  }
}
