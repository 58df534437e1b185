package dev.zarrreactive.cli;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(strings = {"stream %s", "stats %s", "copy %s %s-plain --codecs zstd:3 --quiet"})
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
  void shards_larger_than_the_heap_are_copied_into_and_as_they_are() throws Exception {
    Path array = directory.resolve("a");
    Shape shape = Shape.of(2, 8192, 8192); // shards of 128 MiB, decoded
    TestArrays.create(
            array,
            shape,
            DataTypes.UINT8,
            settings -> settings.chunkShape(1, 512, 1024).uncompressed())
        .write(Selection.all(), 7)
        .block();
    String shards = directory.resolve("b").toString();
    List<String> heap = List.of("-Xmx64m");
    printed(
        heap,
        0,
        "copy",
        array.toString(),
        shards,
        "--chunks=2,256,256",
        "--shards=2,8192,8192",
        "--quiet");
    String again = directory.resolve("c").toString();
    printed(heap, 0, "copy", shards, again, "--quiet");
    assertThat(printed(heap, 0, "diff", array.toString(), again, "--quiet")).isEmpty();
    assertThat(printed(heap, 0, "stats", again)).contains("mean         7.0");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void a_copy_that_ctrl_c_interrupts_says_how_to_go_on_and_goes_on() throws Exception {
    assumeFalse(ignoresInterrupts(), "a job in the background ignores Ctrl-C, as do its processes");
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(16), DataTypes.UINT8).chunkShape(1).uncompressed().build();
    await(
        Zarr.createArray(values, "a", metadata).flatMap(array -> array.write(Selection.all(), 7)));
    server.misbehave(
        (asked, usual) ->
            asked.path().equals("a/c/9") ? Fault.silence().apply(asked, usual) : usual);
    String source = server.uri() + "/a";
    String copy = directory.resolve("b").toString();
    Path out = directory.resolve("out");
    Process process = started(List.of(), out, "copy", source, copy);
    eventually("a chunk is copied", () -> Files.exists(Path.of(copy, "c", "0")));
    Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    String text = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(text).isEqualTo(130);
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
