package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.Blosc.Compressor;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.codec.Sharding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Metadata are built as people ask for them, and as zarr-python 3.1 writes them. */
class ArrayMetadataBuilderTest {
  private static final String ZSTD =
      "{'name': 'zstd', 'configuration': {'level': 0, 'checksum': false}}";
  private static final String BYTES = "{'name': 'bytes', 'configuration': {'endian': 'little'}}";
  private static final String FLAT = "{'name': 'bytes'}";

  private static ArrayMetadataBuilder v3(DataType type, long... shape) {
    return ArrayMetadata.v3(Shape.of(shape), type);
  }

  private static ArrayMetadataBuilder v2(DataType type, long... shape) {
    return ArrayMetadata.v2(Shape.of(shape), type);
  }

  @Test
  void the_defaults_of_zarr_3_are_those_of_zarr_python() {
    assertThat(v3(DataTypes.FLOAT32, 1000, 1000).chunkShape(100, 100).build().document())
        .isEqualTo(
            Json.object(
                "{'zarr_format': 3, 'node_type': 'array', 'shape': [1000, 1000], 'data_type':"
                    + " 'float32', 'chunk_grid': {'name': 'regular', 'configuration':"
                    + " {'chunk_shape': [100, 100]}}, 'chunk_key_encoding': {'name': 'default'},"
                    + " 'fill_value': 0.0, 'codecs': ["
                    + BYTES
                    + ", "
                    + ZSTD
                    + "], 'attributes': {}}"));
    assertThat(v3(DataTypes.UINT8, 3).build().codecs())
        .containsExactly(Json.extension(FLAT), Json.extension(ZSTD));
    assertThat(v3(DataTypes.STRING, 3).build().codecs())
        .containsExactly(Codecs.vlenUtf8(), Json.extension(ZSTD));
    assertThat(v3(DataTypes.BYTES, 3).build().codecs())
        .containsExactly(Codecs.vlenBytes(), Json.extension(ZSTD));
  }

  @Test
  void the_defaults_of_zarr_2_are_those_of_zarr_python() {
    assertThat(v2(DataTypes.FLOAT32, 1000, 1000).chunkShape(100, 100).build().document())
        .isEqualTo(
            Json.object(
                "{'shape': [1000, 1000], 'chunks': [100, 100], 'dtype': '<f4', 'fill_value': 0.0,"
                    + " 'order': 'C', 'filters': null, 'dimension_separator': '.', 'compressor':"
                    + " {'id': 'zstd', 'level': 0}, 'zarr_format': 2}"));
    assertThat(v2(DataTypes.STRING, 10).build().document())
        .isEqualTo(
            Json.object(
                "{'shape': [10], 'chunks': [10], 'dtype': '|O', 'fill_value': '', 'order': 'C',"
                    + " 'filters': [{'id': 'vlen-utf8'}], 'dimension_separator': '.',"
                    + " 'compressor': {'id': 'zstd', 'level': 0}, 'zarr_format': 2}"));
  }

  @Test
  void a_sharded_array_is_that_of_zarr_python() {
    ArrayMetadata metadata =
        v3(DataTypes.UINT16, 1000, 1000)
            .chunkShape(100, 100)
            .shardShape(500, 500)
            .compressors(Codecs.blosc(Compressor.ZSTD))
            .build();
    assertThat(metadata.document().get("chunk_grid"))
        .isEqualTo(
            Json.object("{'name': 'regular', 'configuration': {'chunk_shape': [500, 500]}}"));
    assertThat(metadata.document().get("codecs"))
        .isEqualTo(
            Json.value(
                    "[{'name': 'sharding_indexed', 'configuration': {'chunk_shape': [100, 100],"
                        + " 'codecs': ["
                        + BYTES
                        + ", {'name': 'blosc', 'configuration': {'typesize': 2, 'cname': 'zstd',"
                        + " 'clevel': 5, 'shuffle': 'shuffle', 'blocksize': 0}}], 'index_codecs': ["
                        + BYTES
                        + ", {'name': 'crc32c'}], 'index_location': 'end'}}]")
                .value());
  }

  @Test
  void chunks_and_shards_are_chosen() {
    assertThat(chunks(v3(DataTypes.FLOAT32, 8760, 721, 1440).readAlong(0))).isEqualTo("[8760,5,5]");
    assertThat(chunks(v3(DataTypes.FLOAT32, 8760, 721, 1440).readInPlanes(1, 2)))
        .isEqualTo("[1,361,720]");
    assertThat(chunks(v3(DataTypes.FLOAT32, 100_000, 100_000))).isEqualTo("[512,512]");
    ArrayMetadata sharded = v3(DataTypes.FLOAT32, 100_000, 100_000).sharded().build();
    assertThat(sharded.chunkGrid().member("chunk_shape").value()).hasToString("[4096,4096]");
    assertThat(sharded.codecs().get(0).member("chunk_shape").value()).hasToString("[512,512]");
    ArrayMetadata given = v3(DataTypes.FLOAT32, 100_000).shardShape(1_000_000).build();
    assertThat(given.codecs().get(0).member("chunk_shape").value()).hasToString("[250000]");
    ArrayMetadata nested = v3(DataTypes.INT8, 9000, 9000).codecs(Codecs.sharding(100, 100)).build();
    assertThat(nested.chunkGrid().member("chunk_shape").value()).hasToString("[4500,9000]");
  }

  private static String chunks(ArrayMetadataBuilder builder) {
    return builder.build().chunkGrid().member("chunk_shape").value().toString();
  }

  @Test
  void a_chain_gets_the_codec_that_it_lacks() {
    NamedConfiguration transpose = Codecs.transpose(1, 0);
    assertThat(v3(DataTypes.INT16, 2, 3).codecs(transpose, Codecs.gzip(1)).build().codecs())
        .containsExactly(transpose, Json.extension(BYTES), Codecs.gzip(1));
    assertThat(v3(DataTypes.INT16, 2, 3).codecs().build().codecs())
        .containsExactly(Json.extension(BYTES));
    assertThat(v3(DataTypes.INT16, 2).codecs(Codecs.bytes()).build().codecs())
        .containsExactly(Json.extension(BYTES));
    assertThat(v3(DataTypes.INT16, 2).uncompressed().build().codecs())
        .containsExactly(Json.extension(BYTES));
    assertThat(
            v3(DataTypes.INT16, 2, 3)
                .codecs(transpose, Codecs.bytes(ByteOrder.BIG_ENDIAN), Codecs.gzip(1))
                .compressors(Codecs.crc32c())
                .build()
                .codecs())
        .containsExactly(transpose, Codecs.bytes(ByteOrder.BIG_ENDIAN), Codecs.crc32c());
    NamedConfiguration own = NamedConfiguration.of("example.own");
    assertThat(v3(DataTypes.INT16, 2).codecs(own, Codecs.gzip(1)).build().codecs())
        .containsExactly(own, Codecs.gzip(1));
    assertThat(v3(DataTypes.INT16, 2).compressors(own).build().codecs())
        .containsExactly(Json.extension(BYTES), own);
  }

  @Test
  void fortran_order_is_said_in_the_words_of_each_format() {
    assertThat(v2(DataTypes.INT16, 2, 3).fortranOrder().build().document().get("order"))
        .hasToString("\"F\"");
    ArrayMetadata three = v3(DataTypes.INT16, 2, 3).fortranOrder().fortranOrder().build();
    assertThat(three.codecs().get(0)).isEqualTo(Codecs.transpose(1, 0));
    assertThat(ArrayMetadata.like(three).fortranOrder().build()).hasToString(three.toString());
    assertThat(v3(DataTypes.INT16, 2).fortranOrder().build().codecs()).hasSize(2);
  }

  @Test
  void a_fill_value_is_a_plain_value() {
    assertThat(v3(DataTypes.UINT8, 1).fillValue(255).build().fillValue()).hasToString("255");
    assertThat(v3(DataTypes.FLOAT64, 1).fillValue(-9999).build().fillValue())
        .hasToString("-9999.0");
    assertThat(v3(DataTypes.FLOAT32, 1).fillValue(Float.NaN).build().fillValue())
        .hasToString("\"NaN\"");
    assertThat(v3(DataTypes.FLOAT32, 1).fillValue("0x7fc00001").build().fillValue())
        .hasToString("\"0x7fc00001\"");
    assertThat(v3(DataTypes.COMPLEX64, 1).fillValue(1.5).build().fillValue())
        .hasToString("[1.5,0.0]");
    assertThat(v3(DataTypes.BOOL, 1).fillValue(true).build().fillValue()).hasToString("true");
    assertThat(v3(DataTypes.STRING, 1).fillValue("none").build().fillValue())
        .hasToString("\"none\"");
    assertThat(
            v3(DataTypes.datetime64(NumpyUnit.SECOND, 1), 1).fillValue("NaT").build().fillValue())
        .hasToString(
            v3(DataTypes.datetime64(NumpyUnit.SECOND, 1), 1)
                .fillValue(Long.MIN_VALUE)
                .build()
                .fillValue()
                .toString());
    refused(
        "fillValue: expected a fill value of uint8: an integer from 0 to 255, found 256",
        () -> v3(DataTypes.UINT8, 1).fillValue(256));
    refused(
        "fillValue: expected a fill value of int32", () -> v3(DataTypes.INT32, 1).fillValue(1.5));
    refused(
        "fillValue: expected a fill value of int32", () -> v3(DataTypes.INT32, 1).fillValue(true));
    refused(
        "fillValue: expected a fill value of string", () -> v3(DataTypes.STRING, 1).fillValue(1));
    refused(
        "fillValue: expected a fill value of float32",
        () -> v3(DataTypes.FLOAT32, 1).fillValue("x"));
  }

  @Test
  void arguments_that_cannot_be_are_refused_at_once() {
    ArrayMetadataBuilder array = v3(DataTypes.INT32, 10, 20);
    refused(
        "chunkShape: expected one entry for each of the 2 dimensions of the array of shape [10, 20],"
            + " found [5]",
        () -> array.chunkShape(5));
    refused("shardShape: expected one entry", () -> array.shardShape(1, 2, 3));
    refused("chunkShape: expected at least one element", () -> array.chunkShape(5, 0));
    refused("dimensionNames: expected one entry", () -> array.dimensionNames("x"));
    refused("shape: expected one entry", () -> array.shape(Shape.of(10)));
    refused("readAlong: axis 2 is beyond the 2 dimensions", () -> array.readAlong(2));
    refused("axis -1", () -> array.readAlong(-1));
    refused("found axis 1 twice", () -> array.readInPlanes(1, 1));
    refused("separator: expected", () -> array.separator("-"));
    refused("the Zarr format is 2 or 3, not 4", () -> array.zarrFormat(4));
    refused(
        "codecs: \"transpose\" (array→array) stands after \"gzip\" (bytes→bytes); the order is"
            + " array→array, one array→bytes, bytes→bytes",
        () -> array.codecs(Codecs.gzip(1), Codecs.transpose(1, 0)));
    refused(
        "\"bytes\" (array→bytes) stands after \"bytes\" (array→bytes)",
        () -> array.codecs(Codecs.bytes(), Codecs.bytes()));
    refused(
        "compressors: \"transpose\" is an array→array codec",
        () -> array.compressors(Codecs.transpose(1, 0)));
    refused(
        "has codecs of other providers",
        () -> array.codecs(NamedConfiguration.of("example.own")).uncompressed());
  }

  private static void refused(String message, Runnable setting) {
    assertThatThrownBy(setting::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void contradictions_are_located() {
    located(
        "/chunk_grid/configuration/chunk_shape",
        "in dimension 1, the extent 500 of the shards [500, 500] is no multiple of 30 of the"
            + " chunks [100, 30]; the nearest are 480 and 510",
        v3(DataTypes.INT32, 1000, 1000).chunkShape(100, 30).shardShape(500, 500));
    located(
        "/chunk_grid/configuration/chunk_shape",
        "the next is 9",
        v3(DataTypes.INT32, 1000).chunkShape(9).shardShape(5));
    located(
        "/chunk_grid/configuration/chunk_shape",
        "only very small chunks divide shards of shape [1000003]",
        v3(DataTypes.INT32, 1000).shardShape(1_000_003));
    located(
        "/chunk_grid/configuration/chunk_shape",
        "dimensions, found [3]",
        v3(DataTypes.INT32, 10, 20)
            .chunkGrid(
                Json.extension("{'name': 'regular', 'configuration': {'chunk_shape': [3]}}")));
    located(
        "/chunk_grid",
        "set chunkShape(...) instead of chunkGrid(...)",
        v3(DataTypes.INT32, 10).chunkGrid(NamedConfiguration.of("rectilinear")).sharded());
    located(
        "/codecs",
        "Zarr v2 does not have shards",
        v2(DataTypes.INT32, 10).chunkShape(5).shardShape(10));
    located("/fill_value", "Zarr v3 requires a fill value", v3(DataTypes.INT32, 10).noFillValue());
    located(
        "/codecs/0/configuration/order",
        "each of the 3 dimensions, found [1,0]",
        v3(DataTypes.INT32, 1, 2, 3).codecs(Codecs.transpose(1, 0)));
    located(
        "/codecs/0/configuration/chunk_shape",
        "each of the 2 dimensions, found [2]",
        v3(DataTypes.INT32, 4, 4).codecs(Codecs.sharding(2)));
    located(
        "/chunk_grid/configuration/chunk_shape",
        "the nearest are 3 and 6",
        v3(DataTypes.INT32, 4).chunkShape(4).codecs(Codecs.sharding(3)));
    located(
        "/codecs/0/configuration/codecs/0/configuration/order",
        "each of the 1 dimensions",
        v3(DataTypes.INT32, 10).sharded().codecs(Codecs.transpose(1, 0)));
  }

  private static void located(String pointer, String message, ArrayMetadataBuilder builder) {
    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            ZarrException.class, e -> assertThat(e.location().jsonPointer()).isEqualTo(pointer))
        .hasMessageContaining(message);
  }

  private static Stream<ArrayMetadata> models() {
    DataType struct =
        DataTypes.struct(
            new StructField("a", DataTypes.INT16), new StructField("b", DataTypes.FLOAT64));
    return Stream.of(
        v3(DataTypes.FLOAT32, 10, 20).build(),
        v3(DataTypes.FLOAT32, 10, 20)
            .chunkShape(5, 4)
            .fillValue(Double.NaN)
            .separator(".")
            .dimensionNames("y", null)
            .attributes(JsonObject.EMPTY.with("units", "K"))
            .codecs(Codecs.transpose(1, 0), Codecs.blosc(Compressor.LZ4), Codecs.crc32c())
            .build(),
        v3(DataTypes.INT8, 10, 20).chunkShape(5, 4).shardShape(10, 8).build(),
        v3(DataTypes.INT8, 100, 20)
            .chunkShape(50, 20)
            .codecs(Codecs.sharding(25, 20).codecs(Codecs.sharding(5, 5)).indexAtStart())
            .build(),
        v3(DataTypes.INT8, 4)
            .codecs(Codecs.sharding(2).indexCodecs(Codecs.bytes(ByteOrder.BIG_ENDIAN)))
            .chunkKeyEncoding("v2", "/")
            .build(),
        v3(DataTypes.INT8, 12)
            .chunkGrid(
                Json.extension(
                    "{'name': 'rectilinear', 'configuration': {'kind': 'inline',"
                        + " 'chunk_shapes': [[4, 8]]}}"))
            .build(),
        v3(struct, 5).build(),
        v3(DataTypes.STRING, 5).fillValue("-").build(),
        v3(DataTypes.INT32).fillValue(7).build(),
        v3(DataTypes.INT32, 0, 3).build(),
        v2(DataTypes.FLOAT32, 10, 20).build(),
        v2(DataTypes.FLOAT32, 10, 20)
            .fortranOrder()
            .noFillValue()
            .separator("/")
            .attributes(JsonObject.EMPTY.with("units", "K"))
            .compressors(Codecs.zlib(1))
            .build(),
        v2(DataTypes.INT16, 9)
            .fillValue(-1)
            .codecs(Codecs.bytes(ByteOrder.BIG_ENDIAN), Codecs.blosc(Compressor.LZ4))
            .build(),
        v2(struct, 5).uncompressed().build(),
        v2(DataTypes.STRING, 5).build());
  }

  @ParameterizedTest
  @MethodSource("models")
  void metadata_like_others_are_the_same(ArrayMetadata model) {
    ArrayMetadata same = ArrayMetadata.like(model).build();
    assertThat(same.document()).isEqualTo(model.document());
    assertThat(same.attributes()).isEqualTo(model.attributes());
    assertThat(same.zarrFormat()).isEqualTo(model.zarrFormat());
  }

  @ParameterizedTest
  @MethodSource("models")
  void an_array_like_another_is_created_and_read(ArrayMetadata model) {
    ZarrArray array = Zarr.hierarchy(MemoryStore.create()).createArray("a/b", model).block();
    NdArray data = array.read(Selection.all()).block();
    if (model.dataType().equals(DataTypes.INT8)) {
      byte[] values = new byte[model.shape().elementCount().intValueExact()];
      for (int i = 0; i < values.length; i++) {
        values[i] = (byte) i;
      }
      data = NdArray.ofBytes(DataTypes.INT8, model.shape(), values);
    }
    array.write(Selection.all(), data).block();
    ZarrArray opened = Zarr.hierarchy(array.store()).openArray("a/b").block();
    assertThat(opened.read(Selection.all()).block()).isEqualTo(data);
    assertThat(opened.metadata().document()).isEqualTo(model.document());
  }

  @Test
  void another_shape_type_and_codec_change_only_what_follows() {
    ArrayMetadata model =
        v3(DataTypes.FLOAT32, 10, 20)
            .chunkShape(5, 4)
            .shardShape(10, 8)
            .fillValue(1.5)
            .dimensionNames("y", "x")
            .compressors(Codecs.blosc(Compressor.LZ4))
            .build();
    ArrayMetadata other =
        ArrayMetadata.like(model).shape(Shape.of(100, 200)).dataType(DataTypes.UINT16).build();
    assertThat(other.shape()).isEqualTo(Shape.of(100, 200));
    assertThat(other.chunkGrid()).isEqualTo(model.chunkGrid());
    assertThat(other.fillValue()).hasToString("0");
    assertThat(other.codecs().get(0).toString()).contains("\"typesize\":2");
    ArrayMetadata text =
        ArrayMetadata.like(model).dataType(DataTypes.STRING).unsharded().chunkShape(5, 20).build();
    assertThat(text.codecs().get(0)).isEqualTo(Codecs.vlenUtf8());
    assertThat(text.dimensionNames()).containsExactly("y", "x");
    ArrayMetadata two =
        ArrayMetadata.like(model).zarrFormat(2).unsharded().dimensionNames().build();
    assertThat(two.document().get("dimension_separator")).hasToString("\".\"");
    assertThat(two.document().get("chunks")).hasToString("[5,4]");
    assertThat(two.fillValue()).isEqualTo(model.fillValue());
  }

  @Test
  void an_index_stays_as_it_was_when_chunks_change() {
    Sharding atStart = Codecs.sharding(5).codecs(Codecs.gzip(1)).indexAtStart();
    ArrayMetadata model = v3(DataTypes.INT8, 100).chunkShape(50).codecs(atStart).build();
    ArrayMetadata other =
        ArrayMetadata.like(model).chunkShape(10).compressors(Codecs.zstd(1)).build();
    assertThat(other.codecs().get(0).toString())
        .contains("\"index_location\":\"start\"")
        .contains("\"chunk_shape\":[10]")
        .contains("zstd")
        .doesNotContain("gzip");
  }

  @Test
  void structs_of_mixed_byte_orders_are_written_in_one() {
    ArrayMetadata mixed =
        ArrayMetadata.parseV2(
            Bytes.utf8(
                "{\"zarr_format\":2,\"shape\":[4],\"chunks\":[4],\"dtype\":[[\"a\",\"<i2\"],"
                    + "[\"b\",\">i4\"]],\"compressor\":null,\"fill_value\":null,"
                    + "\"order\":\"C\",\"filters\":null}"),
            null,
            NodePath.ROOT,
            MetadataLimits.defaults());
    assertThat(Objects.requireNonNull(ArrayMetadata.like(mixed).build().document().get("dtype")))
        .hasToString("[[\"a\",\"<i2\"],[\"b\",\"<i4\"]]");
  }

  @Test
  void features_that_zarr_2_lacks_say_what_would_help() {
    UnaryOperator<ArrayMetadataBuilder> names = b -> b.dimensionNames("x", "y");
    assertThatThrownBy(() -> names.apply(v2(DataTypes.INT8, 2, 3)).build())
        .hasMessageContaining("_ARRAY_DIMENSIONS");
    assertThatThrownBy(() -> v2(DataTypes.INT8, 2, 3, 4).codecs(Codecs.transpose(1, 0, 2)).build())
        .hasMessageContaining("the order of all dimensions reversed");
    assertThatThrownBy(() -> v2(DataTypes.INT8, 4).codecs(Codecs.sharding(2)).build())
        .hasMessageContaining("Zarr v2 does not have the codec \"sharding_indexed\"");
    assertThat(List.of(v2(DataTypes.INT8, 4).compressors(Codecs.crc32c()).build())).hasSize(1);
  }
}
