package dev.zarrreactive.internal.drafts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.MetadataWarning;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs of 2023 wrote into {@code zarr.json}: read where that is asked for, else named. */
class Draft2023DocumentTest {
  private static final String SHARDING =
      "[{'name': 'sharding_indexed', 'configuration': {'chunk_shape': [1, 3], 'codecs': [{'name':"
          + " 'bytes', 'configuration': {'endian': 'little'}}]}}]";

  private static final JsonObject DOCUMENT =
      Json.object(
          """
          {'zarr_format': 3, 'node_type': 'array', 'shape': [2, 3], 'data_type': 'int16',
           'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': [2, 3]}},
           'chunk_key_encoding': {'name': 'default', 'configuration': {'separator': '/'}},
           'fill_value': 0,
           'codecs': [{'name': 'bytes', 'configuration': {'endian': 'little'}}]}
          """);

  private final MemoryStore store = MemoryStore.create();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          -/codecs                         | ``          | the member "codecs" is missing
          /codecs=[]                       | /codecs     | no array→bytes codec
          /codecs=['crc32c']               | /codecs     | no array→bytes codec
          /codecs=[{'name': 'transpose', 'configuration': {'order': [0, 1]}}, {'name': 'gzip', 'configuration': {'level': 1}}] | /codecs | no array→bytes codec
          /codecs/0={'type': 'bytes', 'configuration': {'endian': 'little'}} | /codecs/0/type | the name of "bytes" has the member "type"
          /codecs/1={'name': 'crc32c', 'configuration': null} | /codecs/1/configuration | expected an object, found null
          /codecs=[{'name': 'transpose', 'configuration': {'order': 'C'}}, {'name': 'bytes', 'configuration': {'endian': 'little'}}] | /codecs/0/configuration/order | the word "C" for a permutation
          /codecs=[{'name': 'transpose', 'configuration': {'order': 'F'}}, {'name': 'bytes', 'configuration': {'endian': 'little'}}] | /codecs/0/configuration/order | the word "F" for a permutation
          /chunk_grid={'type': 'regular', 'configuration': {'chunk_shape': [2, 3]}} | /chunk_grid/type | has the member "type"
          /chunk_key_encoding={'type': 'default'} | /chunk_key_encoding/type | has the member "type"
          /chunk_key_encoding={'name': 'default', 'configuration': null} | /chunk_key_encoding/configuration | found null
          /extensions=[]                   | /extensions | unknown member "extensions"
          /extensions=[{'extension': 'http://example.org/x', 'must_understand': false}] | /extensions | unknown member "extensions"
          /fill_value='0x0005'             | /fill_value | the fill value "0x0005"
          /fill_value='0b0000000000000101' | /fill_value | the fill value
          /data_type={'name': 'int16', 'fallback': 'r16'} | /data_type/fallback | a data type with a fallback
          """)
  void a_form_of_the_draft_is_read_with_a_warning_or_refused_with_advice(
      String edit, String pointer, String what) {
    put("a/zarr.json", Json.edited(DOCUMENT, edit));
    assertThatThrownBy(() -> Zarr.hierarchy(store).open("a").block())
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.location().storeKey()).isEqualTo("a/zarr.json");
              assertThat(e.statement())
                  .contains(what, "withDrafts(Drafts.of(Draft.OF_2023))", "--draft 2023");
            });

    ZarrNode node = open();
    assertThat(node.warnings()).hasSize(1);
    MetadataWarning warning = node.warnings().get(0);
    assertThat(warning.statement()).contains(what, "2023 draft of Zarr v3");
    assertThat(warning.location().jsonPointer()).isEqualTo(pointer);
    assertThat(warning.toString()).contains("node /a, key a/zarr.json");
    assertThat(node.metadata().draft()).isEqualTo(Draft.OF_2023);
    assertThat(node.metadata().zarrFormat()).isEqualTo(3);
    assertThat(node.metadata().document()).isEqualTo(Json.edited(DOCUMENT, edit));
  }

  @Test
  void a_document_without_forms_of_the_draft_is_one_of_zarr_v3() {
    put("a/zarr.json", DOCUMENT);
    ZarrArray array = (ZarrArray) open();
    assertThat(array.warnings()).isEmpty();
    assertThat(array.metadata().draft()).isNull();
    array.write(Selection.all(), data()).block();
    assertThat(array.read(Selection.all()).block()).isEqualTo(data());
  }

  private static NdArray data() {
    return NdArray.ofShorts(DataTypes.INT16, Shape.of(2, 3), new short[] {1, 2, 3, 4, 5, 6});
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'float32'   | '+Infinity'          | "Infinity"
          'float32'   | '0b00111111100000000000000000000000' | 1.0
          'bool'      | '0x01'               | true
          'uint8'     | '0xff'               | 255
          'int8'      | '0b11111111'         | -1
          'complex64' | '0x3f80000040000000' | [1.0,2.0]
          'complex64' | ['+Infinity', 0.0]   | ["Infinity",0.0]
          'r16'       | '0x0102'             | [1,2]
          """)
  void fill_values_may_be_bits(String type, String written, String read) {
    put("a/zarr.json", edited("/data_type=" + type, "/fill_value=" + written));
    ZarrArray array = (ZarrArray) open();
    assertThat(array.fillValue()).hasToString(read);
    assertThat(array.warnings()).hasSize(1);
    assertThatThrownBy(() -> Zarr.hierarchy(store).open("a").block())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("Draft.OF_2023");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /fill_value='0x5'        | /fill_value
          /fill_value='0x000005'   | /fill_value
          /fill_value='0b101'      | /fill_value
          /fill_value='0xzzzz'     | /fill_value
          /fill_value='+Infinity'  | /fill_value
          /fill_value=null         | /fill_value
          /codecs=[{'name': 'transpose', 'configuration': {'order': 'K'}}, {'name': 'bytes', 'configuration': {'endian': 'little'}}] | /codecs/0/configuration/order
          /codecs=[{'name': 'transpose', 'configuration': {'order': 'c'}}] | /codecs/0/configuration/order
          /codecs=[{'name': 'gzip', 'configuration': {'level': 1}}, {'name': 'transpose', 'configuration': {'order': [1, 0]}}] | /codecs/0
          /codecs=null             | /codecs
          /codecs=['unheard-of']   | /codecs/0
          /codecs/0={'type': 'bytes', 'name': 'bytes'} | /codecs/0/type
          /codecs/0={'type': 1}    | /codecs/0/type
          /extensions=[{'extension': 'http://example.org/x', 'must_understand': true}] | /extensions
          /extensions={}           | /extensions
          /chunk_grid={'type': 'unheard-of'} | /chunk_grid
          /data_type={'fallback': 'int16'}   | /data_type
          /data_type={'name': 'int16', 'fallback': 'int16', 'x': 1} | /data_type/x
          -/fill_value             | ``
          -/shape                  | ``
          /shape='x'               | /shape
          """)
  void a_fault_in_the_draft_and_in_zarr_v3_is_refused(String edit, String pointer) {
    put("a/zarr.json", Json.edited(DOCUMENT, edit));
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            ZarrException.class, e -> assertThat(e.location().jsonPointer()).isEqualTo(pointer));
  }

  @Test
  void the_old_name_of_the_bytes_codec_is_always_read_with_a_warning() {
    put("a/zarr.json", edited("/codecs/0/name='endian'", "/codecs/0/configuration/endian='big'"));
    ZarrArray array = Zarr.hierarchy(store).openArray("a").block();
    assertThat(array.metadata().draft()).isNull();
    assertThat(array.warnings())
        .singleElement()
        .hasToString(
            "the codec \"bytes\" under its old name \"endian\" (node /a, key a/zarr.json, at"
                + " /codecs/0)");
    array.write(Selection.all(), data()).block();
    assertThat(store.get(StoreKey.of("a/c/0/0")).block().toByteArray())
        .containsExactly(0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6);
  }

  @Test
  void elements_without_an_array_to_bytes_codec_are_little_endian() {
    put("a/zarr.json", edited("/codecs=[{'name': 'transpose', 'configuration': {'order': 'F'}}]"));
    put("a/c/0/0", HexFormat.of().parseHex("010002000300040005000600"));
    assertThat(((ZarrArray) open()).read(Selection.all()).block().toShortArray())
        .containsExactly(1, 3, 5, 2, 4, 6);
  }

  @Test
  void a_fallback_is_used_only_where_the_user_says_so() {
    put(
        "a/zarr.json",
        edited(
            "/data_type={'name': 'datetime', 'configuration': {'unit': 'ns'}, 'fallback': ['r16',"
                + " 'date', {'name': 'int16'}]}",
            "/fill_value=null"));
    assertThatThrownBy(this::open)
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("the data type \"datetime\" is unknown; its document")
        .hasMessageContaining("has the fallback \"int16\"")
        .hasMessageContaining("Drafts.withFallbackDataTypes()")
        .hasMessageContaining("node /a, key a/zarr.json, at /data_type");
    ZarrNode node = open(Drafts.of(Draft.OF_2023).withFallbackDataTypes());
    assertThat(((ZarrArray) node).dataType()).isEqualTo(DataTypes.INT16);
    assertThat(((ZarrArray) node).fillValue()).hasToString("0");
    assertThat(node.warnings())
        .extracting(MetadataWarning::statement)
        .anyMatch(text -> text.contains("unknown data type \"datetime\" is read as \"int16\""))
        .anyMatch(text -> text.contains("a fill value that is null, read as zero"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'r16'", "['unheard-of', 'r16']", "{'name': 'uint16'}"})
  void a_fallback_may_be_one_or_a_list_and_raw_where_nothing_else_is_known(String fallback) {
    put(
        "a/zarr.json",
        edited(
            "/data_type={'name': 'unheard-of', 'fallback': " + fallback + "}",
            "/fill_value='0x0000'"));
    ZarrArray array = (ZarrArray) open(Drafts.of(Draft.OF_2023).withFallbackDataTypes());
    assertThat(array.dataType().name()).matches("r16|uint16");
  }

  @Test
  void a_data_type_whose_fallbacks_are_unknown_too_is_unknown() {
    put("a/zarr.json", edited("/data_type={'name': 'unheard-of', 'fallback': ['x', 7]}"));
    assertThatThrownBy(() -> open(Drafts.of(Draft.OF_2023).withFallbackDataTypes()))
        .hasMessageContaining("unknown data type \"unheard-of\"");
  }

  @Test
  void shards_without_index_codecs_are_read_with_and_without_a_checksum() {
    put("a/zarr.json", edited("/codecs=" + SHARDING));
    assertThatThrownBy(() -> Zarr.hierarchy(store).open("a").block())
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo("/codecs/0/configuration");
              assertThat(e.statement()).contains("\"index_codecs\" is missing", "Draft.OF_2023");
            });
    byte[] chunk = HexFormat.of().parseHex("040005000600");
    byte[] index =
        HexFormat.of()
            .parseHex("ffffffffffffffff".repeat(2) + "0000000000000000" + "0600000000000000");
    CRC32C crc = new CRC32C();
    crc.update(index);
    int sum = Integer.reverseBytes((int) crc.getValue());
    byte[] checksum = HexFormat.of().parseHex(String.format("%08x", sum));
    for (byte[] shard : List.of(joined(chunk, index), joined(chunk, index, checksum))) {
      put("a/c/0/0", shard);
      ZarrArray array = (ZarrArray) open();
      assertThat(array.read(Selection.all()).block().toShortArray())
          .containsExactly(0, 0, 0, 4, 5, 6);
      assertThat(array.read(Selection.parse("1,2")).block().getShort()).isEqualTo((short) 6);
    }
  }

  private static byte[] joined(byte[]... parts) {
    java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @Test
  void codecs_inside_shards_may_be_in_forms_of_the_draft_too() {
    put(
        "a/zarr.json",
        edited(
            "/codecs=[{'type': 'sharding_indexed', 'configuration': {'chunk_shape': [1, 3],"
                + " 'codecs': [{'name': 'transpose', 'configuration': {'order': 'F'}}],"
                + " 'index_codecs': [{'name': 'endian', 'configuration': {'endian': 'little'}}]}}]"));
    assertThat(open().warnings())
        .extracting(warning -> warning.location().jsonPointer())
        .containsExactlyInAnyOrder(
            "/codecs/0/type",
            "/codecs/0/configuration/codecs/0/configuration/order",
            "/codecs/0/configuration/codecs",
            "/codecs/0/configuration/index_codecs/0");
  }

  @Test
  void a_node_of_the_draft_is_only_read() {
    put("a/zarr.json", Json.edited(DOCUMENT, "-/codecs"));
    ZarrArray array = (ZarrArray) open();
    for (Runnable change :
        List.<Runnable>of(
            () -> array.write(Selection.all(), data()).block(),
            () -> array.updateAttributes(a -> a.with("x", 1)).block())) {
      assertThatThrownBy(change::run)
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("2023 draft of Zarr v3 can only be read");
    }
    assertThat(store.list().collectList().block()).hasSize(1);
  }

  @Test
  void a_group_may_have_extensions_too() {
    put("a/zarr.json", Json.object("{'zarr_format': 3, 'node_type': 'group', 'extensions': []}"));
    assertThatThrownBy(() -> Zarr.hierarchy(store).open("a").block())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("unknown member \"extensions\" of the group's metadata")
        .hasMessageContaining("Draft.OF_2023");
    assertThat(open().warnings()).hasSize(1);
    assertThat(open().metadata().draft()).isEqualTo(Draft.OF_2023);
  }

  private static JsonObject edited(String... edits) {
    JsonObject document = DOCUMENT;
    for (String edit : edits) {
      document = Json.edited(document, edit);
    }
    return document;
  }

  private ZarrNode open() {
    return open(Drafts.of(Draft.OF_2023));
  }

  private ZarrNode open(Drafts drafts) {
    return Zarr.hierarchy(store, ZarrOptions.defaults().withDrafts(drafts)).open("a").block();
  }

  private void put(String key, JsonObject document) {
    put(key, document.toString().getBytes(StandardCharsets.UTF_8));
  }

  private void put(String key, byte[] value) {
    store.set(StoreKey.of(key), Bytes.wrap(value)).block();
  }
}
