package dev.zarrreactive.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonDocumentTest {
  private static final Location KEY = Location.ofKey("a/zarr.json");

  private static LocatedJson parse(String json) {
    return parse(json.getBytes(StandardCharsets.UTF_8));
  }

  private static LocatedJson parse(byte[] bytes) {
    return JsonDocument.parse(ByteBuffer.wrap(bytes), KEY);
  }

  private static AbstractThrowableAssert<?, ?> refused(byte[] bytes, String pointer) {
    return assertThatThrownBy(() -> parse(bytes))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.location().storeKey()).isEqualTo("a/zarr.json");
            });
  }

  private static AbstractThrowableAssert<?, ?> refused(String json, String pointer) {
    return refused(json.getBytes(StandardCharsets.UTF_8), pointer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "{\"b\":1,\"a\":[true,false,null,\"x\"]}",
        "[0,-0,1.0,1.00,1e0,1E+0,-1.5e-300,0.1,1e400,123456789012345678901234567890]",
        "[\"\",\"ü\",\"\\u0000\",\"\\\"\\\\\",\"\uD83D\uDE00\"]",
        "{\"\":{\"~/\":[]}}",
      })
  void what_is_read_is_written_again_as_it_was_spelled(String json) {
    assertThat(parse(json).value()).hasToString(json);
  }

  @Test
  void members_keep_their_order() {
    JsonObject object = parse("{\"z\":1,\"a\":2,\"m\":3}").object();
    assertThat(object.members().keySet()).containsExactly("z", "a", "m");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"a\":2} | /a | duplicate member \"a\"",
        "{\"codecs\":[{\"name\":\"x\",\"name\":\"y\"}]} | /codecs/0/name | duplicate member \"name\"",
        "{\"attributes\":{},\"attributes\":{}} | /attributes | duplicate member",
        "{\"fill_value\":NaN} | /fill_value | not JSON: the token NaN",
        "{\"fill_value\":[1,-Infinity]} | /fill_value/1 | not JSON: the token -Infinity",
        "{\"x\":-INF} | /x | the token -Infinity",
      })
  void outside_of_attributes_the_rules_are_strict(String json, String pointer, String message) {
    refused(json, pointer).hasMessageContaining(message);
  }

  @Test
  void below_attributes_other_programs_may_write_what_they_like() {
    LocatedJson document =
        parse("{\"attributes\":{\"a\":[NaN,Infinity,-Infinity],\"b\":1,\"b\":{\"c\":NaN}}}");
    JsonObject attributes = document.member("attributes").object();
    assertThat(attributes.get("a"))
        .isEqualTo(
            JsonArray.of(
                new JsonNumber("NaN"), new JsonNumber("Infinity"), new JsonNumber("-Infinity")));
    assertThat(attributes.get("b"))
        .isEqualTo(parse("{\"attributes\":{\"c\":NaN}}").object().get("attributes"));
  }

  @Test
  void a_nan_token_is_written_as_it_stands() {
    JsonValue attributes = parse("{\"attributes\":{\"a\":NaN}}").value();
    assertThat(attributes).hasToString("{\"attributes\":{\"a\":NaN}}");
  }

  @Test
  void consolidated_attributes_are_attributes_too() {
    JsonValue value =
        parse("{\"consolidated_metadata\":{\"metadata\":{\"a\":{\"attributes\":{\"x\":NaN}}}}}")
            .value();
    assertThat(value)
        .hasToString(
            "{\"consolidated_metadata\":{\"metadata\":{\"a\":{\"attributes\":{\"x\":NaN}}}}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"m\\udcb3 s-1\"",
        "[\"\\ud83d\",\"\\ude00\\ud83d\",\"a\\ud800\\ud800b\",\"\\\\\\udcb3\"]",
        "{\"k\\udfff\":{\"x\":[\"\\ud800\"]}}",
        "{\"\\\\udc00\":\"\uD83D\uDE00\",\"\\udfff\\udfff\":1,\"\\ud800x\":\"\\ud800\\n\\t\"}",
      })
  void an_unpaired_surrogate_stays_an_escape(String json) {
    assertThat(parse(json).value()).hasToString(json);
    byte[] utf8 = parse(json).value().toPrettyString().getBytes(StandardCharsets.UTF_8);
    assertThat(new String(utf8, StandardCharsets.UTF_8)).doesNotContain("?");
    assertThat(parse(new String(utf8, StandardCharsets.UTF_8)).value())
        .isEqualTo(parse(json).value());
  }

  @Test
  void a_pair_of_escapes_is_one_character() {
    assertThat(parse("\"\\ud83d\\ude00\"").value()).hasToString("\"\uD83D\uDE00\"");
  }

  @Test
  void in_consolidated_metadata_other_programs_may_write_tokens_anywhere() {
    String text = "{\"consolidated_metadata\":{\"a\":{\"fill_value\":[NaN,-Infinity]},\"b\":NaN}}";
    JsonDocument.Parsed parsed = parsed(text, JsonDocument.Kind.NODE);
    assertThat(parsed.json().value()).hasToString(text);
    assertThat(parsed.accepted().get(Leniency.TOKEN_IN_CONSOLIDATED_METADATA).jsonPointer())
        .isEqualTo("/consolidated_metadata/a/fill_value/0");
    assertThat(parsed.accepted()).hasSize(1);
    refused("{\"x\":" + text + "}", "/x/consolidated_metadata/a/fill_value/0");
  }

  @Test
  void a_token_is_the_fill_value_of_an_array_of_version_2_alone() {
    String text = "{\"fill_value\":[NaN,Infinity]}";
    JsonDocument.Parsed parsed = parsed(text, JsonDocument.Kind.V2_ARRAY);
    assertThat(parsed.json().value()).hasToString(text);
    assertThat(parsed.accepted()).containsOnlyKeys(Leniency.TOKEN_AS_FILL_VALUE);
    refused(text, "/fill_value/0");
    assertThatThrownBy(() -> parsed("{\"a\":" + text + "}", JsonDocument.Kind.V2_ARRAY))
        .hasMessageContaining("the token NaN");
  }

  @Test
  void an_error_in_consolidated_metadata_leaves_them_out() {
    String text =
        "{\"a\":1,\"consolidated_metadata\":{\"x\":[[1.5,{}],{\"y\":[[true]]}]},\"b\":[2]}";
    JsonDocument.Parsed parsed =
        JsonDocument.parse(
            ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)),
            Location.UNKNOWN,
            6,
            JsonDocument.Kind.NODE);
    assertThat(parsed.json().value()).hasToString("{\"a\":1,\"b\":[2]}");
    assertThat(parsed.consolidatedProblem()).hasMessageContaining("more than 6 values");
  }

  private static JsonDocument.Parsed parsed(String json, JsonDocument.Kind kind) {
    return JsonDocument.parse(
        ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)),
        Location.UNKNOWN,
        Long.MAX_VALUE,
        kind);
  }

  @Test
  void a_leading_byte_order_mark_is_skipped() {
    assertThat(parse("\uFEFF{\"a\":1}").value()).hasToString("{\"a\":1}");
    refused("{\"a\":\uFEFF1}", "").hasMessageContaining("not JSON");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32"})
  void documents_are_utf8(String charset) {
    refused("{\"a\":1}".getBytes(Charset.forName(charset)), "");
  }

  @Test
  void invalid_utf8_is_not_repaired() {
    byte[] truncated = {'"', (byte) 0xc3, '"'};
    refused(truncated, "").hasMessageContaining("the document is not UTF-8");
    byte[] overlong = {'"', (byte) 0xc0, (byte) 0x80, '"'};
    refused(overlong, "").hasMessageContaining("the document is not UTF-8");
    byte[] surrogate = {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'};
    refused(surrogate, "").hasMessageContaining("the document is not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{} {}", "{}x", "1 2", "{}]", "null,"})
  void nothing_follows_the_document(String json) {
    refused(json, "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[1,",
        "{\"a\"",
        "{\"a\":}",
        "{a:1}",
        "{'a':1}",
        "[1,]",
        "{\"a\":1,}",
        "01",
        "+1",
        ".5",
        "5.",
        "0x10",
        "1_000",
        "nul",
        "\"\n\"",
        "\"\\x\"",
        "// c\n1",
        "/* c */1",
        "-",
        "1e",
        "[1 2]",
        "NaNx",
        "True"
      })
  void what_is_not_json_is_said_with_line_and_column(String json) {
    refused(json, "").hasMessageContaining("not JSON: ").hasMessageContaining(" at line ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t", "\uFEFF"})
  void an_empty_document_is_said_to_be_empty(String json) {
    refused(json, "").hasMessageContaining("the document is empty");
  }

  @Test
  void nesting_is_capped() {
    int depth = JsonDocument.MAX_DEPTH;
    assertThat(parse("[".repeat(depth) + "]".repeat(depth)).value().kind()).isEqualTo("array");
    refused("[".repeat(depth + 1) + "]".repeat(depth + 1), "").hasMessageContaining("not JSON");
    refused("[".repeat(1_000_000), "");
    refused("{\"a\":".repeat(1_000_000), "");
    refused("{\"attributes\":" + "[".repeat(1_000_000), "");
  }

  @Test
  void numbers_of_any_size_are_exact() {
    String digits = "9".repeat(900);
    LocatedJson number = parse("[" + digits + "]").elements().get(0);
    assertThat(number.integer()).isEqualTo(new BigInteger(digits));
  }

  @Test
  void a_number_of_a_million_digits_is_refused() {
    refused("[" + "9".repeat(1_000_000) + "]", "").hasMessageContaining("not JSON");
    refused("[0." + "9".repeat(1_000_000) + "]", "").hasMessageContaining("not JSON");
  }

  @Test
  void a_long_string_is_no_trouble() {
    String text = "x".repeat(5_000_000);
    assertThat(parse("\"" + text + "\"").string()).isEqualTo(text);
  }

  @Test
  void the_buffer_is_left_as_it_was() {
    byte[] bytes = " {} ".getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.wrap(Arrays.copyOf(bytes, 10), 1, 3).asReadOnlyBuffer();
    assertThat(JsonDocument.parse(buffer, KEY).value()).hasToString("{}");
    assertThat(buffer.position()).isEqualTo(1);
  }

  @Test
  void pretty_text_is_indented_by_two() {
    assertThat(parse("{\"a\":[1,{\"b\":{}}],\"c\":1.50}").value().toPrettyString())
        .isEqualTo(
            """
            {
              "a": [ 1, {
                "b": { }
              } ],
              "c": 1.50
            }""");
  }
}
