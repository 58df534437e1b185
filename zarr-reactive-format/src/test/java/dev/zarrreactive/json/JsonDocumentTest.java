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
  void whatIsReadIsWrittenAgainAsItWasSpelled(String json) {
    assertThat(parse(json).value()).hasToString(json);
  }

  @Test
  void membersKeepTheirOrder() {
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
  void outsideOfAttributesTheRulesAreStrict(String json, String pointer, String message) {
    refused(json, pointer).hasMessageContaining(message);
  }

  @Test
  void belowAttributesOtherProgramsMayWriteWhatTheyLike() {
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
  void aNaNTokenIsWrittenAsItStands() {
    JsonValue attributes = parse("{\"attributes\":{\"a\":NaN}}").value();
    assertThat(attributes).hasToString("{\"attributes\":{\"a\":NaN}}");
  }

  @Test
  void consolidatedAttributesAreAttributesToo() {
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
  void anUnpairedSurrogateStaysAnEscape(String json) {
    assertThat(parse(json).value()).hasToString(json);
    byte[] utf8 = parse(json).value().toPrettyString().getBytes(StandardCharsets.UTF_8);
    assertThat(new String(utf8, StandardCharsets.UTF_8)).doesNotContain("?");
    assertThat(parse(new String(utf8, StandardCharsets.UTF_8)).value())
        .isEqualTo(parse(json).value());
  }

  @Test
  void aPairOfEscapesIsOneCharacter() {
    assertThat(parse("\"\\ud83d\\ude00\"").value()).hasToString("\"\uD83D\uDE00\"");
  }

  @Test
  void inConsolidatedMetadataOtherProgramsMayWriteTokensAnywhere() {
    String text = "{\"consolidated_metadata\":{\"a\":{\"fill_value\":[NaN,-Infinity]},\"b\":NaN}}";
    JsonDocument.Parsed parsed = parsed(text, JsonDocument.Kind.NODE);
    assertThat(parsed.json().value()).hasToString(text);
    assertThat(parsed.accepted().get(Leniency.TOKEN_IN_CONSOLIDATED_METADATA).jsonPointer())
        .isEqualTo("/consolidated_metadata/a/fill_value/0");
    assertThat(parsed.accepted()).hasSize(1);
    refused("{\"x\":" + text + "}", "/x/consolidated_metadata/a/fill_value/0");
  }

  @Test
  void aTokenIsTheFillValueOfAnArrayOfVersion2Alone() {
    String text = "{\"fill_value\":[NaN,Infinity]}";
    JsonDocument.Parsed parsed = parsed(text, JsonDocument.Kind.V2_ARRAY);
    assertThat(parsed.json().value()).hasToString(text);
    assertThat(parsed.accepted()).containsOnlyKeys(Leniency.TOKEN_AS_FILL_VALUE);
    refused(text, "/fill_value/0");
    assertThatThrownBy(() -> parsed("{\"a\":" + text + "}", JsonDocument.Kind.V2_ARRAY))
        .hasMessageContaining("the token NaN");
  }

  @Test
  void anErrorInConsolidatedMetadataLeavesThemOut() {
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
  void aLeadingByteOrderMarkIsSkipped() {
    assertThat(parse("\uFEFF{\"a\":1}").value()).hasToString("{\"a\":1}");
    refused("{\"a\":\uFEFF1}", "").hasMessageContaining("not JSON");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32"})
  void documentsAreUtf8(String charset) {
    refused("{\"a\":1}".getBytes(Charset.forName(charset)), "");
  }

  @Test
  void invalidUtf8IsNotRepaired() {
    byte[] truncated = {'"', (byte) 0xc3, '"'};
    refused(truncated, "").hasMessageContaining("the document is not UTF-8");
    byte[] overlong = {'"', (byte) 0xc0, (byte) 0x80, '"'};
    refused(overlong, "").hasMessageContaining("the document is not UTF-8");
    byte[] surrogate = {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'};
    refused(surrogate, "").hasMessageContaining("the document is not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{} {}", "{}x", "1 2", "{}]", "null,"})
  void nothingFollowsTheDocument(String json) {
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
  void whatIsNotJsonIsSaidWithLineAndColumn(String json) {
    refused(json, "").hasMessageContaining("not JSON: ").hasMessageContaining(" at line ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t", "\uFEFF"})
  void anEmptyDocumentIsSaidToBeEmpty(String json) {
    refused(json, "").hasMessageContaining("the document is empty");
  }

  @Test
  void nestingIsCapped() {
    int depth = JsonDocument.MAX_DEPTH;
    assertThat(parse("[".repeat(depth) + "]".repeat(depth)).value().kind()).isEqualTo("array");
    refused("[".repeat(depth + 1) + "]".repeat(depth + 1), "").hasMessageContaining("not JSON");
    refused("[".repeat(1_000_000), "");
    refused("{\"a\":".repeat(1_000_000), "");
    refused("{\"attributes\":" + "[".repeat(1_000_000), "");
  }

  @Test
  void numbersOfAnySizeAreExact() {
    String digits = "9".repeat(900);
    LocatedJson number = parse("[" + digits + "]").elements().get(0);
    assertThat(number.integer()).isEqualTo(new BigInteger(digits));
  }

  @Test
  void aNumberOfAMillionDigitsIsRefused() {
    refused("[" + "9".repeat(1_000_000) + "]", "").hasMessageContaining("not JSON");
    refused("[0." + "9".repeat(1_000_000) + "]", "").hasMessageContaining("not JSON");
  }

  @Test
  void aLongStringIsNoTrouble() {
    String text = "x".repeat(5_000_000);
    assertThat(parse("\"" + text + "\"").string()).isEqualTo(text);
  }

  @Test
  void theBufferIsLeftAsItWas() {
    byte[] bytes = " {} ".getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.wrap(Arrays.copyOf(bytes, 10), 1, 3).asReadOnlyBuffer();
    assertThat(JsonDocument.parse(buffer, KEY).value()).hasToString("{}");
    assertThat(buffer.position()).isEqualTo(1);
  }

  @Test
  void prettyTextIsIndentedByTwo() {
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
