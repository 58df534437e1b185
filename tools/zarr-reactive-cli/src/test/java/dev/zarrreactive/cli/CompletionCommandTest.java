package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts of shells, and pages of the manual. */
class CompletionCommandTest {
  @TempDir Path directory;

  private String printed(String... command) throws Exception {
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(List.of(command))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    return Files.readString(out);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void bash_completes_commands_and_options(String shell) throws Exception {
    CommandRun run = zarr("completion", shell);
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("_complete_zarr", "bashcompinit", "--percentiles");
    assumeThat(Path.of("/bin/bash")).exists();
    Path script = directory.resolve("zarr.bash");
    Files.writeString(script, run.out());
    String test =
        "source %s; compopt() { :; }; COMP_WORDS=(zarr sta); COMP_CWORD=1; _complete_zarr; echo \"${COMPREPLY[@]}\""
            .formatted(script);
    assertThat(printed("/bin/bash", "-c", test).strip()).isEqualTo("stats");
  }

  @Test
  void fish_has_a_line_for_each_command_and_option() {
    String script = zarr("completion", "fish").out();
    assertThat(script)
        .contains(
            "complete -c zarr -n __fish_use_subcommand -f -a rm -d 'Erases an array, or a group"
                + " with everything below it.'\n",
            "complete -c zarr -n '__fish_seen_subcommand_from rm' -s y -l yes -d '",
            "complete -c zarr -n '__fish_seen_subcommand_from stats' -l percentiles -r -d '",
            "complete -c zarr -n '__fish_seen_subcommand_from copy' -l all-files -d '",
            "complete -c zarr -l color -r -d '")
        .doesNotContain("array_path");
    assertThat(script.lines()).allSatisfy(line -> assertThat(line).startsWith("complete -c zarr "));
  }

  private static String shell(String name) {
    Path found =
        Stream.of("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
            .map(place -> Path.of(place, name))
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    assumeThat(found).as("this machine has no " + name).isNotNull();
    return String.valueOf(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zarr sta | stats",
        "zarr stats --perc | --percentiles",
        "zarr stats --verb | --verbose",
        "zarr completion f | fish",
        "zarr help dra | drafts",
        "zarr help conso | consolidate"
      })
  void fish_completes(String typed, String word) throws Exception {
    String fish = shell("fish");
    Path script = directory.resolve("zarr.fish");
    Files.writeString(script, zarr("completion", "fish").out());
    String lines =
        printed(fish, "--no-config", "-c", "source " + script + "; complete -C '" + typed + "'");
    assertThat(lines.lines().map(line -> line.split("\t", -1)[0])).containsExactly(word);
  }

  /** A pseudo-terminal, for zsh completes only what is typed. */
  @Test
  void zsh_completes_what_is_typed() throws Exception {
    String zsh = shell("zsh");
    Path script = directory.resolve("zarr.zsh");
    Files.writeString(script, zarr("completion", "zsh").out());
    Path test = directory.resolve("test.zsh");
    Files.writeString(
        test,
        """
        zmodload zsh/zpty || exit 0
        zpty typed zsh -f -i
        zpty -w typed "zarr() { print -r -- \\"<\\$*>\\"; }; autoload -Uz compinit; compinit -u -D"
        zpty -w typed "source %s; print REA''DY"
        zpty -r typed out '*READY*'
        zpty -w -n typed $'zarr sta\t--perc\t5\n'
        zpty -r typed out '*<stats*>*'
        print -r -- "$out"
        zpty -d typed
        """
            .formatted(script));
    assertThat(printed(zsh, "-f", test.toString())).contains("<stats --percentiles 5>");
  }

  @Test
  void a_page_of_the_manual_is_roff() {
    String page = zarr("help", "--man", "rm").out();
    assertThat(page)
        .startsWith(".TH ZARR-RM 1\n.SH \"NAME\"\nzarr\\-rm \\- Erases an array")
        .contains("\\fBzarr rm\\fR [OPTIONS] PATH\n", ".TP\n\\fB\\-y, \\-\\-yes\\fR\n");
    assertThat(zarr("help", "--man", "copy").out())
        .as("options for which the help has no room")
        .contains("\\fB\\-\\-all\\-files\\fR", "\\fB\\-\\-unshard\\fR");
    assertThat(zarr("help", "--man").out()).doesNotContain("array_path");
    assertThat(zarr("help", "--man").out()).contains("\n.SH \"COMMANDS\"\n", "\\fBinfo\\fR");
  }

  @Test
  void an_unknown_shell_is_wrong_usage() throws IOException {
    CommandRun run = zarr("completion", "tcsh");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("expected bash, zsh, fish; found tcsh");
    assertThat(zarr("completion").exitCode()).isEqualTo(2);
  }
}
