package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --draft}, {@code --fallback-types} and {@code --strict}. */
class DraftOptionsTest {
  private static final String URI = "https://purl.org/zarr/spec/protocol/core/3.0";

  @TempDir Path directory;

  private String of2022() {
    put(
        "old/zarr.json",
        "{'zarr_format': '%s', 'metadata_encoding': '%s', 'extensions': []}".formatted(URI, URI));
    put(
        "old/meta/root/g/a.array.json",
        "{'shape': [3], 'data_type': 'u1', 'chunk_memory_layout': 'C', 'fill_value': 7,"
            + " 'chunk_grid': {'type': 'regular', 'chunk_shape': [2], 'separator': '/'},"
            + " 'extensions': [], 'attributes': {}}");
    put("old/data/root/g/a/c0", "AB");
    return directory.resolve("old").toString();
  }

  private String of2023(String dataType) {
    put(
        "new/zarr.json",
        ("{'zarr_format': 3, 'node_type': 'array', 'shape': [3], 'data_type': %s,"
                + " 'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': [3]}},"
                + " 'chunk_key_encoding': {'name': 'default'}, 'fill_value': 7}")
            .formatted(dataType));
    return directory.resolve("new").toString();
  }

  @Test
  void a_node_of_the_2022_draft_is_named_behind_its_hierarchy() {
    String old = of2022();
    CommandRun tree = zarr("tree", old, "--draft", "2022");
    assertThat(tree.exitCode()).isZero();
    assertThat(tree.out())
        .isEqualTo(
            """
            %s
            └── g
                └── a  uint8 [3]
            """
                .formatted(old));
    CommandRun info = zarr("info", old + "/g/a", "--draft=2022");
    assertThat(info.out())
        .contains("format       Zarr v3, 2022 draft\n")
        .contains("chunk keys   v2, such as data/root/g/a/c1\n");
    assertThat(zarr("info", old + "/g", "--draft=2022").out()).contains("1 (0 groups, 1 array)");
    assertThat(zarr("read", old + "/g/a", "--draft=2022").out())
        .isEqualTo("uint8 [3]\n[65 66  7]\n");
    assertThat(zarr("stream", old + "/g/a", "--draft=2022").exitCode()).isZero();
    assertThat(zarr("--draft=2022", "--array_path=" + old + "/g/a").out()).isEqualTo("65\n66\n7\n");
  }

  @Test
  void the_error_at_a_node_of_the_2022_draft_names_the_option_that_reads_it() {
    String old = of2022();
    assertThat(zarr("read", old + "/g/a").err())
        .contains("no such directory")
        .contains("/old may follow the 2022 draft of Zarr v3, which --draft 2022 reads");
    assertThat(zarr("read", directory + "/none").err()).doesNotContain("draft");
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "tree", "read", "stream"})
  void every_warning_is_printed_once_to_standard_error(String command) {
    CommandRun run = zarr(command, of2023("'uint8'"), "--draft", "2022,2023");
    assertThat(run.exitCode()).isZero();
    assertThat(run.err().lines().filter(line -> line.contains("warning")))
        .singleElement()
        .asString()
        .startsWith("zarr: warning: the member \"codecs\" is missing, as in the 2023 draft")
        .endsWith("(node /, key zarr.json, at the top of the document)");
    assertThat(run.out()).doesNotContain("warning");
  }

  @Test
  void a_tree_warns_of_every_node_that_it_draws() {
    of2023("'uint8'");
    CommandRun run = zarr("tree", directory.toString(), "--draft", "2023");
    assertThat(run.out()).contains("new  uint8 [3]");
    assertThat(run.err().lines())
        .containsExactly(
            "zarr: warning: a group without a document, as in the 2023 draft of Zarr v3 (node /,"
                + " key zarr.json, at the top of the document)",
            "zarr: warning: the member \"codecs\" is missing, as in the 2023 draft of Zarr v3"
                + " (node /new, key new/zarr.json, at the top of the document)");
  }

  @Test
  void without_the_option_the_error_names_it() {
    assertThat(zarr("info", of2022()).err()).contains("2022 draft", "--draft 2022");
    assertThat(zarr("info", of2022() + "/g/a").err()).contains("no such directory");
    assertThat(zarr("read", of2023("'uint8'")).err()).contains("2023 draft", "--draft 2023");
    assertThat(zarr("info", "--draft", "2021", "x").err())
        .startsWith(
            "zarr: error: Invalid value for option '--draft' (YEAR): expected 2022 or 2023;"
                + " found 2021");
    assertThat(zarr("info", of2022() + "/g/b", "--draft=2022").err())
        .contains("no array or group at /g/b");
    assertThat(zarr("info", directory + "/nothing/x", "--draft=2022").err())
        .contains("no such directory");
  }

  @Test
  void a_fallback_data_type_needs_an_option_of_its_own() {
    String path = of2023("{'name': 'unheard-of', 'fallback': 'uint8'}");
    assertThat(zarr("read", path, "--draft=2023").err()).contains("--fallback-types");
    CommandRun run = zarr("read", path, "--draft=2023", "--fallback-types");
    assertThat(run.out()).isEqualTo("uint8 [3]\n[7 7 7]\n");
    assertThat(run.err()).contains("\"unheard-of\" is read as \"uint8\"");
  }

  @Test
  void a_strict_command_refuses_a_node_that_needs_a_leniency() {
    put(
        "v2/.zarray",
        "{'zarr_format': 2, 'shape': [3], 'chunks': [3], 'dtype': '|u1', 'compressor': null,"
            + " 'fill_value': '7', 'order': 'C', 'filters': null}");
    String path = directory.resolve("v2").toString();
    assertThat(zarr("read", path).out()).isEqualTo("uint8 [3]\n[7 7 7]\n");
    CommandRun strict = zarr("read", path, "--strict");
    assertThat(strict.exitCode()).isNotZero();
    assertThat(strict.err()).contains("the options refuse the leniency quoted-fill-value");
  }

  private void put(String file, String text) {
    try {
      Path path = directory.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, text.replace('\'', '"'), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
