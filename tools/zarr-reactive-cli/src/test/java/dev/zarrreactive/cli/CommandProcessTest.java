package dev.zarrreactive.cli;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command as a process of its own. */
class CommandProcessTest {
  @TempDir Path directory;

  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);

  @AfterEach
  void close() {
    server.close();
  }

  private String printed(int exitCode, String... arguments) throws Exception {
    return printed(List.of(), exitCode, arguments);
  }

  private String printed(List<String> options, int exitCode, String... arguments) throws Exception {
    Path out = directory.resolve("out");
    Process process = started(options, out, arguments);
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    String text = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(text).isEqualTo(exitCode);
    return text;
  }

  private static Process started(List<String> options, Path out, String... arguments)
      throws IOException {
    return new ProcessBuilder(
            Stream.of(
                    Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()),
                    Stream.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), // starts quickly
                    options.stream(),
                    Stream.of("-cp", classPath(), "dev.zarrreactive.cli.ZarrCommand"),
                    Stream.of(arguments))
                .flatMap(words -> words)
                .toList())
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start();
  }

  /** Without the logging that tests have. */
  private static String classPath() {
    List<String> parts = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    return String.join(
        File.pathSeparator, parts.stream().filter(part -> !part.contains("slf4j")).toList());
  }

  @Test
  void nothing_is_said_but_what_the_command_says() throws Exception {
    server.misbehave(Fault.silence());
    String url = server.uri() + "/a";
    assertThat(printed(1, "info", url, "--timeout=200ms", "--no-retry"))
        .isEqualTo(
            "zarr: error: %s: the request for %s/zarr.json failed: nothing arrived for longer than"
                    .formatted(url, url)
                + " the stall timeout (node /, key zarr.json)\n");
  }

  @Test
  void memory_that_runs_out_on_a_thread_that_can_signal_nothing_ends_the_command()
      throws Exception {
    assertThat(printed(3, "info", "test://exhausted/a"))
        .startsWith("zarr: error: not enough memory: of a test; the heap has at most ")
        .contains("; a larger heap: ZARR_JAVA_OPTS=-Xmx")
        .hasLineCount(1);
  }

  static List<String> readers() {
    return Cases.everyOther(
        3, List.of("stats %s", "stream %s", "copy %s %s-plain --codecs zstd:3 --quiet"));
  }

  @ParameterizedTest
  @MethodSource("readers")
  @Sampled
  void a_chunk_that_the_heap_has_no_room_for_is_read_in_the_heap_that_the_error_names(String line)
      throws Exception {
    Path array = directory.resolve("a");
    TestArrays.create(
            array,
            Shape.of(1 << 26),
            DataTypes.UINT8,
            settings -> settings.chunkShape(1 << 26).compressors(Codecs.zstd(1)))
        .write(Selection.all(), 7)
        .block();
    String[] words = line.formatted(array, array).split(" ");
    String error = printed(List.of("-Xmx64m"), 3, words);
    assertThat(error).startsWith("zarr: error: ").contains("memory").hasLineCount(1);
    Matcher heap = Pattern.compile("ZARR_JAVA_OPTS=(-Xmx[0-9]+m) ").matcher(error);
    assertThat(heap.find()).as(error).isTrue();
    List<String> again = words[0].equals("copy") ? List.of("--overwrite") : List.<String>of();
    printed(
        List.of(heap.group(1)),
        0,
        Stream.concat(Stream.of(words), again.stream()).toArray(String[]::new));
  }

  @Test
  @Sampled
  void shards_larger_than_the_heap_are_copied_into_and_as_they_are() throws Exception {
    Path array = directory.resolve("a");
    int planes = Cases.some(1, 2); // shards of 64 or 128 MiB, decoded
    Shape shape = Shape.of(planes, 8192, 8192);
    TestArrays.create(
            array,
            shape,
            DataTypes.UINT8,
            settings -> settings.chunkShape(1, 512, 1024).uncompressed())
        .write(Selection.all(), 7)
        .block();
    String shards = directory.resolve("b").toString();
    List<String> heap = List.of(planes == 1 ? "-Xmx48m" : "-Xmx64m");
    printed(
        heap,
        0,
        "copy",
        array.toString(),
        shards,
        "--chunks=" + planes + ",256,256",
        "--shards=" + planes + ",8192,8192",
        "--quiet");
    String again = directory.resolve("c").toString();
    printed(heap, 0, "copy", shards, again, "--quiet");
    assertThat(CommandRun.zarr("stats", again).out())
        .contains("mean         7.0", "std          0.0", "missing      0 of");
    if (planes > 1) {
      assertThat(printed(heap, 0, "stats", again)).contains("mean         7.0");
      assertThat(printed(heap, 0, "diff", array.toString(), again, "--quiet")).isEmpty();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void a_copy_that_ctrl_c_interrupts_says_how_to_resume_and_resumes() throws Exception {
    assumeFalse(ignoresInterrupts(), "a job in the background ignores Ctrl-C, as do its processes");
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(16), DataTypes.UINT8).chunkShape(1).uncompressed().build();
    await(
        Zarr.hierarchy(values)
            .createArray("a", metadata)
            .flatMap(array -> array.write(Selection.all(), 7)));
    server.misbehave(
        (asked, usual) ->
            asked.path().equals("a/c/9") ? Fault.silence().apply(asked, usual) : usual);
    String source = server.uri() + "/a";
    String copy = directory.resolve("b").toString();
    Path out = directory.resolve("out");
    Process process = started(List.of(), out, "copy", source, copy);
    eventually("a chunk is copied", () -> Files.exists(Path.of(copy, "c", "0")));
    String text = afterCtrlC(process, out);
    assertThat(text.lines().filter(line -> !line.contains(" % copied,")))
        .containsExactly(
            "zarr: interrupted: "
                + copy
                + " is an unfinished copy; the same command with --resume continues it, with"
                + " --overwrite it starts again");
    assertThat(CommandRun.zarr("info", copy).err()).contains("unfinished copy");
    server.misbehave(Fault.NONE);
    assertThat(CommandRun.zarr("copy", source, copy, "--resume").exitCode()).isZero();
    assertThat(CommandRun.zarr("diff", source, copy).exitCode()).isZero();
  }

  static List<String> interruptible() {
    return Cases.everyOther(
        3,
        List.of(
            "copy SRC NEW.zip | the archive was not written",
            "validate SRC --data | the rest was not checked",
            "diff SRC SRC | the rest was not compared",
            "read SRC -o NEW.npy | NEW.npy was not written",
            "stats SRC | statistics need every element; none are printed",
            "stream SRC | nothing was changed"));
  }

  @ParameterizedTest
  @MethodSource("interruptible")
  @Sampled
  @DisabledOnOs(OS.WINDOWS)
  void ctrl_c_leaves_no_file_behind_and_says_so(String line) throws Exception {
    assumeFalse(ignoresInterrupts(), "a job in the background ignores Ctrl-C, as do its processes");
    Path work = Files.createDirectory(directory.resolve("work"));
    String[] parts = line.replace("NEW", work.resolve("new").toString()).split(" \\| ", -1);
    assertThat(interrupted(parts[0])).isEqualTo(parts[1]);
    assertThat(work).isEmptyDirectory();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void an_append_that_ctrl_c_interrupts_says_how_to_undo_it() throws Exception {
    assumeFalse(ignoresInterrupts(), "a job in the background ignores Ctrl-C, as do its processes");
    Path array = directory.resolve("new");
    TestArrays.create(array, Shape.of(4), DataTypes.UINT8, settings -> settings.chunkShape(1))
        .write(Selection.all(), 3)
        .block();
    assertThat(interrupted("append " + array + " SRC"))
        .isEqualTo(
            "the array may have grown by a part of SRC; the same command with --resume appends all"
                + " of it to the shape [4], zarr resize "
                + array
                + " 4 gives it its shape of before");
    String source = server.uri() + "/a";
    server.misbehave(Fault.NONE);
    CommandRun again = CommandRun.zarr("append", array.toString(), source);
    assertThat(again.exitCode()).isOne();
    assertThat(again.err())
        .contains("an append has begun here and has not ended: the array had the shape [4] and has")
        .contains("; the same command with --resume appends all of SRC to the shape [4]");
    assertThat(CommandRun.zarr("validate", array.toString()).out())
        .contains("zarr.json.partial: left by an unfinished copy, import or append");
    assertThat(CommandRun.zarr("append", array.toString(), source, "--resume").exitCode()).isZero();
    assertThat(array.resolve("zarr.json.partial")).doesNotExist();
    assertThat(CommandRun.zarr("read", array.toString(), "--format=json").out())
        .isEqualTo("3\n".repeat(4) + "7\n".repeat(256));
    assertThat(CommandRun.zarr("append", array.toString(), source, "--resume").err())
        .contains("no append was interrupted here");
    assertThat(CommandRun.zarr("resize", array.toString(), "4").exitCode()).isZero();
    assertThat(CommandRun.zarr("read", array.toString()).out()).endsWith("[3 3 3 3]\n");
  }

  /** The values of SRC are converted, and all of them are checked first. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void an_append_that_ctrl_c_interrupts_while_it_checks_has_changed_nothing() throws Exception {
    assumeFalse(ignoresInterrupts(), "a job in the background ignores Ctrl-C, as do its processes");
    Path array = directory.resolve("new");
    TestArrays.create(
            array,
            Shape.of(4),
            DataTypes.UINT8,
            settings -> settings.chunkShape(1).attributes(JsonObject.EMPTY.with("scale_factor", 2)))
        .write(Selection.all(), 3)
        .block();
    assertThat(interrupted("append " + array + " SRC")).isEqualTo("nothing was changed");
    assertThat(array.resolve("zarr.json.partial")).doesNotExist();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void a_killed_import_leaves_no_array_and_resumes() throws Exception {
    Path file = directory.resolve("x.bin");
    byte[] data = new byte[8000];
    Arrays.fill(data, (byte) 5);
    Files.write(file, data);
    String array = directory.resolve("new.zarr/a").toString();
    String[] line = {
      "import", file.toString(), array, "--dtype=uint8", "--shape=8000", "--chunks=1"
    };
    Process process = started(List.of(), directory.resolve("out"), line);
    eventually("a chunk is stored", () -> Files.exists(Path.of(array, "c", "0")));
    process.destroyForcibly();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(CommandRun.zarr("info", array).err()).contains("an unfinished copy or import");
    assertThat(CommandRun.zarr(line).err()).contains("--resume continues an unfinished import");
    String[] resumed = Arrays.copyOf(line, line.length + 1);
    resumed[line.length] = "--resume";
    assertThat(CommandRun.zarr(resumed).exitCode()).isZero();
    assertThat(CommandRun.zarr("read", array, "--format=raw").output()).isEqualTo(data);
    assertThat(CommandRun.zarr("tree", directory.resolve("new.zarr").toString()).out())
        .contains("a  uint8 [8000]");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void ctrl_c_at_the_question_of_rm_erases_nothing_and_says_so() throws Exception {
    assumeFalse(ignoresInterrupts(), "a job in the background ignores Ctrl-C, as do its processes");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script makes a terminal");
    Path array = directory.resolve("new");
    TestArrays.create(array, Shape.of(4), DataTypes.UINT8, settings -> settings.chunkShape(1));
    Path out = directory.resolve("out");
    String command =
        Path.of(System.getProperty("java.home"), "bin", "java")
            + " -cp "
            + classPath()
            + " dev.zarrreactive.cli.ZarrCommand rm "
            + array;
    Process process =
        new ProcessBuilder("/usr/bin/script", "-qec", command, "/dev/null")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    eventually("the question", () -> text(out).contains("? [y/N]"));
    process.getOutputStream().write(3); // Ctrl-C
    process.getOutputStream().flush();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(text(out)).contains("zarr: interrupted: nothing was erased");
    assertThat(array.resolve("zarr.json")).exists();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Presses Ctrl-C when a request for a chunk of SRC gets no answer; returns the advice. */
  private String interrupted(String line) throws Exception {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(256), DataTypes.UINT8).chunkShape(1).uncompressed().build();
    await(
        Zarr.hierarchy(values)
            .createArray("a", metadata)
            .flatMap(array -> array.write(Selection.all(), 7)));
    server.misbehave(
        (asked, usual) ->
            asked.path().equals("a/c/200") ? Fault.silence().apply(asked, usual) : usual);
    Path out = directory.resolve("out");
    Process process =
        started(List.of(), out, line.replace("SRC", server.uri() + "/a").split(" ", -1));
    eventually(
        "the request without an answer",
        () -> server.requests().stream().anyMatch(request -> request.path().equals("a/c/200")));
    String text = afterCtrlC(process, out);
    List<String> said = text.lines().filter(each -> each.startsWith("zarr: ")).toList();
    assertThat(said).as(text).hasSize(1);
    assertThat(said.get(0)).startsWith("zarr: interrupted: ");
    return said.get(0).substring("zarr: interrupted: ".length());
  }

  /** Presses Ctrl-C; returns the text of the command when it has ended. */
  private static String afterCtrlC(Process process, Path out) throws Exception {
    Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    String text = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(text).isEqualTo(130);
    return text;
  }

  /**
   * Returns true where this process was started with SIGINT ignored, which its children inherit.
   */
  private static boolean ignoresInterrupts() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
  }
}
