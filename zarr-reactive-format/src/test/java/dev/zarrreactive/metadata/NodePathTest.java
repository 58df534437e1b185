package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodePathTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          '',      /,      zarr.json
          /,       /,      zarr.json
          foo,     /foo,   foo/zarr.json
          /foo,    /foo,   foo/zarr.json
          a/b/c,   /a/b/c, a/b/c/zarr.json
          """)
  void a_path_may_be_written_without_its_slash(String text, String path, String documentKey) {
    assertThat(NodePath.of(text).value()).isEqualTo(path);
    assertThat(NodePath.of(text).documentKey().value()).isEqualTo(documentKey);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c",
        "0",
        "a b",
        ".a",
        "a.",
        "..a",
        "_",
        "_x",
        "é",
        "日本",
        "a\\b",
        "Zarr.json",
        "%2e"
      })
  void a_name_may_be_anything_else(String name) {
    assertThat(NodePath.isNodeName(name)).isTrue();
    assertThat(NodePath.of("g/" + name).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          '',         is empty
          .,          consists of periods
          ..,         consists of periods
          """)
  void these_names_are_forbidden(String name, String why) {
    assertThat(NodePath.isNodeName(name)).isFalse();
    for (String path : new String[] {"/" + name + "/a", "a/" + name + "/b"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> NodePath.of(path))
          .withMessageContaining("\"" + name + "\" in \"" + NodePathTest.slashed(path) + "\" ")
          .withMessageContaining(why);
    }
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          ...,        consists of periods
          __x,        reserves
          __,         reserves
          __zarr,     reserves
          zarr.json,  metadata document
          """)
  void zarr_3_reserves_names_and_zarr_2_does_not(String name, String why) {
    assertThat(NodePath.isNodeName(name)).isTrue();
    for (String text : new String[] {name, "a/" + name, name + "/b"}) {
      NodePath path = NodePath.of(text);
      assertThat(path.hasReservedName()).isTrue();
      path.checkNames(2);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> path.checkNames(3))
          .withMessageContaining("\"" + name + "\" in \"/" + text + "\" ")
          .withMessageContaining(why);
    }
  }

  @Test
  void other_names_are_free_in_both() {
    for (String text : List.of("", "_x", "a/x__", ".zarray", "..a", "zarr.json5")) {
      assertThat(NodePath.of(text).hasReservedName()).isFalse();
      NodePath.of(text).checkNames(3);
    }
  }

  private static String slashed(String path) {
    return path.startsWith("/") ? path : "/" + path;
  }

  @Test
  void a_name_holds_no_slash_and_no_nul() {
    assertThat(NodePath.isNodeName("a/b")).isFalse();
    assertThat(NodePath.isNodeName("a\0b")).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> NodePath.of("a\0b"));
  }

  @Test
  void a_name_holds_no_half_of_a_character() {
    assertThat(NodePath.isNodeName("a\uD83D\uDE00")).isTrue();
    for (String half : new String[] {"\uD83D", "a\uDE00b", "\uDE00\uD83D"}) {
      assertThat(NodePath.isNodeName(half)).isFalse();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> NodePath.of("a/" + half))
          .withMessageContaining("unpaired surrogate");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"//", "a/", "/a/", "//a", "a//b"})
  void no_part_of_a_path_is_empty(String path) {
    assertThatIllegalArgumentException().isThrownBy(() -> NodePath.of(path));
  }

  @Test
  void a_path_knows_its_surroundings() {
    NodePath path = NodePath.of("a/b");
    assertThat(path.parent()).isEqualTo(NodePath.of("a"));
    assertThat(path.parent().parent()).isEqualTo(NodePath.ROOT);
    assertThat(NodePath.ROOT.parent()).isEqualTo(NodePath.ROOT);
    assertThat(NodePath.ROOT.name()).isEmpty();
    assertThat(path.prefix().value()).isEqualTo("a/b/");
    assertThat(NodePath.ROOT.prefix().value()).isEmpty();
    assertThat(path.key("c/0").value()).isEqualTo("a/b/c/0");
    assertThat(NodePath.ROOT.key("c/0").value()).isEqualTo("c/0");
    assertThat(path.resolve("c/d")).isEqualTo(NodePath.of("a/b/c/d"));
    assertThat(path.resolve("")).isEqualTo(path);
    assertThat(NodePath.ROOT.resolve("c")).isEqualTo(NodePath.of("c"));
    assertThatIllegalArgumentException().isThrownBy(() -> path.resolve("../c"));
    assertThatIllegalArgumentException().isThrownBy(() -> path.resolve("/c"));
  }
}
