package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Each command with an argument that is wrong, and with input that is broken. */
class EveryCommandTest {
  @TempDir Path directory;

  private static final Map<String, CommandLine> COMMANDS = ZarrCommand.fullModel().getSubcommands();

  static Set<String> commands() {
    return COMMANDS.keySet();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void an_unknown_option_is_wrong_usage(String command) {
    List<String> words = new ArrayList<>(List.of(command, "--no-such-option"));
    COMMANDS.get(command).getCommandSpec().positionalParameters().stream()
        .filter(parameter -> parameter.required())
        .forEach(parameter -> words.add("1"));
    CommandRun run = zarr(words.toArray(String[]::new));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("zarr: error: Unknown option: --no-such-option\n")
        .endsWith("Try 'zarr " + command + " --help' for more information.\n");
  }

  private static final List<String> BROKEN =
      List.of(
          "info BROKEN",
          "header BROKEN",
          "tree BROKEN",
          "ls MISSING",
          "du BROKEN",
          "history BROKEN",
          "init BROKEN/zarr.json",
          "branch BROKEN dev",
          "tag BROKEN v1",
          "expire BROKEN --older-than 1d",
          "attrs BROKEN",
          "read BROKEN",
          "view BROKEN",
          "stream BROKEN",
          "stats BROKEN",
          "diff BROKEN BROKEN",
          "consolidate BROKEN",
          "copy BROKEN NEW",
          "migrate BROKEN",
          "create NEW --metadata BROKEN/zarr.json",
          "ome levels BROKEN",
          "import BROKEN/zarr.json NEW --from npy",
          "resize BROKEN 3",
          "append BROKEN BROKEN",
          "mv MISSING other",
          "rm MISSING --yes",
          "clean MISSING",
          "bench BROKEN",
          "serve MISSING",
          "sign http://127.0.0.1/a --expires 1h --key-file BROKEN/zarr.json",
          "demo --save BROKEN/zarr.json");

  static List<String> broken() {
    return BROKEN;
  }

  @Test
  void every_command_with_input_is_tried_with_broken_input() {
    Set<String> tried = new HashSet<>(Set.of("validate", "completion", "help"));
    BROKEN.forEach(line -> tried.add(line.split(" ", -1)[0]));
    assertThat(tried).isEqualTo(commands());
  }

  @ParameterizedTest
  @MethodSource("broken")
  void broken_input_is_an_error_on_one_line(String line) throws Exception {
    Path broken = Files.createDirectory(directory.resolve("broken"));
    Files.writeString(broken.resolve("zarr.json"), "{\"zarr_format\": 3,");
    CommandRun run = run(line);
    assertThat(run.exitCode()).as(run.err()).isOne();
    assertThat(run.err())
        .startsWith("zarr: error: " + directory)
        .doesNotContain("internal error", "Exception")
        .hasLineCount(1);
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(Files.readString(broken.resolve("zarr.json"))).isEqualTo("{\"zarr_format\": 3,");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "read DAMAGED",
        "read DAMAGED -o NEW.npy",
        "read DAMAGED -o NEW.csv",
        "view DAMAGED",
        "view DAMAGED -o NEW.png",
        "stream DAMAGED",
        "stats DAMAGED",
        "diff DAMAGED WHOLE",
        "copy DAMAGED NEW --codecs gzip",
        "append WHOLE DAMAGED",
      })
  void a_chunk_that_is_cut_short_is_an_error_that_names_it(String line) throws Exception {
    for (String name : List.of("damaged", "whole")) {
      TestArrays.copy(CommandRun.EARTH.resolve("earth/relief"), directory.resolve(name));
    }
    cut(directory.resolve("damaged/c/0/0"));
    CommandRun run = run(line);
    assertThat(run.exitCode()).as(run.err()).isOne();
    assertThat(run.err())
        .startsWith("zarr: error: " + directory)
        .contains("c/0/0")
        .doesNotContain("internal error", "Exception")
        .hasLineCount(1);
    for (String suffix : List.of(".npy", ".csv", ".png")) {
      assertThat(directory.resolve("new" + suffix)).doesNotExist();
    }
  }

  @Test
  void a_chunk_that_is_cut_short_is_a_finding_of_validate() throws Exception {
    String copy = directory.resolve("copy").toString();
    TestArrays.copy(CommandRun.EARTH.resolve("earth/relief"), directory.resolve("copy"));
    cut(directory.resolve("copy/c/0/0"));
    CommandRun run = zarr("validate", copy, "--data");
    assertThat(run.exitCode()).isOne();
    assertThat(run.out())
        .contains("c/0/0")
        .endsWith("Checked 1 node and 8 stored chunks: 1 finding.\n");
  }

  /** Runs a line whose words in capitals stand for places in the directory. */
  private CommandRun run(String line) {
    String[] words = line.split(" ", -1);
    for (String place : List.of("BROKEN", "MISSING", "DAMAGED", "WHOLE", "NEW")) {
      String path = directory.resolve(place.toLowerCase(Locale.ROOT)).toString();
      Arrays.setAll(words, i -> words[i].replace(place, path));
    }
    return zarr(words);
  }

  private static void cut(Path chunk) throws IOException {
    byte[] bytes = Files.readAllBytes(chunk);
    Files.write(chunk, Arrays.copyOf(bytes, bytes.length / 2));
  }

  @Test
  void broken_input_is_a_finding_of_validate() throws Exception {
    Files.writeString(directory.resolve("zarr.json"), "{\"zarr_format\": 3,");
    CommandRun run = zarr("validate", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).startsWith("/: ").endsWith("Checked 1 node: 1 finding.\n");
  }

  @Test
  void the_readme_counts_them() throws IOException {
    assertThat(Files.readString(Path.of("../../README.md")))
        .contains("[" + commands().size() + " commands](docs/command.md)");
  }
}
