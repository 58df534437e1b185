package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of Zarr v2 in a store: reading, creating and changing them. */
class V2NodesTest {
  private static final String ARRAY =
      "{'zarr_format': 2, 'shape': [4], 'chunks': [2], 'dtype': '<i2', 'compressor': null,"
          + " 'fill_value': 7, 'order': 'C', 'filters': null}";
  private static final String GROUP = "{'zarr_format': 2}";
  private static final String GROUP_V3 = "{'zarr_format': 3, 'node_type': 'group'}";

  private final MemoryStore store = MemoryStore.create();
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  @Test
  void an_array_is_read_as_one_of_v3_is() {
    put("a/.zarray", ARRAY);
    put("a/.zattrs", "{'unit': 'm', 'bound': NaN}");
    store.set(StoreKey.of("a/1"), Bytes.wrap(new byte[] {1, 0, 2, 0})).block();
    ZarrArray array = hierarchy.openArray("a").block();
    assertThat(array.metadata().zarrFormat()).isEqualTo(2);
    assertThat(array.metadata().document()).isEqualTo(Json.object(ARRAY));
    assertThat(array.attributes().get("unit")).isEqualTo(new JsonString("m"));
    assertThat(array.attributes().get("bound")).hasToString("NaN");
    assertThat(array.read(Selection.all()).block().toShortArray()).containsExactly(7, 7, 1, 2);
  }

  @Test
  void the_children_of_a_group_are_nodes_of_either_version() {
    put(".zgroup", GROUP);
    put("g/.zgroup", GROUP);
    put("g/a/.zarray", ARRAY);
    put("g/a/0/0", "not a node");
    put("new/zarr.json", GROUP_V3);
    put("nothing/x", "{}");
    ZarrGroup root = hierarchy.openGroup("").block();
    assertThat(names(root)).containsExactlyInAnyOrder("/g", "/g/a", "/new");
    assertThat(hierarchy.exists("g/a").block()).isTrue();
    assertThat(hierarchy.exists("g").block()).isTrue();
    assertThat(hierarchy.exists("new").block()).isTrue();
    assertThat(hierarchy.exists("nothing").block()).isFalse();
    assertThatThrownBy(() -> hierarchy.open("nothing").block())
        .isInstanceOf(NodeNotFoundException.class);
  }

  @Test
  void version_3_is_preferred_where_a_node_has_both() {
    put("a/zarr.json", GROUP_V3);
    put("a/.zarray", "not even JSON");
    assertThat(hierarchy.openGroup("a").block().metadata().zarrFormat()).isEqualTo(3);
  }

  @Test
  void a_node_that_claims_to_be_array_and_group_is_an_array_with_a_warning() {
    put(".zgroup", GROUP);
    put("a/.zarray", ARRAY);
    put("a/.zgroup", GROUP);
    put("a/below/.zarray", ARRAY);
    assertThat(hierarchy.open("a").block()).isInstanceOf(ZarrArray.class);
    assertThat(hierarchy.openGroup("").block().tree().collectList().block())
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node).isInstanceOf(ZarrArray.class);
              assertThat(node.warnings())
                  .extracting(MetadataWarning::leniency, w -> w.location().storeKey())
                  .containsExactly(tuple(Leniency.ARRAY_AND_GROUP, "a/.zarray"));
            });
    assertThat(hierarchy.openArray("a/below").block().path()).hasToString("/a/below");
  }

  @Test
  void a_name_that_zarr_3_reserves_is_created_moved_and_erased_like_others() {
    ArrayMetadata array = ArrayMetadata.v2(Shape.of(4), DataTypes.INT8).build();
    hierarchy.createArray("__g/__a", array).block();
    hierarchy.move("__g/__a", "__g/__b").block();
    assertThat(hierarchy.openArray("__g/__b").block().metadata().zarrFormat()).isEqualTo(2);
    assertThat(hierarchy.openGroup("").block().tree().map(ZarrNode::path).collectList().block())
        .containsExactly(NodePath.of("__g"), NodePath.of("__g/__b"));
    hierarchy.erase("__g").block();
    assertThat(hierarchy.exists("__g").block()).isFalse();
  }

  @Test
  void names_that_zarr_3_reserves_are_names_like_others() {
    put(".zgroup", GROUP);
    for (String name : List.of("__categories", "...", "zarr.json", ".zz", "__")) {
      put(name + "/.zgroup", GROUP);
      put(name + "/__a/.zarray", ARRAY);
    }
    ZarrGroup root = hierarchy.openGroup("").block();
    List<String> paths =
        root.tree()
            .map(node -> node.path().value() + " " + node.getClass().getSimpleName())
            .collectList()
            .block();
    assertThat(paths)
        .contains("/__categories ZarrGroup", "/__categories/__a ZarrArray", "/.../__a ZarrArray")
        .hasSize(10);
    ZarrGroup consolidated = root.consolidate().block();
    assertThat(consolidated.metadata().consolidated().paths()).hasSize(10);
    assertThat(
            Zarr.hierarchy(store)
                .openGroup("")
                .block()
                .tree()
                .map(ZarrNode::path)
                .collectList()
                .block())
        .hasSize(10)
        .contains(NodePath.of("zarr.json/__a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1]", "{", "'x'", ""})
  void attributes_that_are_no_object_are_an_error_at_their_key(String attributes) {
    put("a/.zarray", ARRAY);
    put("a/.zattrs", attributes);
    assertThatThrownBy(() -> hierarchy.open("a").block())
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> assertThat(e.location().storeKey()).isEqualTo("a/.zattrs"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'zarr_format': 1}", "{'zarr_format': 3}"})
  void a_group_must_say_that_it_is_of_version_2(String group) {
    put(".zgroup", group);
    assertThatThrownBy(() -> hierarchy.open("").block())
        .isInstanceOfSatisfying(
            MetadataException.class, e -> assertThat(e.location().storeKey()).isEqualTo(".zgroup"));
  }

  @Test
  void created_nodes_are_read_again() {
    ArrayMetadata metadata =
        builder()
            .chunkKeyEncoding("v2", "/")
            .fillValue(FillValue.of(DataTypes.FLOAT32, 1.5))
            .attributes(Json.object("{'a': 1}"))
            .codecs(
                Json.extension("{'name': 'transpose', 'configuration': {'order': [1, 0]}}"),
                Json.extension("{'name': 'bytes', 'configuration': {'endian': 'big'}}"))
            .build();
    assertThat(metadata.document())
        .isEqualTo(
            Json.object(
                """
                {'zarr_format': 2, 'shape': [2, 3], 'chunks': [2, 2], 'dtype': '>f4',
                 'compressor': null, 'fill_value': 1.5, 'order': 'F', 'filters': null,
                 'dimension_separator': '/'}
                """));
    ZarrArray created = hierarchy.createArray("g/a", metadata).block();
    NdArray data = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    created.write(Selection.all(), data).block();

    ZarrArray read = hierarchy.openArray("g/a").block();
    assertThat(read.metadata().document()).isEqualTo(metadata.document());
    assertThat(read.attributes()).isEqualTo(Json.object("{'a': 1}"));
    assertThat(read.read(Selection.all()).block()).isEqualTo(data);
    assertThat(keys())
        .containsExactlyInAnyOrder(
            ".zattrs",
            ".zgroup",
            "g/.zattrs",
            "g/.zgroup",
            "g/a/.zarray",
            "g/a/.zattrs",
            "g/a/0/0",
            "g/a/0/1");
    // In Fortran order and big-endian: 1, 4, 2, 5.
    assertThat(store.get(StoreKey.of("g/a/0/0")).block().toByteArray())
        .containsExactly(0x3f, 0x80, 0, 0, 0x40, 0x80, 0, 0, 0x40, 0, 0, 0, 0x40, 0xa0, 0, 0);
  }

  @Test
  void codecs_are_written_under_the_names_of_version_2() {
    ArrayMetadata metadata =
        builder()
            .codecs(
                Json.extension("{'name': 'numcodecs.delta', 'configuration': {'dtype': '<f4'}}"),
                Json.extension("{'name': 'bytes', 'configuration': {'endian': 'little'}}"),
                Json.extension(
                    "{'name': 'numcodecs.shuffle', 'configuration': {'elementsize': 4}}"),
                Json.extension("{'name': 'zstd', 'configuration': {'level': 3, 'checksum': true}}"))
            .build();
    assertThat(metadata.document().get("filters"))
        .isEqualTo(
            Json.value("[{'id': 'delta', 'dtype': '<f4'}, {'id': 'shuffle', 'elementsize': 4}]")
                .value());
    assertThat(metadata.document().get("compressor"))
        .isEqualTo(Json.object("{'id': 'zstd', 'level': 3, 'checksum': true}"));
    assertThat(metadata.codecs())
        .extracting(NamedConfiguration::name)
        .containsExactly("numcodecs.delta", "bytes", "numcodecs.shuffle", "numcodecs.zstd");
  }

  @Test
  void a_compressor_of_version_3_is_found_again() {
    assertThat(blosc(4).document().get("compressor"))
        .isEqualTo(
            Json.object(
                "{'id': 'blosc', 'cname': 'lz4', 'clevel': 5, 'shuffle': 2, 'blocksize': 0}"));
    assertThat(blosc(4).codecs().get(1).member("typesize").value()).hasToString("4");
  }

  @Test
  void blosc_names_the_size_that_it_shuffles_only_where_elements_have_another() {
    assertThat(blosc(3).document().get("compressor"))
        .isEqualTo(
            Json.object(
                "{'id': 'blosc', 'cname': 'lz4', 'clevel': 5, 'shuffle': 2, 'typesize': 3,"
                    + " 'blocksize': 0}"));
  }

  private static ArrayMetadata blosc(int typesize) {
    return builder()
        .compressors(
            Json.extension(
                "{'name': 'blosc', 'configuration': {'cname': 'lz4', 'clevel': 5,"
                    + " 'shuffle': 'bitshuffle', 'typesize': "
                    + typesize
                    + ", 'blocksize': 0}}"))
        .build();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          bool       ! true  ! "|b1"  ! true
          uint8      ! 3     ! "|u1"  ! 3
          int64      ! -3    ! ">i8"  ! -3
          float16    ! 'NaN' ! ">f2"  ! "NaN"
          complex128 ! [1, '-Infinity'] ! ">c16" ! [1.0,"-Infinity"]
          r16        ! [1, 2] ! "|V2" ! "AQI="
          {'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 3}} ! 'QUI=' ! "|S3" ! "QUIA"
          {'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 8}} ! 'hé' ! ">U2" ! "hé"
          {'name': 'numpy.datetime64', 'configuration': {'unit': 's', 'scale_factor': 1}} ! 5 ! ">M8[s]" ! 5
          {'name': 'numpy.timedelta64', 'configuration': {'unit': 'us', 'scale_factor': 10}} ! 'NaT' ! ">m8[10us]" ! -9223372036854775808
          {'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int16'}, {'name': 'b', 'data_type': 'float32'}]}} ! {'a': 1, 'b': 2.5} ! [["a",">i2"],["b",">f4"]] ! "AAFAIAAA"
          """)
  void data_types_and_fill_values_are_written_and_read_again(
      String type, String fillValue, String dtype, String written) {
    DataType dataType =
        DataTypes.parse(Json.extension(type.startsWith("{") ? type : "'" + type + "'"));
    FillValue fill = dataType.parseFillValue(Json.value(fillValue));
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(3), dataType)
            .zarrFormat(2)
            .fillValue(fill)
            .codecs(
                dataType.hasByteOrder()
                    ? Json.extension("{'name': 'bytes', 'configuration': {'endian': 'big'}}")
                    : NamedConfiguration.of("bytes"))
            .build();
    assertThat(metadata.document().get("dtype")).hasToString(dtype);
    assertThat(metadata.document().get("fill_value")).hasToString(written);
    assertThat(metadata.dataType()).isEqualTo(dataType);
    assertThat(metadata.fillValue()).isEqualTo(fill);
  }

  @Test
  void features_that_version_2_lacks_are_refused_by_name() {
    refused("names of dimensions", b -> b.dimensionNames("x", "y"));
    refused("chunk key encoding \"default\"", b -> b.chunkKeyEncoding("default", "/"));
    refused("chunk grid \"rectilinear\"", b -> b.chunkGrid(NamedConfiguration.of("rectilinear")));
    refused("the codec \"transpose\"", b -> b.codecs(transposed("[0, 1]"), little()));
    refused(
        "the codec \"sharding_indexed\"", b -> b.codecs(NamedConfiguration.of("sharding_indexed")));
    refused("the fill value \"0x7fc00001\"", b -> b.fillValue(new JsonString("0x7fc00001")));
    refused(
        "the codec",
        b ->
            b.codecs(
                Json.extension(
                    "{'name': 'numcodecs.delta', 'configuration': {'dtype': '<f4', 'astype':"
                        + " '>f4'}}"),
                little()));
  }

  private static void refused(String what, UnaryOperator<ArrayMetadataBuilder> change) {
    assertThatThrownBy(() -> change.apply(builder()).build())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("Zarr v2 does not have")
        .hasMessageContaining(what);
  }

  @Test
  void attributes_are_changed_in_their_own_document() {
    put("a/.zarray", ARRAY);
    Bytes before = store.get(StoreKey.of("a/.zarray")).block();
    ZarrArray array = hierarchy.openArray("a").block();
    assertThat(array.updateAttributes(a -> a.with("x", 1)).block().attributes())
        .isEqualTo(Json.object("{'x': 1}"));
    assertThat(hierarchy.openArray("a").block().attributes()).isEqualTo(Json.object("{'x': 1}"));
    assertThat(store.get(StoreKey.of("a/.zarray")).block()).isEqualTo(before);
    assertThat(keys()).containsExactlyInAnyOrder("a/.zarray", "a/.zattrs");
  }

  @Test
  void a_group_creates_groups_of_its_own_version() {
    hierarchy.createGroup("old", GroupMetadata.of(2, Json.object("{'a': 1}"))).block();
    ZarrGroup old = hierarchy.openGroup("old").block();
    assertThat(old.attributes()).isEqualTo(Json.object("{'a': 1}"));
    assertThat(old.createGroup("child").block().metadata().zarrFormat()).isEqualTo(2);
    assertThat(old.updateAttributes(a -> a.with("b", 2)).block().attributes())
        .isEqualTo(Json.object("{'a': 1, 'b': 2}"));
    assertThat(names(old)).containsExactly("/old/child");
  }

  @Test
  void a_node_of_the_other_version_stops_creation_at_its_path_and_below() {
    put("a/.zarray", ARRAY);
    fails(NodeExistsException.class, () -> hierarchy.createGroup("a").block());
    fails(NodeExistsException.class, () -> hierarchy.createGroup("a/b").block());
    put("new/zarr.json", GROUP_V3);
    fails(NodeExistsException.class, () -> hierarchy.createArray("new", builder().build()).block());
    fails(
        UnsupportedFeatureException.class,
        () -> hierarchy.createArray("new/b", builder().build()).block());
  }

  private static void fails(Class<? extends ZarrException> kind, Runnable creation) {
    assertThatThrownBy(creation::run).isInstanceOf(kind);
  }

  private static ArrayMetadataBuilder builder() {
    return ArrayMetadata.v3(Shape.of(2, 3), DataTypes.FLOAT32)
        .uncompressed()
        .chunkShape(2, 2)
        .zarrFormat(2);
  }

  private static NamedConfiguration little() {
    return Codecs.toBytes(DataTypes.FLOAT32);
  }

  private static NamedConfiguration transposed(String order) {
    return Json.extension("{'name': 'transpose', 'configuration': {'order': " + order + "}}");
  }

  private static List<String> names(ZarrGroup group) {
    return group.tree().map(node -> node.path().value()).collectList().block();
  }

  private List<String> keys() {
    return Objects.requireNonNull(store.list().map(StoreKey::value).collectList().block());
  }

  private void put(String key, String json) {
    store.set(StoreKey.of(key), Bytes.utf8(json.replace('\'', '"'))).block();
  }
}
