package dev.zarrreactive.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.error.MetadataException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may stand in the metadata of the core codecs; errors say where and what was expected. */
class CodecConfigurationTest {

  static Stream<Arguments> wrongConfigurations() {
    return Stream.of(
        wrong("bytes", "{'endian': 'Little'}", "/endian", "one of \"little\", \"big\""),
        wrong("bytes", "{'endian': 'native'}", "/endian", "found \"native\""),
        wrong("bytes", "{'endian': 1}", "/endian", "found 1"),
        wrong("bytes", "{'endian': null}", "/endian", "found null"),
        wrong("bytes", "{'order': 'C'}", "/order", "unknown member \"order\"; known are endian"),
        wrong("endian", "{'endian': 'middle'}", "/endian", "found \"middle\""),
        wrong("transpose", "{}", "", "the member \"order\" is missing"),
        wrong("transpose", "{'order': [0, 0]}", "/order/1", "0 is there twice"),
        wrong("transpose", "{'order': [1]}", "/order/0", "an integer from 0 to 0, found 1"),
        wrong("transpose", "{'order': [0, -1]}", "/order/1", "found -1"),
        wrong("transpose", "{'order': [0.5]}", "/order/0", "expected an integer, found 0.5"),
        wrong("transpose", "{'order': [1.0, 0]}", "/order/0", "found 1.0"),
        wrong("transpose", "{'order': 1}", "/order", "expected an array"),
        wrong("transpose", "{'order': 'F'}", "/order", "\"F\" are of the drafts before Zarr v3"),
        wrong("transpose", "{'order': 'C'}", "/order", "found \"C\""),
        wrong("transpose", "{'order': [0], 'axes': 1}", "/axes", "known are order"),
        wrong("gzip", "{}", "", "the member \"level\" is missing"),
        wrong("gzip", "{'level': 10}", "/level", "an integer from 0 to 9, found 10"),
        wrong("gzip", "{'level': -1}", "/level", "found -1"),
        wrong("gzip", "{'level': '5'}", "/level", "expected an integer, found \"5\""),
        wrong("gzip", "{'level': 5.0}", "/level", "found 5.0"),
        wrong("gzip", "{'level': true}", "/level", "found true"),
        wrong("gzip", "{'level': 5, 'mtime': 0}", "/mtime", "known are level"),
        wrong("zstd", "{'checksum': true}", "", "the member \"level\" is missing"),
        wrong("zstd", "{'level': 23}", "/level", "an integer from -131072 to 22, found 23"),
        wrong("zstd", "{'level': -131073}", "/level", "found -131073"),
        wrong("zstd", "{'level': 'x', 'checksum': false}", "/level", "found \"x\""),
        wrong("zstd", "{'level': '3'}", "/level", "found \"3\""),
        wrong("zstd", "{'level': 3, 'checksum': 1}", "/checksum", "expected true or false"),
        wrong("zstd", "{'level': 3, 'window': 1}", "/window", "known are checksum, level"),
        wrong("crc32c", "{'location': 'end'}", "/location", "unknown member \"location\""));
  }

  private static Arguments wrong(String name, String configuration, String where, String what) {
    return arguments(name, configuration, where, what);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("wrongConfigurations")
  void a_wrong_configuration_is_refused_at_its_place(
      String name, String configuration, String where, String what) {
    String json = "{'name': '" + name + "', 'configuration': " + configuration + "}";
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> Codecs.of(Codec.class, json))
        .withMessageContaining(what)
        .satisfies(
            error ->
                assertThat(error.location().jsonPointer())
                    .isEqualTo("/codecs/1/configuration" + where));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'bytes'",
        "{'name': 'bytes'}",
        "{'name': 'bytes', 'configuration': {}}",
        "{'name': 'bytes', 'configuration': {'endian': 'big'}}",
        "{'name': 'transpose', 'configuration': {'order': []}}",
        "{'name': 'transpose', 'configuration': {'order': [2, 0, 1]}}",
        "{'name': 'gzip', 'configuration': {'level': 0}}",
        "{'name': 'gzip', 'configuration': {'level': 9}}",
        "{'name': 'zstd', 'configuration': {'level': -131072}}",
        "{'name': 'zstd', 'configuration': {'level': 22, 'checksum': true}}",
        "'crc32c'",
        "{'name': 'crc32c', 'configuration': {}}",
        "{'name': 'crc32c', 'must_understand': false}",
      })
  void every_legal_form_is_read(String json) {
    Codec codec = Codecs.of(Codec.class, json);
    assertThat(json).contains(codec.name());
    assertThat(Codecs.of(Codec.class, codec.configuration().toJson().toString()).configuration())
        .as("written and read again")
        .isEqualTo(codec.configuration());
  }

  @Test
  void the_old_name_of_bytes_is_read_and_written_as_bytes() {
    Codec codec =
        Codecs.of(Codec.class, "{'name': 'endian', 'configuration': {'endian': 'little'}}");
    assertThat(codec.name()).isEqualTo("bytes");
    assertThat(codec.configuration().toJson())
        .hasToString("{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}");
    assertThat(codec.configuration().source().location().jsonPointer()).isEqualTo("/codecs/1");
  }

  @Test
  void the_standard_registry_finds_the_core_codecs() {
    assertThat(CodecRegistry.standard().names())
        .containsAll(List.of("bytes", "crc32c", "endian", "gzip", "transpose", "zstd"));
  }
}
