package dev.zarrreactive.internal.drafts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.MetadataWarning;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Documents of arrays and groups of the 2022 draft: what each member means, and what is refused.
 */
class Draft2022DocumentTest {
  private static final String CODECS = "https://purl.org/zarr/spec/codecs/";

  private static final JsonObject DOCUMENT =
      Json.object(
          """
          {'shape': [2, 3], 'data_type': '<i2', 'chunk_memory_layout': 'C', 'fill_value': 0,
           'chunk_grid': {'type': 'regular', 'chunk_shape': [2, 3], 'separator': '/'},
           'extensions': [], 'attributes': {}}
          """);

  private final MemoryStore store = MemoryStore.create();
  private boolean older;
  private boolean fallbacks;

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          'bool'       ! bool       ! []
          'int8'       ! int8       ! []
          'i1'         ! int8       ! []
          '|u1'        ! uint8      ! []
          'u1'         ! uint8      ! []
          'uint16'     ! uint16     ! little
          'int64'      ! int64      ! little
          'uint64'     ! uint64     ! little
          '<i4'        ! int32      ! little
          '>f8'        ! float64    ! big
          'f4'         ! float32    ! little
          'float16'    ! float16    ! little
          'complex64'  ! complex64  ! little
          '<c16'       ! complex128 ! little
          'r24'        ! r24        ! []
          {'extension': 'https://purl.org/zarr/spec/extensions/data-types/datetime/1.0', 'type': '<M8[ns]', 'fallback': '<i8'} ! numpy.datetime64 ! little
          {'extension': 'https://zarr-specs.readthedocs.io/x.html', 'type': '>c8', 'fallback': null} ! complex64 ! big
          {'extension': 'TODO: bytestring array protocol URL', 'type': '|S3', 'fallback': null} ! null_terminated_bytes ! []
          {'extension': 'TODO: unicode array protocol URL', 'type': '<U3'} ! fixed_length_utf32 ! little
          {'extension': 'TODO: structured array protocol URL', 'type': [['', '|V3']]} ! r24 ! []
          {'extension': 'TODO: structured array protocol URL', 'type': [['a', '<i2'], ['b', '|u1']]} ! struct ! little
          """)
  void a_data_type_is_a_name_or_numpys_string_or_a_known_extensions(
      String type, String expected, String endian) {
    ZarrArray array = open(edited("/data_type=" + type, "/fill_value=null"));
    assertThat(array.dataType().name()).isEqualTo(expected);
    NamedConfiguration bytes = array.metadata().codecs().get(0);
    assertThat(bytes.name()).isEqualTo("bytes");
    assertThat(String.valueOf(bytes.configuration().object().get("endian")))
        .isEqualTo(endian.equals("[]") ? "null" : "\"" + endian + "\"");
  }

  @Test
  void a_fallback_is_used_only_where_the_user_says_so() {
    JsonObject document =
        edited(
            "/data_type={'extension': 'http://example.org/x', 'type': 'x', 'fallback': ['r16', 'y',"
                + " '>i2']}");
    assertThatThrownBy(() -> open(document))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("the data type \"x\" is unknown; its document")
        .hasMessageContaining("has the fallback \">i2\"")
        .hasMessageContaining("Drafts.withFallbackDataTypes()");
    fallbacks = true;
    ZarrArray array = open(document);
    assertThat(array.dataType().name()).isEqualTo("int16"); // not r16, which is less
    assertThat(array.warnings())
        .anySatisfy(
            warning ->
                assertThat(warning.toString())
                    .contains("the unknown data type \"x\" is read as \">i2\"", "/data_type"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'extension': 'http://example.org/x', 'type': '<i2'}",
        "{'extension': 'http://example.org/x', 'type': '<i2', 'fallback': ['y']}",
        "{'extension': 'TODO', 'type': '<q2'}",
        "{'extension': 'TODO', 'type': '|O'}",
        "'int24'",
        "'|O'",
        "7"
      })
  void an_unknown_data_type_is_refused(String type) {
    fallbacks = true;
    assertThatThrownBy(() -> open(edited("/data_type=" + type)))
        .isInstanceOfSatisfying(
            ZarrException.class,
            e -> assertThat(e.location().jsonPointer()).startsWith("/data_type"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          '<i2'     | 5               | 5
          '<i2'     | 5.0             | 5
          '<i2'     | '0xfffe'        | -2
          'uint8'   | '0b00000101'    | 5
          'bool'    | '0x01'          | true
          'bool'    | true            | true
          '<f4'     | 'NaN'           | "NaN"
          '<f4'     | '+Infinity'     | "Infinity"
          '<f4'     | '-Infinity'     | "-Infinity"
          '<f4'     | 'Infinity'      | "Infinity"
          '<f4'     | '0x7fc00001'    | "0x7fc00001"
          '>f4'     | '0x3f800000'    | 1.0
          '<f2'     | '0b0011110000000000' | 1.0
          'complex64' | '0x3f80000040000000' | [1.0,2.0]
          'complex64' | ['+Infinity', 0.0]   | ["Infinity",0.0]
          'r16'     | '0x0102'        | [1,2]
          '<i2'     | null            | 0
          """)
  void a_fill_value_has_the_forms_of_the_draft_and_of_programs(
      String type, String written, String read) {
    ZarrArray array = open(edited("/data_type=" + type, "/fill_value=" + written));
    assertThat(array.fillValue()).hasToString(read);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          '<i2'   | '0xfe'
          '<i2'   | '0x00fe0'
          '<i2'   | '0x0g00'
          '<i2'   | '0b1'
          '<i2'   | 'NaN'
          '<i2'   | 70000
          'bool'  | '0x02'
          '<f4'   | '0x7fc0'
          'r16'   | [1]
          'complex64' | '0x3f800000'
          """)
  void a_fill_value_that_is_not_the_types_is_refused(String type, String fillValue) {
    refused("/fill_value", "/data_type=" + type, "/fill_value=" + fillValue);
  }

  @Test
  void fortran_order_is_a_transpose() {
    older = true;
    put("data/root/a/c0/0", "0100020003000400 05000600");
    ZarrArray array = open(edited("/chunk_memory_layout='F'"));
    assertThat(array.read(Selection.all()).block().toShortArray())
        .containsExactly(1, 3, 5, 2, 4, 6);
  }

  @Test
  void the_endian_codec_and_a_transpose_have_their_meaning_of_zarr_v3() {
    put("data/a/c0/0", "000100020003 000400050006");
    ZarrArray array =
        open(
            edited(
                "/data_type='int16'",
                "/codecs=[{'type': '"
                    + CODECS
                    + "transpose/1.0', 'configuration': {'order': 'F'}}, {'type': '"
                    + CODECS
                    + "endian/1.0', 'configuration': {'endian': 'big'}}]"));
    assertThat(array.read(Selection.all()).block().toShortArray())
        .containsExactly(1, 3, 5, 2, 4, 6);
  }

  @Test
  void codecs_are_found_by_the_name_in_their_uri() {
    ZarrArray array =
        open(
            edited(
                "/codecs=[{'type': '"
                    + CODECS
                    + "blosc/1.0', 'configuration': {'cname': 'lz4', 'clevel': 5, 'shuffle':"
                    + " 'shuffle', 'blocksize': 0}}, {'type': '"
                    + CODECS
                    + "gzip/1.0', 'configuration': {'level': 1}}]"));
    assertThat(array.metadata().codecs())
        .extracting(NamedConfiguration::name)
        .containsExactly("bytes", "numcodecs.blosc", "numcodecs.gzip");
    array =
        open(
            edited(
                "/compressor={'codec': 'https://purl.org/zarr/spec/codec/zlib/1.0',"
                    + " 'configuration': {'level': 1}}"));
    assertThat(array.metadata().codecs())
        .extracting(NamedConfiguration::name)
        .containsExactly("bytes", "numcodecs.zlib");
    assertThat(open(edited("/compressor=null")).metadata().codecs()).hasSize(1);
  }

  @Test
  void filters_stand_among_the_attributes_of_programs_but_not_of_the_draft() {
    JsonObject document =
        edited("/attributes={'filters': [{'id': 'delta', 'dtype': '<i2'}], 'a': 1}");
    assertThat(open(document).attributes()).isEqualTo(document.get("attributes"));
    older = true;
    ZarrArray array = open(document);
    assertThat(array.attributes()).isEqualTo(Json.object("{'a': 1}"));
    assertThat(array.metadata().codecs().get(0).name()).isEqualTo("numcodecs.delta");
    assertThat(open(edited("/attributes={'filters': ['red']}")).attributes())
        .isEqualTo(Json.object("{'filters': ['red']}"));
  }

  @Test
  void the_sharding_transformer_is_the_sharding_codec() {
    // Two inner chunks of a shard of 2x2, and an index without a checksum.
    put(
        "data/a/c0/0",
        "0100020003000400 05000600"
            + "0000000000000000 0600000000000000"
            + "ffffffffffffffff ffffffffffffffff"
            + "ffffffffffffffff ffffffffffffffff"
            + "0600000000000000 0600000000000000");
    ZarrArray array =
        open(edited("/chunk_grid/chunk_shape=[1, 3]", "/shape=[2, 6]", sharding("[2, 2]")));
    assertThat(array.chunkGrid().largestChunkShape()).isEqualTo(Shape.of(2, 6));
    assertThat(array.read(Selection.all()).block().toShortArray())
        .containsExactly(1, 2, 3, 0, 0, 0, 0, 0, 0, 4, 5, 6);
    assertThat(array.read(Selection.parse("1,4")).block().getShort()).isEqualTo((short) 5);
  }

  private static String sharding(String chunksPerShard) {
    return "/storage_transformers=[{'extension':"
        + " 'https://purl.org/zarr/spec/storage_transformers/sharding/1.0', 'type': 'indexed',"
        + " 'configuration': {'chunks_per_shard': "
        + chunksPerShard
        + "}}]";
  }

  @Test
  void a_sharding_that_does_not_fit_is_refused() {
    String place = "/storage_transformers/0/configuration/chunks_per_shard";
    refused(place, sharding("[2]"));
    refused(place + "/0", sharding("[0, 1]"));
    refused(place, sharding("[9223372036854775807, 1]"));
    refused("/storage_transformers/0/configuration/more", sharding("[1, 1], 'more': 1"));
    unsupported(
        "/storage_transformers",
        "/storage_transformers=[{'extension': 'http://example.org/x', 'type': 'x'}]");
    assertThat(open(edited("/storage_transformers=[]")).metadata().codecs()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /shape/0=-1             | /shape/0
          -/shape                 | ``
          -/data_type             | ``
          -/fill_value            | ``
          -/chunk_grid            | ``
          -/chunk_memory_layout   | ``
          /chunk_memory_layout='A' | /chunk_memory_layout
          /chunk_grid/chunk_shape=[2] | /chunk_grid/chunk_shape
          /chunk_grid/chunk_shape=[2, 0] | /chunk_grid/chunk_shape/1
          -/chunk_grid/chunk_shape | /chunk_grid
          -/chunk_grid/type       | /chunk_grid
          /chunk_grid/separator='-' | /chunk_grid/separator
          /chunk_grid/more=1      | /chunk_grid/more
          /attributes=[]          | /attributes
          /extensions={}          | /extensions
          /codecs={}              | /codecs
          /codecs=[1]             | /codecs/0
          /codecs=['gzip']        | /codecs/0
          /codecs=[{'name': 'gzip'}] | /codecs/0/name
          /compressor={}          | /compressor
          /compressor={'codec': 'https://purl.org/zarr/spec/codec/gzip/1.0', 'configuration': {'level': 10}} | /compressor/configuration/level
          /storage_transformers={} | /storage_transformers
          /more=1                 | /more
          /zarr_format=3          | /zarr_format
          """)
  void a_broken_rule_is_refused_at_its_place(String edit, String pointer) {
    refused(pointer, edit);
  }

  @Test
  void a_compressor_beside_codecs_is_refused() {
    refused(
        "/codecs",
        "/codecs=[]",
        "/compressor={'codec': 'https://purl.org/zarr/spec/codec/gzip/1.0', 'configuration':"
            + " {'level': 1}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /chunk_grid={'extension': 'http://example.org/x', 'type': 'x'} | /chunk_grid
          /chunk_grid/type='rectilinear'                                 | /chunk_grid
          /chunk_memory_layout={'extension': 'http://example.org/x', 'type': 'x'} | /chunk_memory_layout
          /extensions/0={'extension': 'http://example.org/x', 'must_understand': true} | /extensions/0
          /codecs=[{'type': 'http://example.org/codecs/gzip/1.0'}] | /codecs/0/type
          """)
  void the_features_of_extensions_are_unsupported(String edit, String pointer) {
    unsupported(pointer, edit);
  }

  @Test
  void missing_members_are_read_as_empty_with_a_warning() {
    ZarrArray array = open(edited("-/attributes", "-/extensions"));
    assertThat(array.attributes()).isEqualTo(JsonObject.EMPTY);
    assertThat(array.warnings())
        .extracting(MetadataWarning::statement)
        .anyMatch(text -> text.contains("\"attributes\" is missing"))
        .anyMatch(text -> text.contains("\"extensions\" is missing"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []                         | ``
          {'attributes': []}         | /attributes
          {'attributes': {}, 'x': 1} | /x
          {'attributes': {}, 'extensions': []} | /extensions
          """)
  void a_group_has_attributes_and_nothing_else(String document, String pointer) {
    put(
        "meta/a.group.json",
        Json.value(document).value().toString().getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(this::node)
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.location().storeKey()).isEqualTo("meta/a.group.json");
            });
  }

  private static JsonObject edited(String... edits) {
    JsonObject document = DOCUMENT;
    for (String edit : edits) {
      document = Json.edited(document, edit);
    }
    return document;
  }

  private void refused(String pointer, String... edits) {
    assertThatThrownBy(() -> open(edited(edits)))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.location().nodePath()).isEqualTo("/a");
              assertThat(e.location().storeKey()).isEqualTo("meta/a.array.json");
            });
  }

  private void unsupported(String pointer, String edit) {
    assertThatThrownBy(() -> open(edited(edit)))
        .isInstanceOfSatisfying(
            UnsupportedFeatureException.class,
            e -> assertThat(e.location().jsonPointer()).isEqualTo(pointer));
  }

  private ZarrArray open(JsonObject document) {
    put(
        older ? "meta/root/a.array.json" : "meta/a.array.json",
        document.toString().getBytes(StandardCharsets.UTF_8));
    return (ZarrArray) node();
  }

  private ZarrNode node() {
    String entryPoint =
        older ? Draft2022NodesTest.OLDER_ENTRY_POINT : Draft2022NodesTest.ENTRY_POINT;
    put("zarr.json", Json.object(entryPoint).toString().getBytes(StandardCharsets.UTF_8));
    Drafts drafts = Drafts.of(Draft.OF_2022);
    return Zarr.hierarchy(
            store,
            ZarrOptions.defaults().withDrafts(fallbacks ? drafts.withFallbackDataTypes() : drafts))
        .open("a")
        .block();
  }

  private void put(String key, String hexadecimal) {
    put(key, HexFormat.of().parseHex(hexadecimal.replace(" ", "")));
  }

  private void put(String key, byte[] value) {
    store.set(StoreKey.of(key), Bytes.wrap(value)).block();
  }
}
