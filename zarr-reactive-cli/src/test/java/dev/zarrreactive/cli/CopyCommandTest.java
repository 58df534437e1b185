package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.datatype.DataTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CopyCommandTest {
  @TempDir Path directory;

  private String in(String name) {
    return directory.resolve(name).toString();
  }

  private static CommandRun good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static String elements(String path) {
    return good("read", "--format", "json", path).out();
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).map(Path::toString).toList();
    }
  }

  @Test
  void a_hierarchy_is_copied_and_a_sentence_says_so() {
    CommandRun run = good("copy", EARTH.toString(), in("earth.zarr"));
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).matches("6 nodes with 58 chunks copied, [0-9.]+ [KM]iB read, in .*s\n");
    assertThat(good("tree", in("earth.zarr")).out().lines().skip(1).toList())
        .isEqualTo(good("tree", EARTH.toString()).out().lines().skip(1).toList());
    assertThat(elements(in("earth.zarr/earth/rgb"))).isEqualTo(elements(EARTH + "/earth/rgb"));
  }

  @Test
  void format_chunks_shards_and_codecs_can_be_others() {
    String relief = EARTH + "/earth/relief";
    good("copy", relief, in("v2"), "--format", "2", "--codecs", "gzip:1");
    assertThat(good("info", in("v2")).out()).contains("gzip", "\"lat\"");
    assertThat(directory.resolve("v2/.zarray")).exists();
    good("copy", in("v2"), in("v3"), "--format", "3", "--chunks", "60,60", "--shards", "180,240");
    assertThat(good("info", in("v3")).out())
        .contains("dimensions   lat, lon", "sharding_indexed", "regular, chunks of")
        .contains("[180, 240]", "gzip");
    good("copy", in("v3"), in("plain"), "--chunks", "90,90", "--codecs", "none");
    assertThat(good("info", in("plain")).out()).doesNotContain("gzip", "sharding");
    good(
        "copy",
        in("v3"),
        in("json"),
        "--codecs",
        "[{\"name\":\"zstd\",\"configuration\":" + "{\"level\":1,\"checksum\":true}},\"crc32c\"]");
    assertThat(good("info", in("json")).out()).contains("zstd", "crc32c", "sharding");
    for (String copy : List.of("v2", "v3", "plain", "json")) {
      assertThat(elements(in(copy))).as(copy).isEqualTo(elements(relief));
    }
  }

  @Test
  void zip_archives_are_read_and_written() throws IOException {
    good("copy", EARTH.toString(), in("earth.zip"));
    assertThat(files(directory)).containsExactly(in("earth.zip"));
    assertThat(good("info", in("earth.zip/earth/lat")).out()).contains("shape        [360]");
    assertThat(good("tree", in("earth.zip")).out()).contains("relief");
    assertThat(elements(in("earth.zip/earth/relief"))).isEqualTo(elements(EARTH + "/earth/relief"));
    assertThat(good("stream", in("earth.zip/earth/lat")).out()).contains("[0]");
    good("copy", in("earth.zip/earth"), in("b.zip"), "--codecs", "zstd");
    assertThat(elements(in("b.zip/relief"))).isEqualTo(elements(EARTH + "/earth/relief"));
    assertThat(good("info", Path.of(in("b.zip")).toUri() + "/lon").out()).contains("[720]");

    CommandRun again = zarr("copy", EARTH.toString(), in("b.zip"));
    assertThat(again.exitCode()).isOne();
    assertThat(again.err()).contains("the archive is there already; --overwrite replaces it");
    good("copy", EARTH + "/earth/lat", in("b.zip"), "--overwrite");
    assertThat(elements(in("b.zip"))).isEqualTo(elements(EARTH + "/earth/lat"));
  }

  @Test
  void a_failure_leaves_no_archive_and_an_old_one_as_it_was() throws IOException {
    TestArrays.write(
        directory.resolve("a"),
        NdArray.ofBytes(DataTypes.INT8, Shape.of(4), (byte) 1, (byte) 2, (byte) 3, (byte) 4),
        array -> array.chunkShape(2));
    good("copy", in("a"), in("old.zip"));
    byte[] old = Files.readAllBytes(directory.resolve("old.zip"));
    Files.write(directory.resolve("a/c/1"), new byte[] {1, 2, 3});
    CommandRun run = zarr("copy", in("a"), in("old.zip"), "--overwrite", "--codecs", "zstd");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).startsWith("zarr: error: " + in("a") + " to " + in("old.zip") + ": ");
    assertThat(Files.readAllBytes(directory.resolve("old.zip"))).isEqualTo(old);
    assertThat(files(directory)).noneMatch(file -> file.contains("partial"));
  }

  @Test
  void what_is_there_is_refused_resumed_or_overwritten() {
    String lat = EARTH + "/earth/lat";
    good("copy", lat, in("lat"));
    CommandRun refused = zarr("copy", lat, in("lat"));
    assertThat(refused.exitCode()).isOne();
    assertThat(refused.err()).contains("a node is here already").endsWith("\n");
    assertThat(good("copy", lat, in("lat"), "--resume").err())
        .startsWith("1 node with 1 chunk (1 of them there already) copied, ");
    CommandRun others = zarr("copy", lat, in("lat"), "--resume", "--codecs", "none");
    assertThat(others.exitCode()).isOne();
    assertThat(others.err()).contains("its metadata differs");
    good("copy", lat, in("lat"), "--overwrite", "--codecs", "none");
    assertThat(elements(in("lat"))).isEqualTo(elements(lat));
  }

  @Test
  void a_bar_on_a_terminal_json_or_nothing() {
    Terminal errorsOnly =
        new Terminal(false, true, 80, 24, Colours.TRUE, false, StandardCharsets.UTF_8);
    String lat = EARTH + "/earth/lat";
    CommandRun bar = CommandRun.on(errorsOnly, "copy", lat, in("bar"));
    assertThat(bar.err()).contains("[##############################] 100 %  1 chunk, ");
    CommandRun json = good("copy", lat, in("json"), "--json");
    assertThat(json.out())
        .matches("\\{\"nodes\":1,\"chunks\":1,\"chunks_skipped\":0,\"bytes_read\":\\d+}\n");
    assertThat(json.err()).isEmpty();
    CommandRun quiet = CommandRun.on(errorsOnly, "copy", lat, in("quiet"), "--quiet");
    assertThat(quiet.out() + quiet.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--format 4 | --format is 2 or 3",
        "--chunks 0,1 | expected a shape such as 100,100; found 0,1",
        "--shards many | expected a shape such as 100,100; found many",
        "--codecs lzw | expected none, zstd, gzip or crc32c",
        "--codecs crc32c:1 | crc32c has no level",
        "--codecs [1] | expected a name",
        "--resume --overwrite | cannot both be wanted",
      })
  void wrong_usage(String options, String message) {
    String[] words = ("copy a b " + options).split(" ");
    CommandRun run = zarr(words);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void an_archive_is_not_resumed() {
    CommandRun run = zarr("copy", EARTH.toString(), in("a.zip"), "--resume");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--resume is for directories");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/below", "/../a"})
  void a_copy_into_itself_is_a_failure(String below) {
    TestArrays.create(directory.resolve("a"), Shape.of(4), DataTypes.INT8, settings -> settings);
    CommandRun run = zarr("copy", in("a"), in("a") + below, "--overwrite");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("one would hold the other");
    assertThat(directory.resolve("a/zarr.json")).exists();
  }

  @Test
  void an_array_that_cannot_be_in_the_other_format_is_a_failure_of_one_line() {
    TestArrays.create(
        directory.resolve("a"), Shape.of(4), DataTypes.BFLOAT16, settings -> settings);
    CommandRun run = zarr("copy", in("a"), in("b"), "--format", "2");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("Zarr v2 does not have the data type bfloat16");
    assertThat(directory.resolve("b")).doesNotExist();
  }

  @Test
  void a_broken_archive_is_a_failure_of_one_line() throws IOException {
    Files.writeString(directory.resolve("broken.zip"), "no zip at all");
    CommandRun run = zarr("info", in("broken.zip"));
    assertThat(run.exitCode()).isOne();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(zarr("info", in("nothing.zip")).err()).contains("no such directory");
  }
}
