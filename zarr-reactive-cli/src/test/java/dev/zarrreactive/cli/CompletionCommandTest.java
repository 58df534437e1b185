package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
            "complete -c zarr -l color -r -d '")
        .doesNotContain("array_path");
    assertThat(script.lines()).allSatisfy(line -> assertThat(line).startsWith("complete -c zarr "));
  }

  @Test
  void a_page_of_the_manual_is_roff() {
    String page = zarr("help", "--man", "rm").out();
    assertThat(page)
        .startsWith(".TH ZARR-RM 1\n.SH \"NAME\"\nzarr\\-rm \\- Erases an array")
        .contains("\\fBzarr rm\\fR [OPTIONS] PATH\n", ".TP\n\\fB\\-y, \\-\\-yes\\fR\n");
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
