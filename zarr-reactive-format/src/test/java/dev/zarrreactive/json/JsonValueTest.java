package dev.zarrreactive.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.MetadataException;
import org.junit.jupiter.api.Test;

/** JSON values as text. */
class JsonValueTest {
  @Test
  void a_text_is_read_and_numbers_keep_their_spelling() {
    JsonValue value = JsonValue.parse(" {\"a\": [1.50, null, \"é\"],\n \"b\": true} ");
    assertThat(value).hasToString("{\"a\":[1.50,null,\"é\"],\"b\":true}");
  }

  @Test
  void the_text_on_several_lines_is_the_same_value() {
    JsonValue value = JsonValue.parse("{\"a\":{\"b\":[1,2]},\"c\":\"\\ud800\"}");
    assertThat(value.toPrettyString()).contains("{\n  \"a\": {\n    \"b\": ");
    assertThat(JsonValue.parse(value.toPrettyString())).isEqualTo(value);
    assertThat(JsonValue.parse(value.toString())).isEqualTo(value);
  }

  @Test
  void a_text_that_is_no_json_is_refused_with_its_place() {
    assertThatThrownBy(() -> JsonValue.parse("{\"a\": [1, }"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("line 1, column");
    assertThatThrownBy(() -> JsonValue.parse("{\"a\": 1, \"a\": 2}"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("a");
    assertThatThrownBy(() -> JsonValue.parse("")).isInstanceOf(MetadataException.class);
  }
}
