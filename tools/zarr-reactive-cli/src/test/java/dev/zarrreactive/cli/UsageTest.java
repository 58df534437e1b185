package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.io.BufferedOutputStream;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, errors and exit codes. */
class UsageTest {
  private static final List<String> COMMANDS =
      List.copyOf(ZarrCommand.fullModel().getSubcommands().keySet());

  @TempDir Path directory;

  @Test
  void help_names_every_command_the_few_options_of_all_and_the_exit_codes() {
    CommandRun run = zarr("--help");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("Example: zarr info earth.zarr/earth/relief\n\nUsage: zarr COMMAND [OPTIONS]\n")
        .containsSubsequence("Commands:\n", "  info ", "  help ", "\n      --color=WHEN ")
        .contains("--verbose", "zarr help urls, zarr help drafts.")
        .contains("Exit codes: 0 success; 1 failure, findings or differences; 2 wrong usage; 3 not")
        .contains("130 interrupted by Ctrl-C.")
        .doesNotContain("--array_path", "--region", "--draft=");
    COMMANDS.forEach(command -> assertThat(run.out()).contains("\n  " + command + " "));
    assertThat(run.err()).isEmpty();
  }

  static List<String> commands() {
    return COMMANDS;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void the_help_of_a_command_fits_a_screen_and_begins_with_an_example(String command) {
    CommandRun run = zarr(command, "--help");
    assertThat(run.exitCode()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSizeLessThanOrEqualTo(30);
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    int end = lines.indexOf("");
    assertThat(lines.get(0)).startsWith(end == 1 ? "Example: zarr " : "Examples: zarr ");
    assertThat(lines.subList(0, end))
        .allSatisfy(line -> assertThat(line).contains(" zarr " + command + " "));
    assertThat(lines.get(end + 1)).startsWith("Usage: zarr " + command + " ");
    assertThat(run.out())
        .endsWith("\n\nFurther options: zarr help urls, zarr help drafts, zarr --help.\n")
        .doesNotContain("--array_path", "--region", "--draft=", "--verbose");
  }

  @Test
  void the_options_of_urls_and_drafts_have_pages_of_their_own() {
    CommandRun urls = zarr("help", "urls");
    assertThat(urls.exitCode()).isZero();
    assertThat(urls.out())
        .startsWith("Example: zarr info s3://bucket/earth.zarr --anonymous")
        .contains("--header-env=NAME:VARIABLE", "--anonymous", "--store-option=NAME=VALUE")
        .doesNotContain("--draft", "--verbose");
    CommandRun drafts = zarr("help", "drafts");
    assertThat(drafts.out())
        .startsWith("Example: zarr tree old.zarr --draft 2022")
        .contains("--draft=YEAR", "--fallback-types")
        .doesNotContain("--region");
    for (CommandRun run : List.of(urls, drafts)) {
      assertThat(run.out().lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
          .hasSizeLessThanOrEqualTo(30);
    }
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
    assertThat(zarr("--quiet").err())
        .isEqualTo(
            """
            zarr: error: Missing command: one of info, header, tree, ls, du, history, init, branch, tag, expire, attrs, read, view, stream, stats, validate, diff, consolidate, copy, migrate, create, ome, import, resize, append, mv, rm, clean, bench, serve, sign, demo, completion, help
            Try 'zarr --help' for more information.
            """);
    assertThat(zarr("inspect").exitCode()).isEqualTo(2);
    assertThat(zarr("info").err()).startsWith("zarr: error: Missing required parameter: 'PATH'");
    assertThat(zarr("info", "--colour", "always", "x").exitCode()).isEqualTo(2);
    assertThat(zarr("info", "--color", "pink", "x").err())
        .startsWith(
            "zarr: error: Invalid value for option '--color': expected auto, always, never;"
                + " found pink\n");
  }

  @Test
  void the_command_alone_is_its_help() {
    CommandRun alone = zarr();
    assertThat(alone.exitCode()).isZero();
    assertThat(alone.out()).isEqualTo(zarr("--help").out()).contains("tree", "serve");
    assertThat(alone.err()).isEmpty();
  }

  @Test
  void a_path_that_begins_with_a_hyphen_is_told_from_an_option() {
    assertThat(zarr("info", "-dash.zarr").err())
        .startsWith(
            "zarr: error: Unknown option: -d; a path that begins with a hyphen is given as ./ and"
                + " the path\n");
    assertThat(zarr("info", "-z").err()).startsWith("zarr: error: Unknown option: -z\n");
  }

  @Test
  void a_data_type_that_is_nearly_right_is_answered_with_the_right_one_alone() {
    String[] types = {"f4", "<f4", "flaot32"};
    for (String type : types) {
      assertThat(zarr("create", "x.zarr", "--shape=4", "--dtype=" + type).err())
          .startsWith("zarr: error: unknown data type \"" + type + "\" (did you mean float32?)\n");
    }
    assertThat(zarr("create", "x.zarr", "--shape=4", "--dtype=quaternion").err())
        .contains("; available: bfloat16, ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "foo-bar | No such command: foo-bar; it is one of info, header,",
        "generate-completion | No such command: generate-completion; it is one of info,",
        "conslidate | No such command: conslidate (did you mean consolidate?); it is one of",
        "lst | No such command: lst (did you mean ls?); it",
        "Bearer-9f8e7d6c5b4a | Missing command: one of info, header,",
      })
  void an_unknown_command_is_named_with_what_there_is(String word, String message) {
    CommandRun run = zarr(word);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("zarr: error: " + message);
  }

  @Test
  void help_is_a_command_too() {
    assertThat(zarr("help").out()).isEqualTo(zarr("--help").out());
    assertThat(zarr("help", "copy").out()).isEqualTo(zarr("copy", "--help").out());
    assertThat(zarr("help").exitCode()).isZero();
    CommandRun unknown = zarr("help", "cpy");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err())
        .startsWith("zarr: error: No help on this word; it is on the commands info, ");
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 110, 160})
  @Sampled
  void help_is_as_wide_as_the_terminal(int columns) {
    Terminal terminal =
        new Terminal(false, true, true, columns, 24, Colours.NONE, false, StandardCharsets.UTF_8);
    for (String command : Cases.everyOther(4, columns / 10 % 4, COMMANDS)) {
      assertThat(CommandRun.on(terminal, command, "--help").out().lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
    }
    String urls = CommandRun.on(terminal, "help", "urls").out();
    assertThat(urls.lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns))
        .anySatisfy(line -> assertThat(line).hasSizeGreaterThan(columns * 3 / 4));
  }

  @Test
  void an_argument_is_echoed_without_control_characters() {
    for (String[] arguments :
        new String[][] {
          {"info", directory + "/\u001b[2Jgone"},
          {"read", directory.toString(), "-o", "a\u001b[2J.tsv"},
          {"info", directory.toString(), "--color", "\u001b[2J"},
          {"info", directory + "/\u001b[2Jgone", "--verbose"}
        }) {
      CommandRun run = zarr(arguments);
      assertThat(run.exitCode()).isNotZero();
      assertThat(run.err()).contains("\\u001b[2J").doesNotContain("\u001b");
    }
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
  void a_codec_that_the_command_leaves_out_is_refused_with_the_line_that_has_it()
      throws IOException {
    TestArrays.create(directory, Shape.of(4, 4), DataTypes.UINT8, settings -> settings);
    Path document = directory.resolve("zarr.json");
    String jpeg = "\"codecs\":[{\"name\":\"imagecodecs_jpeg\"}]";
    String text = Files.readString(document).replaceFirst("\"codecs\": *\\[[^]]*]", jpeg);
    assertThat(text).contains(jpeg);
    Files.writeString(document, text);
    CommandRun run = zarr("read", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .contains("the codec \"imagecodecs_jpeg\" needs the artifact dev.zarrreactive:")
        .contains("; the command has it where its jar is given, too: java -cp zarr.jar")
        .endsWith("zarr-reactive-images.jar dev.zarrreactive.cli.ZarrCommand\n")
        .hasLineCount(1);
  }

  @Test
  void a_file_is_no_directory() throws IOException {
    Path file = Files.writeString(directory.resolve("words.txt"), "words");
    CommandRun run = zarr("info", file.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("this is a file, not the directory of an array or a group");
  }

  @Test
  void verbose_adds_the_trace() {
    String[] arguments = {"info", directory.toString(), "--verbose"};
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .startsWith("zarr: error: " + directory + ": not a Zarr directory")
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
  void a_reader_that_closes_the_pipe_is_no_error(String message) {
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
  void a_buffer_that_fails_twice_is_reported_once() {
    for (String format : List.of("json", "raw", "text")) {
      CommandRun run =
          withOutput(
              new BufferedOutputStream(new FailingOutput(0, "No space left on device"), 100),
              "read",
              EARTH + "/earth/lat",
              "--format",
              format);
      assertThat(run.exitCode()).isOne();
      assertThat(run.err()).isEqualTo("zarr: error: cannot write: No space left on device\n");
    }
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
