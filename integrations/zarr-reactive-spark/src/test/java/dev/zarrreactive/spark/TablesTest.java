package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.partition.Weather;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells, chunks and nodes as tables: types, NULL, columns, and what is refused. */
class TablesTest {
  @TempDir static Path directory;

  @BeforeAll
  static void write() {
    TestSpark.asUsersHaveIt(true);
    Weather.write(directory.resolve("w.zarr"));
  }

  @AfterAll
  static void beQuick() {
    TestSpark.asUsersHaveIt(false);
  }

  private static Dataset<Row> array(
      String name, NdArray values, java.util.function.UnaryOperator<ArrayMetadataBuilder> how) {
    String location = directory.resolve(name + ".zarr").toString();
    ArrayMetadata metadata = how.apply(ArrayMetadata.v3(values.shape(), values.dataType())).build();
    await(
        Zarr.at(location)
            .createArray(metadata)
            .flatMap(array -> array.write(Selection.all(), values)));
    return TestSpark.zarr().load(location);
  }

  private static List<Object> column(Dataset<Row> table) {
    return table.orderBy("dim_0").select("value").collectAsList().stream()
        .map(row -> row.get(0))
        .toList();
  }

  private static NdArray longs(DataType type, long... values) {
    return NdArray.ofLongs(DataTypes.INT64, Shape.of(values.length), values).cast(type);
  }

  @Test
  void unsigned_integers_widen() {
    assertThat(column(array("u1", longs(DataTypes.UINT8, 200), b -> b)).get(0))
        .isEqualTo((short) 200);
    assertThat(column(array("u2", longs(DataTypes.UINT16, 60_000), b -> b)).get(0))
        .isEqualTo(60_000);
    assertThat(column(array("u4", longs(DataTypes.UINT32, 4_000_000_000L), b -> b)).get(0))
        .isEqualTo(4_000_000_000L);
    NdArray most = NdArray.ofLongs(DataTypes.UINT64, Shape.of(1), -1L);
    assertThat(column(array("u8", most, b -> b)).get(0))
        .isEqualTo(new BigDecimal("18446744073709551615"));
    Dataset<Row> halves =
        array("f2", NdArray.ofDoubles(Shape.of(1), 1.5).cast(DataTypes.FLOAT16), b -> b);
    assertThat(column(halves).get(0)).isEqualTo(1.5f);
  }

  @Test
  void missing_values_are_null_and_nan_is_a_value() {
    NdArray reals = NdArray.ofDoubles(Shape.of(4), 1, Double.NaN, -9, 4);
    Dataset<Row> table =
        array(
            "missing",
            reals,
            b -> b.attributes(JsonObject.EMPTY.with("missing_value", -9).with("scale_factor", 2)));
    assertThat(
            table.orderBy("dim_0").select("value").collectAsList().stream()
                .map(row -> String.valueOf(row.get(0))))
        .containsExactly("2.0", "NaN", "null", "8.0");
    assertThat(table.where("value IS NULL").count()).isEqualTo(1);
    assertThat(table.where("isnan(value)").count()).isEqualTo(1);
    Dataset<Row> named =
        array(
            "nan",
            NdArray.ofDoubles(Shape.of(2), Double.NaN, 2),
            b -> b.attributes(JsonObject.EMPTY.with("_FillValue", "NaN")));
    assertThat(named.where("value IS NULL").count()).isEqualTo(1);
    Dataset<Row> packed =
        array(
            "packed",
            longs(DataTypes.INT16, 1, -5, 3),
            b -> b.attributes(JsonObject.EMPTY.with("_FillValue", -5).with("add_offset", 10)));
    assertThat(packed.orderBy("dim_0").select("value").collectAsList().toString())
        .isEqualTo("[[11.0], [null], [13.0]]");
  }

  @Test
  void times_have_no_zone_and_lengths_of_time_are_intervals() {
    NdArray times =
        NdArray.ofLongs(DataTypes.INT64, Shape.of(2), 1_500_000_001_999L, Long.MIN_VALUE);
    Dataset<Row> table =
        array(
            "times",
            NdArray.wrap(
                DataTypes.datetime64(NumpyUnit.NANOSECOND, 1), times.shape(), times.bytes()),
            b -> b);
    assertThat(column(table).get(0)).isEqualTo(LocalDateTime.of(1970, 1, 1, 0, 25, 0, 1000));
    assertThat(table.where("value IS NULL").count()).isEqualTo(1);
  }

  @Test
  void complex_numbers_and_structs_are_structs() {
    Dataset<Row> complex =
        array("complex", NdArray.ofComplex(Shape.of(2), 1.0, 2.0, 3.0, 4.0), b -> b);
    assertThat(complex.selectExpr("sum(value.imaginary)").collectAsList().get(0).getDouble(0))
        .isEqualTo(6);
    NdArray struct =
        NdArray.ofFields(
            DataTypes.struct(
                new StructField("a", DataTypes.INT32), new StructField("b", DataTypes.FLOAT64)),
            NdArray.ofInts(DataTypes.INT32, Shape.of(2), 1, 2),
            NdArray.ofDoubles(Shape.of(2), 0.5, 0.25));
    Dataset<Row> structs = array("struct", struct, b -> b.codecs(Codecs.bytes()));
    assertThat(structs.orderBy("dim_0").selectExpr("value.a", "value.b").collectAsList().toString())
        .isEqualTo("[[1,0.5], [2,0.25]]");
  }

  @Test
  void chunks_have_their_elements_in_c_order() {
    Dataset<Row> chunks =
        TestSpark.zarr()
            .option("mode", "chunks")
            .option("variables", "t")
            .load(directory.resolve("w.zarr").toString());
    assertThat(chunks.count()).isEqualTo(5 * 3 * 4);
    Row last =
        TestSpark.only(
            chunks
                .where("chunk_index[0] = 4 AND chunk_index[1] = 2 AND chunk_index[2] = 3")
                .select("array", "origin", "shape", "data_type", "stored", "data"));
    assertThat(last.getString(0)).isEqualTo("/t");
    assertThat(last.getList(1)).isEqualTo(List.of(20L, 8L, 9L));
    assertThat(last.getList(2)).isEqualTo(List.of(4L, 4L, 1L));
    assertThat(last.getString(3)).isEqualTo("int32");
    assertThat(last.getBoolean(4)).isTrue();
    ByteBuffer data = ByteBuffer.wrap((byte[]) last.get(5)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(data.remaining()).isEqualTo(4 * 4 * 4);
    assertThat(data.getInt(4)).isEqualTo(Weather.value(20, 9, 9));
  }

  @Test
  void a_chunk_that_is_not_stored_has_fill_values() throws Exception {
    Dataset<Row> table =
        array("gap", longs(DataTypes.INT32, 1, 2, 3), b -> b.chunkShape(1).fillValue(7));
    Files.delete(directory.resolve("gap.zarr/c/1"));
    assertThat(column(table)).isEqualTo(List.of(1, 7, 3));
    List<Row> rows =
        TestSpark.zarr()
            .option("mode", "chunks")
            .load(directory.resolve("gap.zarr").toString())
            .orderBy("origin")
            .select("stored", "data")
            .collectAsList();
    assertThat(rows.get(1).getBoolean(0)).isFalse();
    assertThat((byte[]) rows.get(1).get(1)).containsExactly(7, 0, 0, 0);
    assertThat(rows.get(2).getBoolean(0)).isTrue();
  }

  @Test
  void nodes_have_their_metadata() {
    Dataset<Row> nodes =
        TestSpark.zarr().option("mode", "arrays").load(directory.resolve("w.zarr").toString());
    Row row = TestSpark.only(nodes.where("path = '/s'"));
    assertThat(row.<Object>getAs("kind")).isEqualTo("array");
    assertThat(row.getList(row.fieldIndex("shape"))).isEqualTo(List.of(24L, 12L, 10L));
    assertThat(row.getList(row.fieldIndex("chunk_shape"))).isEqualTo(List.of(8L, 4L, 10L));
    assertThat(row.getList(row.fieldIndex("dimension_names")))
        .isEqualTo(List.of("time", "lat", "station"));
    assertThat(row.<String>getAs("codecs")).contains("sharding_indexed");
    assertThat(nodes.where("kind = 'group'").count()).isEqualTo(1);
  }

  @Test
  void dimensions_of_version_2_have_the_names_of_their_attribute() {
    String location = directory.resolve("v2.zarr").toString();
    ArrayMetadata metadata =
        ArrayMetadata.v2(Shape.of(2), DataTypes.INT32)
            .attributes(
                JsonObject.EMPTY.with("_ARRAY_DIMENSIONS", JsonArray.of(new JsonString("x"))))
            .build();
    await(Zarr.at(location).createArray(metadata));
    assertThat(TestSpark.zarr().load(location).columns()).containsExactly("x", "value");
    Row row = TestSpark.only(TestSpark.zarr().option("mode", "arrays").load(location));
    assertThat(row.getList(row.fieldIndex("dimension_names"))).isEqualTo(List.of("x"));
  }

  @Test
  void wrong_options_are_refused_with_what_would_help() {
    String weather = directory.resolve("w.zarr").toString();
    assertThatThrownBy(() -> TestSpark.zarr().option("chunk", "1").load(weather))
        .hasMessageContaining("the format zarr has no option chunk; it has concurrency, decode");
    assertThatThrownBy(() -> TestSpark.zarr().load())
        .hasMessageContaining("the location is missing");
    assertThatThrownBy(() -> TestSpark.zarr().option("mode", "rows").load(weather))
        .hasMessage("the option mode is one of cells, chunks, arrays, not rows");
    assertThatThrownBy(() -> TestSpark.zarr().option("variables", "u").load(weather))
        .hasMessage("there is no variable u, but lat, s, station, t, time");
    assertThatThrownBy(() -> TestSpark.zarr().option("dimensions", "lon").load(weather))
        .hasMessage("the dimensions are [lat, time, station], not [lon]");
    assertThatThrownBy(() -> TestSpark.zarr().option("store.secret-key", "x").load(weather))
        .hasMessageContaining("is a secret");
    assertThatThrownBy(() -> TestSpark.zarr().load(weather + "/nothing"))
        .hasMessageContaining("no array or group here")
        .hasMessageContaining("w.zarr/nothing");
    assertThatThrownBy(() -> TestSpark.zarr().option("group", "none").load(weather))
        .hasMessageContaining("w.zarr")
        .hasMessageContaining("node /none");
  }

  private static void sql(String statement) {
    TestSpark.session().sql(statement).collectAsList();
  }

  @Test
  void the_catalog_of_the_session_keeps_no_table() {
    String weather = directory.resolve("w.zarr").toString();
    String options = " USING zarr OPTIONS (path '" + weather + "')";
    for (String statement :
        List.of(
            "CREATE TABLE kept" + options,
            "CREATE TABLE IF NOT EXISTS kept" + options,
            "CREATE TABLE kept (t INT)" + options,
            "CREATE TABLE kept USING zarr LOCATION '" + weather + "'",
            "CREATE OR REPLACE TABLE kept" + options,
            "CREATE TABLE kept USING zarr OPTIONS (path '"
                + directory.resolve("new.zarr")
                + "') AS SELECT 1L AS x, 2 AS v")) {
      assertThatThrownBy(() -> sql(statement))
          .as(statement)
          .hasMessageContaining("CREATE TEMPORARY VIEW name USING zarr OPTIONS (path 'location')");
    }
    assertThatThrownBy(
            () -> TestSpark.session().range(3).write().format("zarr").saveAsTable("kept"))
        .hasMessageContaining("df.write().format(\"zarr\").save(location)");
    assertThat(TestSpark.session().catalog().tableExists("kept")).isFalse();
    assertThat(directory.resolve("new.zarr")).doesNotExist();
  }

  @Test
  void a_table_that_was_kept_before_says_what_helps() {
    for (String columns : List.of("", "t INT")) {
      org.apache.spark.sql.sources.RelationProvider format = new ZarrDataSource();
      assertThatThrownBy(
              () ->
                  format.createRelation(
                      TestSpark.session().sqlContext(),
                      scala.collection.immutable.Map$.MODULE$.<String, String>empty()))
          .as(columns)
          .hasMessageContaining("CREATE TEMPORARY VIEW");
    }
  }

  @Test
  void a_temporary_view_and_tables_of_other_formats_are_made() {
    String weather = directory.resolve("w.zarr").toString();
    sql(
        "CREATE OR REPLACE TEMPORARY VIEW weather USING zarr OPTIONS (path '"
            + weather
            + "', variables 't')");
    assertThat(TestSpark.only(TestSpark.session().sql("SELECT count(*) FROM weather")).getLong(0))
        .isEqualTo(24 * 12 * 10);
    sql("DROP TABLE IF EXISTS of_json");
    sql("CREATE TABLE of_json (a INT) USING json");
    sql("INSERT INTO of_json VALUES (7)");
    assertThat(TestSpark.only(TestSpark.session().sql("SELECT a FROM of_json")).getInt(0))
        .isEqualTo(7);
    sql("DROP TABLE of_json");
  }

  @Test
  void a_group_below_that_is_no_dataset_leaves_the_table() {
    String location = directory.resolve("above.zarr").toString();
    Weather.write(directory.resolve("above.zarr"));
    String one =
        "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[%d],\"data_type\":\"int8\","
            + "\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":[2]}},"
            + "\"chunk_key_encoding\":{\"name\":\"default\"},\"fill_value\":3,\"codecs\":"
            + "[{\"name\":\"bytes\"}],\"dimension_names\":[\"y\"]}";
    document("above.zarr/pyramid", "{\"zarr_format\":3,\"node_type\":\"group\"}");
    document("above.zarr/pyramid/0", one.formatted(4));
    document("above.zarr/pyramid/1", one.formatted(2));
    assertThat(TestSpark.zarr().option("variables", "t").load(location).count())
        .isEqualTo(24 * 12 * 10);
    Dataset<Row> level =
        TestSpark.zarr().option("group", "pyramid").option("variables", "1").load(location);
    assertThat(level.count()).isEqualTo(2);
    assertThatThrownBy(() -> TestSpark.zarr().option("group", "pyramid").load(location))
        .hasMessageContaining("the dimension y has the extent 2, but 4 in /pyramid/0")
        .hasMessageContaining("node /pyramid/1");
  }

  @Test
  void a_variable_that_cannot_be_opened_is_an_error_where_it_is_asked_for() {
    String location = directory.resolve("broken.zarr").toString();
    Weather.write(directory.resolve("broken.zarr"));
    document("broken.zarr/u", "{");
    assertThat(TestSpark.zarr().option("variables", "t").load(location).count())
        .isEqualTo(24 * 12 * 10);
    assertThatThrownBy(() -> TestSpark.zarr().option("variables", "u").load(location))
        .hasMessageContaining("node /u");
  }

  private static void document(String node, String json) {
    try {
      Files.createDirectories(directory.resolve(node));
      Files.writeString(directory.resolve(node).resolve("zarr.json"), json);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void a_damaged_chunk_fails_its_task_with_its_name() throws Exception {
    Dataset<Row> table = array("bad", longs(DataTypes.INT32, 1, 2, 3), b -> b.chunkShape(1));
    Files.write(directory.resolve("bad.zarr/c/2"), new byte[] {1, 2, 3});
    assertThatThrownBy(table::collectAsList).hasStackTraceContaining("c/2");
  }
}
