package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.datatype.DataTypes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, errors and exit codes. */
class UsageTest {
  @TempDir Path directory;

  @Test
  void help_names_every_command_and_the_exit_codes() {
    CommandRun run = zarr("--help");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("Usage: zarr", "--array_path=DIR", "--verbose", "info", "tree", "read", "stream")
        .contains("consolidate")
        .contains("demo", "Exit codes: 0 all went well, 1 a failure, 2 wrong usage.");
    assertThat(run.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "tree", "read", "stream", "consolidate", "copy", "demo"})
  void every_command_has_help(String command) {
    CommandRun run = zarr(command, "--help");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("Usage: zarr " + command + " ").doesNotContain("--array_path");
    assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void the_version_is_that_of_the_program_and_of_java() {
    CommandRun run = zarr("--version");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("zarr (zarr-reactive) ")
        .contains("Java " + System.getProperty("java.version"));
  }

  @Test
  void no_command_an_unknown_one_and_an_unknown_option_are_wrong_usage() {
    CommandRun none = zarr();
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err())
        .isEqualTo(
            """
            zarr: error: Missing command: one of info, tree, read, stream, consolidate, copy, demo
            Try 'zarr --help' for more information.
            """);
    assertThat(none.out()).isEmpty();
    assertThat(zarr("inspect").exitCode()).isEqualTo(2);
    assertThat(zarr("info").err()).startsWith("zarr: error: Missing required parameter: 'PATH'");
    assertThat(zarr("info", "--colour", "always", "x").exitCode()).isEqualTo(2);
    assertThat(zarr("info", "--color", "pink", "x").err())
        .startsWith(
            "zarr: error: Invalid value for option '--color': expected auto, always, never;"
                + " found pink\n");
  }

  @Test
  void a_place_that_is_not_there_is_a_failure_of_one_line() {
    CommandRun run = zarr("info", "/no/such/place");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).isEqualTo("zarr: error: /no/such/place: no such directory\n");
  }

  @Test
  void a_scheme_that_nothing_opens_is_a_failure_that_says_what_there_is() {
    for (String command : List.of("info", "tree", "read", "stream", "consolidate")) {
      CommandRun run = zarr(command, "gopher://host/a.zarr?sesame", "--timeout=9s");
      assertThat(run.exitCode()).isOne();
      assertThat(run.err())
          .startsWith("zarr: error: gopher://host/a.zarr: nothing opens gopher: URLs; what can be")
          .contains("http, https", "s3")
          .hasLineCount(1);
    }
    assertThat(zarr("copy", EARTH.toString(), "gopher://host/a").err())
        .contains(" to gopher://host/a: nothing opens gopher: URLs");
  }

  @Test
  void a_file_is_no_directory() {
    CommandRun run = zarr("info", EARTH + "/zarr.json");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("this is a file, not the directory of an array or a group");
  }

  @Test
  void verbose_adds_the_trace() {
    String[] arguments = {"info", directory.toString(), "--verbose"};
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .startsWith("zarr: error: " + directory + ": no array or group here")
        .contains("NodeNotFoundException", "\tat dev.zarrreactive.");
  }

  /** An output that fails after a number of bytes. */
  private static final class FailingOutput extends OutputStream {
    private final AtomicInteger left;
    private final String message;

    FailingOutput(int bytes, String message) {
      this.left = new AtomicInteger(bytes);
      this.message = message;
    }

    @Override
    public void write(int b) throws IOException {
      if (left.getAndDecrement() <= 0) {
        throw new IOException(message);
      }
    }
  }

  private static CommandRun withOutput(OutputStream out, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        ZarrCommand.run(new CommandConsole(out, err, Terminal.NONE), Map.of(), arguments);
    return new CommandRun(exitCode, new byte[0], err.toString(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Broken pipe", "The pipe is being closed"})
  void a_reader_that_has_had_enough_is_no_error(String message) {
    String rgb = EARTH + "/earth/rgb";
    for (String[] arguments :
        new String[][] {
          {"read", "--format", "json", rgb}, {"stream", rgb}, {"info", rgb}, {"--help"}
        }) {
      CommandRun run = withOutput(new FailingOutput(20, message), arguments);
      assertThat(run.exitCode()).isZero();
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  void a_full_disk_is_one() {
    CommandRun run =
        withOutput(new FailingOutput(20, "No space left on device"), "read", EARTH + "/earth/lat");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).isEqualTo("zarr: error: cannot write: No space left on device\n");
  }

  @Test
  void an_interrupt_cancels_and_leaves_nothing_half_written() throws Exception {
    Path array = directory.resolve("array");
    TestArrays.create(
        array, Shape.of(1L << 40), DataTypes.INT8, settings -> settings.chunkShape(1 << 16));
    Path partial = directory.resolve(".out.npy.partial");
    AtomicInteger exitCode = new AtomicInteger(-1);
    Thread waiting =
        new Thread(
            () ->
                exitCode.set(
                    zarr("read", array.toString(), "-o", directory + "/out.npy").exitCode()));
    waiting.start();
    while (!Files.exists(partial) && waiting.isAlive()) {
      Thread.sleep(5);
    }
    waiting.interrupt();
    waiting.join(30_000);
    assertThat(exitCode).hasValue(130);
    assertThat(partial).doesNotExist();
    assertThat(directory.resolve("out.npy")).doesNotExist();
  }
}
