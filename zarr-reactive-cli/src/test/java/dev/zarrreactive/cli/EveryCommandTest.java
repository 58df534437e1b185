package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command with an argument that is wrong, and with input that is broken. */
class EveryCommandTest {
  @TempDir Path directory;

  static Set<String> commands() {
    return ZarrCommand.fullModel().getSubcommands().keySet();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void an_unknown_option_is_wrong_usage(String command) {
    List<String> words = new ArrayList<>(List.of(command, "--no-such-option"));
    ZarrCommand.fullModel()
        .getSubcommands()
        .get(command)
        .getCommandSpec()
        .positionalParameters()
        .stream()
        .filter(parameter -> parameter.required())
        .forEach(parameter -> words.add("1"));
    CommandRun run = zarr(words.toArray(String[]::new));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("zarr: error: Unknown option: --no-such-option\n")
        .endsWith("Try 'zarr " + command + " --help' for more information.\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "info BROKEN",
        "header BROKEN",
        "tree BROKEN",
        "ls MISSING",
        "attrs BROKEN",
        "read BROKEN",
        "view BROKEN",
        "stream BROKEN",
        "stats BROKEN",
        "diff BROKEN BROKEN",
        "consolidate BROKEN",
        "copy BROKEN NEW",
        "create NEW --metadata BROKEN/zarr.json",
        "import BROKEN/zarr.json NEW --from npy",
        "resize BROKEN 3",
        "append BROKEN BROKEN",
        "mv MISSING other",
        "rm MISSING --yes",
        "clean MISSING",
        "bench BROKEN",
        "serve MISSING",
        "demo --save BROKEN/zarr.json",
      })
  void broken_input_is_an_error_on_one_line(String line) throws Exception {
    Path broken = Files.createDirectory(directory.resolve("broken"));
    Files.writeString(broken.resolve("zarr.json"), "{\"zarr_format\": 3,");
    List<String> words = new ArrayList<>();
    for (String word : line.split(" ", -1)) {
      words.add(
          word.replace("BROKEN", broken.toString())
              .replace("MISSING", directory.resolve("missing").toString())
              .replace("NEW", directory.resolve("new").toString()));
    }
    CommandRun run = zarr(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isOne();
    assertThat(run.err())
        .startsWith("zarr: error: " + directory)
        .doesNotContain("internal error", "Exception")
        .hasLineCount(1);
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(Files.readString(broken.resolve("zarr.json"))).isEqualTo("{\"zarr_format\": 3,");
  }

  @Test
  void broken_input_is_a_finding_of_validate() throws Exception {
    Files.writeString(directory.resolve("zarr.json"), "{\"zarr_format\": 3,");
    CommandRun run = zarr("validate", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).startsWith("/: ").endsWith("Checked 1 node: 1 finding.\n");
  }
}
