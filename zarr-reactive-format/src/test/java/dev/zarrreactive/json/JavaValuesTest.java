package dev.zarrreactive.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attributes in Java's types, and back. */
class JavaValuesTest {
  private static final JsonObject ATTRIBUTES =
      JsonObject.EMPTY
          .with("units", "K")
          .with("scale", new JsonNumber("0.01"))
          .with("offset", 273)
          .with("missing", JsonNull.NULL)
          .with("nan", new JsonNumber("NaN"))
          .with("low", new JsonNumber("-Infinity"))
          .with("ok", true)
          .with("large", new JsonNumber("18446744073709551615"))
          .with(
              "range",
              JsonArray.of(JsonNumber.of(1), new JsonNumber("2.5"), JsonNull.NULL, JsonArray.of()))
          .with("nested", JsonObject.EMPTY.with("a", JsonObject.EMPTY.with("b", 1)));

  @Test
  void members_have_accessors_by_kind() {
    assertThat(ATTRIBUTES.string("units")).contains("K");
    assertThat(ATTRIBUTES.number("scale")).hasValue(0.01);
    assertThat(ATTRIBUTES.number("offset")).hasValue(273);
    assertThat(ATTRIBUTES.number("nan")).hasValue(Double.NaN);
    assertThat(ATTRIBUTES.number("low")).hasValue(Double.NEGATIVE_INFINITY);
    assertThat(ATTRIBUTES.integer("offset")).hasValue(273);
    assertThat(ATTRIBUTES.bool("ok")).contains(true);
    assertThat(ATTRIBUTES.list("range").orElseThrow()).containsExactly(1L, 2.5, null, List.of());
  }

  @Test
  void missing_members_and_null_are_empty() {
    for (String name : List.of("none", "missing")) {
      assertThat(ATTRIBUTES.string(name)).isEmpty();
      assertThat(ATTRIBUTES.number(name)).isEmpty();
      assertThat(ATTRIBUTES.integer(name)).isEmpty();
      assertThat(ATTRIBUTES.bool(name)).isEmpty();
      assertThat(ATTRIBUTES.list(name)).isEmpty();
    }
  }

  @Test
  void a_member_of_another_kind_is_named() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ATTRIBUTES.string("offset"))
        .withMessage("the member \"offset\" is not a string, but the number 273");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ATTRIBUTES.number("units"))
        .withMessage("the member \"units\" is not a number, but the string \"K\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ATTRIBUTES.integer("scale"))
        .withMessageContaining("is not an integer, but the number 0.01");
    assertThatIllegalArgumentException().isThrownBy(() -> ATTRIBUTES.integer("nan"));
    assertThatIllegalArgumentException().isThrownBy(() -> ATTRIBUTES.bool("units"));
    assertThatIllegalArgumentException().isThrownBy(() -> ATTRIBUTES.list("nested"));
    assertThatThrownBy(() -> ATTRIBUTES.integer("large")).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void an_object_is_a_map() {
    Map<String, Object> map = ATTRIBUTES.toMap();
    assertThat(map.keySet()).containsExactlyElementsOf(ATTRIBUTES.members().keySet());
    assertThat(map)
        .containsEntry("units", "K")
        .containsEntry("scale", 0.01)
        .containsEntry("offset", 273L)
        .containsEntry("missing", null)
        .containsEntry("large", BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE))
        .containsEntry("nested", Map.of("a", Map.of("b", 1L)));
    assertThatThrownBy(() -> map.put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(JsonObject.ofMap(map)).isEqualTo(ATTRIBUTES);
  }

  @Test
  void a_map_is_an_object() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("z", "text");
    map.put("numbers", new double[] {1, Double.NaN, Double.POSITIVE_INFINITY});
    map.put("more", List.of(1, (short) 2, (byte) 3, 4L, 0.5f, new BigDecimal("1.10")));
    map.put("nothing", null);
    map.put("holes", Arrays.asList("a", null));
    map.put("texts", new String[] {"b"});
    map.put("json", JsonNumber.of(7));
    map.put("map", Map.of("deep", true));
    assertThat(JsonObject.ofMap(map))
        .hasToString(
            "{\"z\":\"text\",\"numbers\":[1.0,NaN,Infinity],\"more\":[1,2,3,4,0.5,1.10],"
                + "\"nothing\":null,\"holes\":[\"a\",null],\"texts\":[\"b\"],\"json\":7,"
                + "\"map\":{\"deep\":true}}");
  }

  @Test
  void values_without_json_are_refused_with_their_place() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> JsonObject.ofMap(Map.of("times", List.of("x", Map.of("at", Instant.EPOCH)))))
        .withMessageStartingWith("a java.time.Instant has no JSON (at /times/1/at); strings");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonObject.ofMap(Map.of("m", Map.of(1, 2))))
        .withMessage("the keys of a JSON object are strings, not 1 (at /m)");
    List<Object> itself = new ArrayList<>();
    itself.add(itself);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonObject.ofMap(Map.of("loop", itself)))
        .withMessage("the value is nested deeper than 256");
  }
}
