package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What may stand in the {@code zarr.json} of an array. Each case is one change to a document that
 * opens; each refusal comes when the array is opened and says where, and what was expected.
 */
class ArrayDocumentTest {
  private static final JsonObject DOCUMENT =
      Json.object(
          """
          {
            'zarr_format': 3,
            'node_type': 'array',
            'shape': [10, 20],
            'data_type': 'int32',
            'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': [5, 5]}},
            'chunk_key_encoding': {'name': 'default', 'configuration': {'separator': '/'}},
            'fill_value': 0,
            'codecs': [{'name': 'bytes', 'configuration': {'endian': 'little'}}]
          }
          """);

  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # the format and the kind of node
          -/zarr_format                | ``           | the member "zarr_format" is missing
          /zarr_format=2               | /zarr_format | expected the integer 3, found 2
          /zarr_format=4               | /zarr_format | expected the integer 3, found 4
          /zarr_format=3.0             | /zarr_format | expected the integer 3, found 3.0
          /zarr_format=true            | /zarr_format | expected the integer 3, found true
          /zarr_format='3'             | /zarr_format | expected the integer 3, found "3"
          /zarr_format=null            | /zarr_format | expected the integer 3, found null
          -/node_type                  | ``           | the member "node_type" is missing
          /node_type='Array'           | /node_type   | expected one of "array", "group", found "Array"
          /node_type='dataset'         | /node_type   | expected one of "array", "group"
          /node_type=1                 | /node_type   | expected one of "array", "group", found 1
          # members that nobody knows
          /extensions=[]               | /extensions  | unknown member "extensions" of the array
          /extra={}                    | /extra       | "must_understand": false
          /extra={'a': 1}              | /extra       | "must_understand": false
          /extra={'must_understand': true}    | /extra | unknown member "extra"
          /extra={'must_understand': 'false'} | /extra | unknown member "extra"
          /extra={'must_understand': 0}       | /extra | unknown member "extra"
          /extra=null                  | /extra       | unknown member "extra"
          /extra=false                 | /extra       | unknown member "extra"
          /attributes=[]               | /attributes  | expected an object, found array []
          /attributes='x'              | /attributes  | expected an object, found "x"
          # the shape
          -/shape                      | ``           | the member "shape" is missing
          /shape=10                    | /shape       | expected an array, found 10
          /shape={}                    | /shape       | expected an array
          /shape/0=-1                  | /shape/0     | expected an integer from 0 to 2^63-1, found -1
          /shape/1=2.5                 | /shape/1     | expected an integer, found 2.5
          /shape/1=1e1                 | /shape/1     | expected an integer, found 1e1
          /shape/1='4'                 | /shape/1     | expected an integer, found "4"
          /shape/1=true                | /shape/1     | expected an integer, found true
          /shape/1=null                | /shape/1     | expected an integer, found null
          /shape/0=9223372036854775808 | /shape/0     | found 9223372036854775808
          # data type and fill value
          -/data_type                  | ``           | the member "data_type" is missing
          /data_type=4                 | /data_type   | expected a name, or an object with the member "name"
          /data_type=''                | /data_type   | expected a name
          /data_type={'configuration': {}}            | /data_type      | the member "name" is missing
          /data_type={'name': 3}                      | /data_type/name | expected a string, found 3
          /data_type={'name': 'int32', 'endian': 'little'} | /data_type/endian | unknown member "endian"
          /data_type={'name': 'int32', 'configuration': {'endian': 'little'}} | /data_type/configuration/endian | unknown member "endian"
          /data_type={'name': 'int32', 'configuration': null} | /data_type/configuration | expected an object, found null
          /data_type={'name': 'int32', 'must_understand': false} | /data_type | a data type must be understood
          /data_type={'name': 'int32', 'must_understand': 1}     | /data_type/must_understand | expected true or false
          /data_type='r12'             | /data_type   | multiple of 8
          -/fill_value                 | ``           | the member "fill_value" is missing
          /fill_value=null             | /fill_value  | a fill value of int32
          /fill_value=2147483648       | /fill_value  | from -2147483648 to 2147483647, found 2147483648
          /fill_value=1.0              | /fill_value  | a fill value of int32
          # the chunk grid
          -/chunk_grid                 | ``           | the member "chunk_grid" is missing
          /chunk_grid='regular'        | /chunk_grid/configuration | the member "chunk_shape" is missing
          /chunk_grid={'name': 'regular'} | /chunk_grid/configuration | the member "chunk_shape" is missing
          /chunk_grid/configuration=null | /chunk_grid/configuration | expected an object, found null
          /chunk_grid/configuration=[] | /chunk_grid/configuration | expected an object, found array
          /chunk_grid/configuration={} | /chunk_grid/configuration | the member "chunk_shape" is missing
          /chunk_grid/configuration/order='C' | /chunk_grid/configuration/order | unknown member "order"; known are chunk_shape
          /chunk_grid/must_understand=false   | /chunk_grid | a chunk grid must be understood
          /chunk_grid/configuration/chunk_shape=5 | /chunk_grid/configuration/chunk_shape | expected an array
          /chunk_grid/configuration/chunk_shape=[5] | /chunk_grid/configuration/chunk_shape | one entry for each of the 2 dimensions
          /chunk_grid/configuration/chunk_shape/2=5 | /chunk_grid/configuration/chunk_shape | one entry for each of the 2 dimensions
          /chunk_grid/configuration/chunk_shape/0=-5 | /chunk_grid/configuration/chunk_shape/0 | from 1 to
          /chunk_grid/configuration/chunk_shape/0=2.5 | /chunk_grid/configuration/chunk_shape/0 | expected an integer
          /chunk_grid/configuration/chunk_shape/0=0  | /chunk_grid/configuration/chunk_shape/0 | from 1 to
          /chunk_grid/configuration/chunk_shape/0='2' | /chunk_grid/configuration/chunk_shape/0 | expected an integer
          /chunk_grid/configuration/chunk_shape/0=5.0 | /chunk_grid/configuration/chunk_shape/0 | expected an integer
          /chunk_grid/configuration/chunk_shape/1=9223372036854775808 | /chunk_grid/configuration/chunk_shape/1 | found 9223372036854775808
          # the chunk key encoding
          -/chunk_key_encoding         | ``           | the member "chunk_key_encoding" is missing
          /chunk_key_encoding/must_understand=false | /chunk_key_encoding | a chunk key encoding must be understood
          /chunk_key_encoding={'name': 'v2', 'separator': '/'} | /chunk_key_encoding/separator | unknown member "separator"
          /chunk_key_encoding/configuration/order='C' | /chunk_key_encoding/configuration/order | known are separator
          /chunk_key_encoding/configuration/separator='-'  | /chunk_key_encoding/configuration/separator | expected one of "/", ".", found "-"
          /chunk_key_encoding/configuration/separator=''   | /chunk_key_encoding/configuration/separator | expected one of "/", "."
          /chunk_key_encoding/configuration/separator='//' | /chunk_key_encoding/configuration/separator | expected one of "/", "."
          /chunk_key_encoding/configuration/separator=null | /chunk_key_encoding/configuration/separator | expected one of "/", ".", found null
          # dimension names
          /dimension_names=['x']       | /dimension_names   | one name for each of the 2 dimensions
          /dimension_names=['x', 'y', 'z'] | /dimension_names | one name for each of the 2 dimensions
          /dimension_names=['x', 1]    | /dimension_names/1 | expected a string, found 1
          /dimension_names=[{}, null]  | /dimension_names/0 | expected a string, found object
          /dimension_names='xy'        | /dimension_names   | expected an array
          # the codecs
          -/codecs                     | ``           | the member "codecs" is missing
          /codecs={}                   | /codecs      | expected an array
          /codecs='bytes'              | /codecs      | expected an array
          /codecs=[]                   | /codecs      | no array→bytes codec
          /codecs=['crc32c']           | /codecs      | no array→bytes codec
          /codecs=[{'name': 'transpose', 'configuration': {'order': [1, 0]}}] | /codecs | no array→bytes codec
          /codecs/0='bytes'            | /codecs/0    | endian
          /codecs/1='bytes'            | /codecs/1    | codec "bytes" already; expected one
          /codecs/1={'name': 'bytes', 'configuration': {'endian': 'big'}} | /codecs/1 | codec "bytes" already; expected one
          /codecs/1={'name': 'transpose', 'configuration': {'order': [1, 0]}} | /codecs/1 | must come before "bytes"
          /codecs/1=7                  | /codecs/1    | expected a name, or an object with the member "name"
          /codecs/1=null               | /codecs/1    | expected a name, or an object with the member "name"
          /codecs/1={}                 | /codecs/1    | the member "name" is missing
          /codecs/0/configuration={'endian': 'native'} | /codecs/0/configuration/endian | "little"
          /codecs/1={'name': 'crc32c', 'configuration': {'level': 1}} | /codecs/1/configuration/level | unknown member "level"
          /codecs/1={'name': 'gzip', 'configuration': {'level': 10}} | /codecs/1/configuration/level | from 0 to 9
          /codecs/1={'name': 'crc32c', 'must_understand': 'no'} | /codecs/1/must_understand | expected true or false
          /storage_transformers={}     | /storage_transformers | expected an array
          /storage_transformers=[1]    | /storage_transformers/0 | expected a name
          """)
  void a_broken_rule_is_refused_at_its_place(String edit, String pointer, String message) {
    assertThatThrownBy(() -> open(Json.edited(DOCUMENT, edit)))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.statement()).contains(message);
              assertLocated(e);
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /data_type='float128'     | /data_type          | unknown data type "float128"; available: b
          /data_type='Int32'        | /data_type          | unknown data type "Int32"
          /data_type='<i4'          | /data_type          | unknown data type "<i4"
          /data_type={'name': 'x', 'configuration': {}} | /data_type | unknown data type "x"
          /chunk_grid/name='hexagonal' | /chunk_grid      | unknown chunk grid "hexagonal"; available: rectilinear, regular
          /chunk_key_encoding='v3'  | /chunk_key_encoding | unknown chunk key encoding "v3"; available: default, fanout, suffix, template, v2
          /codecs/1='brotli'        | /codecs/1           | unknown codec "brotli"; available: bitround, blosc, bytes
          /codecs/1={'name': 'brotli', 'must_understand': true} | /codecs/1 | unknown codec "brotli"
          """)
  void an_unknown_name_is_refused_with_the_known_names(
      String edit, String pointer, String message) {
    assertThatThrownBy(() -> open(Json.edited(DOCUMENT, edit)))
        .isInstanceOfSatisfying(
            UnknownExtensionException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.statement()).contains(message);
              assertThat(e.available()).isNotEmpty().doesNotContain(e.name());
              assertLocated(e);
            });
  }

  @Test
  void a_storage_transformer_that_must_be_understood_is_refused() {
    String edit = "/storage_transformers=[{'name': 'chunk-manifest-json'}]";
    assertThatThrownBy(() -> open(Json.edited(DOCUMENT, edit)))
        .isInstanceOfSatisfying(
            UnsupportedFeatureException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo("/storage_transformers/0");
              assertThat(e.statement()).contains("chunk-manifest-json");
              assertLocated(e);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/shape=[0, 20]",
        "/attributes={'any': [1, {'content': null}], 'unit': 'µm', 'big': 1e400}",
        "/attributes=null", // tolerated: some programs write it
        "/dimension_names=null", // tolerated: some programs write it
        "/dimension_names=['', '']",
        "/dimension_names=[null, 'x']",
        "/storage_transformers=[]",
        "/storage_transformers=[{'name': 'cache', 'must_understand': false}]",
        "/extra={'must_understand': false, 'name': 'x'}",
        "/chunk_key_encoding='default'",
        "/chunk_key_encoding='v2'",
        "/chunk_key_encoding={'name': 'v2'}",
        "/chunk_key_encoding={'name': 'v2', 'configuration': {}}",
        "/data_type={'name': 'int32'}",
        "/data_type={'name': 'int32', 'configuration': {}}",
        "/data_type={'name': 'int32', 'must_understand': true}",
        "/codecs/0/configuration={'endian': 'big'}",
        "/codecs/1='crc32c'",
        "/codecs/1={'name': 'crc32c', 'configuration': {}}",
        "/codecs/1={'name': 'zfp-of-tomorrow', 'must_understand': false}",
        "/chunk_grid/configuration/chunk_shape=[100, 9223372036854775807]",
        "/shape=[9223372036854775807, 9223372036854775807]",
      })
  void a_valid_document_is_opened(String edit) {
    JsonObject document = Json.edited(DOCUMENT, edit);
    ZarrArray array = open(document);
    assertThat(array.metadata().document()).as("nothing is lost").isEqualTo(document);
  }

  @Test
  void members_may_stand_in_any_order() {
    JsonObject reversed = JsonObject.EMPTY;
    for (String name : Collections.unmodifiableSet(DOCUMENT.members().keySet())) {
      reversed = Json.object("{'" + name + "': " + DOCUMENT.get(name) + withMembersOf(reversed));
    }
    assertThat(reversed.members().keySet()).first().isEqualTo("codecs");
    assertThat(open(reversed).shape().toArray()).containsExactly(10, 20);
  }

  private static String withMembersOf(JsonObject object) {
    String members = object.toString().substring(1);
    return members.equals("}") ? "}" : "," + members;
  }

  @Test
  void a_chunk_length_of_zero_is_tolerated_where_the_array_has_no_element() {
    JsonObject empty = Json.edited(DOCUMENT, "/shape=[0, 20]");
    ZarrArray array = open(Json.edited(empty, "/chunk_grid/configuration/chunk_shape=[0, 5]"));
    assertThat(array.chunkGrid().gridShape().toArray()).containsExactly(0, 4);
  }

  @Test
  void a_scalar_has_one_chunk() {
    JsonObject scalar = Json.edited(DOCUMENT, "/shape=[]");
    ZarrArray array = open(Json.edited(scalar, "/chunk_grid/configuration/chunk_shape=[]"));
    assertThat(array.chunkGrid().gridShape().elementCount()).isEqualTo(1);
  }

  @Test
  void an_ignored_extension_of_the_chunks_makes_the_array_read_only() {
    assertThat(open(DOCUMENT).metadata().isWritable()).isTrue();
    String edit = "/storage_transformers=[{'name': 'cache', 'must_understand': false}]";
    assertThat(open(Json.edited(DOCUMENT, edit)).metadata().isWritable()).isFalse();
  }

  @Test
  void bytes_that_are_no_document_are_an_error_and_not_an_absent_node() {
    assertRefused("", "empty");
    assertRefused("  \n", "empty");
    assertRefused("{\"zarr_format\": 3", "not JSON");
    assertRefused("PK\u0003\u0004", "not JSON");
    assertRefused("[]", "expected an object, found array");
    assertRefused("\"array\"", "expected an object, found \"array\"");
    assertRefused("null", "expected an object, found null");
    assertRefused(DOCUMENT.toString() + "{}", "content after its end");
  }

  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> open(text))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEmpty();
              assertThat(e.statement()).contains(message);
              assertLocated(e);
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "fill_value":NaN                | /fill_value | NaN
          "fill_value":-Infinity          | /fill_value | -Infinity
          "fill_value":0,"fill_value":0   | /fill_value | duplicate member
          """)
  void tokens_that_json_lacks_are_refused(String fillValue, String pointer, String message) {
    String text = DOCUMENT.toString().replace("\"fill_value\":0", fillValue);
    assertThatThrownBy(() -> open(text))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.statement()).contains(message);
              assertLocated(e);
            });
  }

  private static void assertLocated(ZarrException e) {
    assertThat(e.location().nodePath()).isEqualTo("/a");
    assertThat(e.location().storeKey()).isEqualTo("a/zarr.json");
    assertThat(e.getMessage()).contains("node /a", "key a/zarr.json");
  }

  private static ZarrArray open(JsonObject document) {
    return open(document.toString());
  }

  private static ZarrArray open(String document) {
    MemoryStore store = MemoryStore.create();
    store.set(StoreKey.of("a/zarr.json"), Bytes.utf8(document)).block();
    return Zarr.hierarchy(store).openArray("a").block();
  }
}
