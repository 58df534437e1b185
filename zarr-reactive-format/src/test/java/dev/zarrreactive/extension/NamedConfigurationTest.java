package dev.zarrreactive.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedConfigurationTest {

  private static NamedConfiguration parse(String json) {
    LocatedJson document =
        JsonDocument.parse(
            ByteBuffer.wrap(("{\"codecs\":[" + json + "]}").getBytes(StandardCharsets.UTF_8)),
            Location.UNKNOWN);
    return NamedConfiguration.parse(document.member("codecs").elements().get(0));
  }

  @Test
  void a_name_alone_stands_for_an_object_with_it() {
    NamedConfiguration shortHand = parse("\"crc32c\"");
    assertThat(shortHand.name()).isEqualTo("crc32c");
    assertThat(shortHand.mustUnderstand()).isTrue();
    assertThat(shortHand.configuration().object()).isEqualTo(JsonObject.EMPTY);
    assertThat(shortHand)
        .isEqualTo(parse("{\"name\":\"crc32c\"}"))
        .isEqualTo(parse("{\"name\":\"crc32c\",\"configuration\":{}}"))
        .isEqualTo(parse("{\"must_understand\":true,\"name\":\"crc32c\"}"))
        .isEqualTo(NamedConfiguration.of("crc32c"))
        .hasToString("{\"name\":\"crc32c\"}");
  }

  @Test
  void the_codecs_of_numcodecs_have_a_configuration_even_where_it_is_empty() {
    assertThat(parse("\"numcodecs.packbits\""))
        .hasToString("{\"name\":\"numcodecs.packbits\",\"configuration\":{}}")
        .isEqualTo(NamedConfiguration.of("numcodecs.packbits"));
  }

  @Test
  void the_configuration_keeps_its_place() {
    NamedConfiguration gzip = parse("{\"name\":\"gzip\",\"configuration\":{\"level\":5}}");
    assertThat(gzip.member("level").integer()).isEqualTo(5);
    assertThat(gzip.member("level").location().jsonPointer())
        .isEqualTo("/codecs/0/configuration/level");
    assertThat(gzip.optional("window")).isNull();
    assertThat(gzip.toJson()).hasToString("{\"name\":\"gzip\",\"configuration\":{\"level\":5}}");
    assertThat(gzip).isNotEqualTo(NamedConfiguration.of("gzip"));
  }

  @Test
  void a_missing_member_is_reported_in_the_configuration_even_where_there_is_none() {
    assertThatThrownBy(() -> parse("\"gzip\"").member("level"))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> assertThat(e.location().jsonPointer()).isEqualTo("/codecs/0/configuration"))
        .hasMessageContaining("the member \"level\" is missing");
  }

  @Test
  void a_reader_may_ignore_what_says_so() {
    NamedConfiguration ignorable = parse("{\"name\":\"x\",\"must_understand\":false}");
    assertThat(ignorable.mustUnderstand()).isFalse();
    assertThat(ignorable.toJson()).hasToString("{\"name\":\"x\",\"must_understand\":false}");
    assertThatThrownBy(() -> ignorable.requireUnderstanding("a data type"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("\"x\": a data type must be understood");
    parse("\"x\"").requireUnderstanding("a data type");
  }

  @Test
  void an_error_names_the_extension_and_its_place() {
    assertThat(parse("\"gzip\"").error("no good")).hasMessage("\"gzip\": no good (at /codecs/0)");
  }

  @Test
  void a_program_may_make_one() {
    JsonObject level = JsonObject.EMPTY.with("level", 5);
    assertThat(NamedConfiguration.of("gzip", level))
        .isEqualTo(parse("{\"name\":\"gzip\",\"configuration\":{\"level\":5}}"))
        .hasSameHashCodeAs(parse("{\"name\":\"gzip\",\"configuration\":{\"level\":5}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "7 | /codecs/0 | expected a name, or an object with the member \"name\", found 7",
        "null | /codecs/0 | found null",
        "[] | /codecs/0 | found array []",
        "{} | /codecs/0 | the member \"name\" is missing",
        "\"\" | /codecs/0 | expected a name, found \"\"",
        "{\"name\":\"\"} | /codecs/0/name | expected a name",
        "{\"name\":7} | /codecs/0/name | expected a string, found 7",
        "{\"name\":\"x\",\"configuration\":null} | /codecs/0/configuration | expected an object, found null",
        "{\"name\":\"x\",\"configuration\":[]} | /codecs/0/configuration | expected an object",
        "{\"name\":\"x\",\"must_understand\":\"false\"} | /codecs/0/must_understand | expected true or false",
        "{\"name\":\"x\",\"must_understand\":0} | /codecs/0/must_understand | expected true or false",
        "{\"name\":\"x\",\"level\":5} | /codecs/0/level | unknown member \"level\"; known are configuration, must_understand, name",
        "{\"id\":\"x\"} | /codecs/0/id | unknown member \"id\"",
      })
  void what_is_no_extension_is_refused(String json, String pointer, String message) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOfSatisfying(
            MetadataException.class, e -> assertThat(e.location().jsonPointer()).isEqualTo(pointer))
        .hasMessageContaining(message);
  }
}
