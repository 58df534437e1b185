package dev.zarrreactive.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Every question to a document is answered, or the error says where, what was expected and found.
 */
class LocatedJsonTest {
  private static final LocatedJson DOCUMENT =
      JsonDocument.parse(
          ByteBuffer.wrap(
              ("{\"name\":\"x\",\"on\":true,\"n\":7,\"f\":1.0,\"e\":1e3,\"nothing\":null,"
                      + "\"big\":18446744073709551616,\"list\":[1,[2],-3],\"o\":{\"a/b~c\":1}}")
                  .getBytes(StandardCharsets.UTF_8)),
          Location.ofKey("zarr.json"));

  private static void refused(ThrowingCallable question, String pointer, String statement) {
    assertThatThrownBy(question)
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.location().storeKey()).isEqualTo("zarr.json");
              assertThat(e.statement()).isEqualTo(statement);
            });
  }

  private static LocatedJson member(String name) {
    return DOCUMENT.member(name);
  }

  @Test
  void what_is_there_is_given() {
    assertThat(member("name").string()).isEqualTo("x");
    assertThat(member("on").bool()).isTrue();
    assertThat(member("n").integer()).isEqualTo(7);
    assertThat(member("n").integer(7, 7)).isEqualTo(7);
    assertThat(member("nothing").isNull()).isTrue();
    assertThat(member("name").isNull()).isFalse();
    assertThat(member("big").integer()).hasToString("18446744073709551616");
    assertThat(member("name").oneOf("y", "x")).isEqualTo("x");
    assertThat(DOCUMENT.optional("absent")).isNull();
    assertThat(member("list").elements()).hasSize(3);
    assertThat(member("list").elements().get(1).integers(0, 2)).containsExactly(2);
  }

  @Test
  void pointers_are_escaped() {
    LocatedJson inner = member("o").member("a/b~c");
    assertThat(inner.location().jsonPointer()).isEqualTo("/o/a~1b~0c");
    refused(inner::string, "/o/a~1b~0c", "expected a string, found 1");
  }

  @Test
  void a_missing_member_is_named_at_its_object() {
    refused(() -> member("shape"), "", "the member \"shape\" is missing");
    refused(() -> member("o").member("x"), "/o", "the member \"x\" is missing");
  }

  @Test
  void a_wrong_kind_is_said() {
    refused(() -> member("n").object(), "/n", "expected an object, found 7");
    refused(() -> member("n").member("x"), "/n", "expected an object, found 7");
    refused(() -> member("o").elements(), "/o", "expected an array, found object {\"a/b~c\":1}");
    refused(() -> member("list").string(), "/list", "expected a string, found array [1,[2],-3]");
    refused(() -> member("nothing").string(), "/nothing", "expected a string, found null");
    refused(() -> member("n").bool(), "/n", "expected true or false, found 7");
    refused(
        () -> member("name").oneOf("y", "z"), "/name", "expected one of \"y\", \"z\", found \"x\"");
  }

  @Test
  void an_integer_is_a_number_without_point_and_exponent() {
    refused(() -> member("f").integer(), "/f", "expected an integer, found 1.0");
    refused(() -> member("e").integer(), "/e", "expected an integer, found 1e3");
    refused(() -> member("on").integer(), "/on", "expected an integer, found true");
    refused(() -> member("name").integer(), "/name", "expected an integer, found \"x\"");
  }

  @Test
  void integers_have_bounds() {
    refused(() -> member("n").integer(8, 9), "/n", "expected an integer from 8 to 9, found 7");
    refused(
        () -> member("big").integer(0, Long.MAX_VALUE),
        "/big",
        "expected an integer from 0 to 2^63-1, found 18446744073709551616");
    refused(() -> member("list").integers(0, 9), "/list/1", "expected an integer, found array [2]");
  }

  @Test
  void unknown_members_are_refused_at_their_place_with_what_is_known() {
    refused(
        () -> member("o").allowOnly("b", "a"),
        "/o/a~1b~0c",
        "unknown member \"a/b~c\"; known are a, b");
    refused(
        () -> member("o").allowOnly(),
        "/o/a~1b~0c",
        "unknown member \"a/b~c\"; no member is known here");
    member("o").allowOnly("a/b~c", "x");
  }

  @Test
  void what_was_found_is_cut_short() {
    LocatedJson large = LocatedJson.of(new JsonString("x".repeat(1000)));
    assertThatThrownBy(large::object)
        .hasMessageContaining("found \"" + "x".repeat(76) + "...")
        .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(200));
  }
}
