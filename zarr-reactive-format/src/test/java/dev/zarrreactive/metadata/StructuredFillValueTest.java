package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.testing.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packed fill value of {@code structured}, whose byte order is that of the chunks. */
class StructuredFillValueTest {
  private static final String DATA_TYPE =
      "{'name': 'structured', 'configuration': {'fields': [['a', 'int16'], ['b', 'uint8']]}}";

  private static ArrayMetadata read(String codecs, String fillValue) {
    return ArrayMetadata.read(
        LocatedJson.of(
            Json.object(
                """
                {'zarr_format': 3, 'node_type': 'array', 'shape': [4],
                 'data_type': %s,
                 'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': [2]}},
                 'chunk_key_encoding': 'default',
                 'fill_value': %s,
                 'codecs': %s}"""
                    .formatted(DATA_TYPE, fillValue, codecs))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "['bytes'] | 513",
        "[{'name': 'bytes', 'configuration': {'endian': 'little'}}, 'crc32c'] | 513",
        "[{'name': 'bytes', 'configuration': {'endian': 'big'}}, 'crc32c'] | 258",
        "[{'name': 'endian', 'configuration': {'endian': 'big'}}] | 258",
        "[{'name': 'sharding_indexed', 'configuration': {'codecs': [{'name': 'bytes', 'configuration': {'endian': 'big'}}], 'index_codecs': []}}] | 258",
        "[{'name': 'sharding_indexed', 'configuration': {'codecs': ['bytes'], 'index_codecs': [{'name': 'bytes', 'configuration': {'endian': 'big'}}]}}] | 513",
      })
  void is_in_the_byte_order_of_the_codec_bytes(String codecs, int a) {
    ArrayMetadata metadata = read(codecs, "'AQIH'"); // the bytes 1, 2, 7
    assertThat(metadata.fillValue().toJson()).hasToString("{\"a\":" + a + ",\"b\":7}");
  }

  @Test
  void an_object_has_no_byte_order() {
    ArrayMetadata metadata =
        read("[{'name': 'bytes', 'configuration': {'endian': 'big'}}]", "{'a': 513, 'b': 7}");
    assertThat(metadata.fillValue().toJson()).hasToString("{\"a\":513,\"b\":7}");
  }

  @Test
  void new_metadata_says_struct() {
    DataType structured = DataTypes.parse(Json.extension(DATA_TYPE));
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(4), structured)
            .uncompressed()
            .fillValue(Json.value("{'a': 513, 'b': 7}").value())
            .build();
    assertThat(metadata.dataType()).isEqualTo(structured);
    assertThat(metadata.dataType().name()).isEqualTo("struct");
    assertThat(metadata.fillValue().toJson()).hasToString("{\"a\":513,\"b\":7}");
    assertThat(metadata.codecs())
        .containsExactly(NamedConfiguration.of("bytes", Json.object("{'endian': 'little'}")));
  }
}
