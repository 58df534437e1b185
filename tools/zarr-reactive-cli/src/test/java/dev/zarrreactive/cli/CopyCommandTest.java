package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        .contains("dimensions   lat, lon", "sharding_indexed", "regular, shards of")
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
  void changes_of_another_format_are_listed_and_bits_make_none() throws IOException {
    Path v2 = directory.resolve("v2");
    Files.createDirectories(v2);
    Files.writeString(
        v2.resolve(".zarray"),
        """
        {"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "<i2", "fill_value": -9999,
         "order": "C", "compressor": null, "filters": null}
        """);
    Files.writeString(v2.resolve(".zattrs"), "{\"_ARRAY_DIMENSIONS\": [\"x\"]}");
    Files.write(v2.resolve("0"), new byte[] {1, 0, 2, 0});
    CommandRun run = good("copy", in("v2"), in("v3"), "--format=3");
    assertThat(run.err().lines().skip(1))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).startsWith("changed /: "));
    assertThat(run.err()).contains("_FillValue");
    assertThat(good("info", in("v3")).out()).contains("dimensions   x\n", "\"_FillValue\"");
    CommandRun json = good("copy", in("v2"), in("json"), "--format=3", "--json");
    assertThat(json.out()).contains("\"changes\":[{\"node\":\"/\",\"kind\":\"");
    CommandRun bits = good("copy", in("v2"), in("bits"), "--format=3", "--bits");
    assertThat(bits.err()).hasLineCount(1);
    assertThat(good("info", in("bits")).out()).doesNotContain("_FillValue");
    assertThat(zarr("copy", in("v2"), in("same"), "--bits").err())
        .startsWith("zarr: error: --bits needs --format");
  }

  @Test
  void files_of_no_node_are_counted_or_copied() throws IOException {
    good("copy", EARTH.toString(), in("a"));
    Files.writeString(directory.resolve("a/README.txt"), "hello");
    CommandRun counted = good("copy", in("a"), in("b"));
    assertThat(counted.err().lines().skip(1))
        .containsExactly("1 file below SRC of no node: not copied (--all-files copies them)");
    assertThat(directory.resolve("b/README.txt")).doesNotExist();
    CommandRun copied = good("copy", in("a"), in("c"), "--all-files");
    assertThat(copied.err().lines().skip(1))
        .containsExactly("1 file below SRC of no node: 1 copied");
    assertThat(directory.resolve("c/README.txt")).hasContent("hello");
  }

  @Test
  void blosc_gets_its_configuration_from_the_data_type_of_each_array() {
    good("copy", EARTH.toString(), in("a"), "--codecs", "blosc");
    assertThat(good("info", in("a/earth/lat")).out())
        .contains("blosc (typesize 8, cname zstd, clevel 5, shuffle shuffle, blocksize 0)");
    good("copy", in("a"), in("b"), "--codecs", "blosc:9,crc32c", "--shards", "120,180,3");
    assertThat(good("info", in("b/earth/rgb")).out())
        .contains("typesize 1", "clevel 9", "shuffle bitshuffle");
    String json = "[{\"name\":\"blosc\",\"configuration\":{\"cname\":\"lz4\",\"typesize\":2}}]";
    good("copy", in("b/earth/relief"), in("c"), "--format=2", "--codecs", json);
    assertThat(good("info", in("c")).out()).contains("typesize 2, cname lz4, clevel 5");
    assertThat(elements(in("c"))).isEqualTo(elements(EARTH + "/earth/relief"));
    assertThat(elements(in("b/earth/rgb"))).isEqualTo(elements(EARTH + "/earth/rgb"));
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
    assertThat(again.err()).contains("the archive exists; --overwrite replaces it");
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
    assertThat(refused.err())
        .contains("a node exists here", "--resume continues", "--overwrite replaces")
        .hasLineCount(1);
    assertThat(good("copy", lat, in("lat"), "--resume").err())
        .startsWith("1 node with 1 chunk (1 of them there already) copied, ");
    CommandRun others = zarr("copy", lat, in("lat"), "--resume", "--codecs", "none");
    assertThat(others.exitCode()).isOne();
    assertThat(others.err()).contains("other metadata than the new one");
    good("copy", lat, in("lat"), "--overwrite", "--codecs", "none");
    assertThat(elements(in("lat"))).isEqualTo(elements(lat));
  }

  @Test
  void a_bar_on_a_terminal_json_or_nothing() {
    Terminal errorsOnly =
        new Terminal(false, false, true, 80, 24, Colours.TRUE, false, StandardCharsets.UTF_8);
    String lat = EARTH + "/earth/lat";
    CommandRun bar = CommandRun.on(errorsOnly, "copy", lat, in("bar"));
    assertThat(bar.err()).contains("[############] 100 %  2.8 KiB of 2.8 KiB, ");
    CommandRun json = good("copy", lat, in("json"), "--json");
    assertThat(json.out())
        .matches(
            "\\{\"nodes\":1,\"chunks\":1,\"chunks_skipped\":0,\"chunks_filled\":0,"
                + "\"bytes_read\":\\d+,\"changes\":\\[],\"foreign_files\":0,"
                + "\"foreign_files_copied\":0}\n");
    assertThat(json.err()).isEmpty();
    CommandRun quiet = CommandRun.on(errorsOnly, "copy", lat, in("quiet"), "--quiet");
    assertThat(quiet.out() + quiet.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--format 4 | --format is 2 or 3",
        "--chunks 0,1 | such as 64MB, or auto; found 0,1",
        "--shards many | such as 64MB, or auto; found many",
        "--codecs lzw | expected none, zstd, gzip, blosc or crc32c",
        "--codecs crc32c:1 | crc32c has no level",
        "--codecs [1] | expected a name",
        "--resume --overwrite | cannot both be wanted",
        "--chunks 1,2 --chunks 3,4 | --chunks is given twice for one number of dimensions",
        "--select 1:x | expected",
      })
  void wrong_usage(String options, String message) {
    String[] words = ("copy a b " + options).split(" ");
    CommandRun run = zarr(words);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void an_unfinished_copy_says_that_it_is_one_and_an_interrupt_says_how_to_go_on()
      throws Exception {
    TestArrays.create(
        directory.resolve("a"),
        Shape.of(1L << 40),
        DataTypes.INT8,
        settings -> settings.chunkShape(1 << 10).dimensionNames("x"));
    AtomicReference<CommandRun> run = new AtomicReference<>();
    Thread waiting =
        new Thread(
            () ->
                run.set(
                    zarr(
                        "copy", in("a"), in("b"), "--format", "2", "--codecs", "zstd", "--quiet")));
    waiting.start();
    while (!Files.exists(directory.resolve("b/.zarray.partial")) && waiting.isAlive()) {
      Thread.sleep(5);
    }
    waiting.interrupt();
    waiting.join(60_000);
    assertThat(run.get().exitCode()).isEqualTo(130);
    assertThat(run.get().err())
        .isEqualTo(
            ("zarr: interrupted: %s is an unfinished copy; the same command with --resume"
                    + " continues it, with --overwrite it starts again\n")
                .formatted(in("b")));
    for (String command : List.of("info", "tree", "read")) {
      CommandRun half = zarr(command, in("b"));
      assertThat(half.exitCode()).isOne();
      assertThat(half.err())
          .isEqualTo(
              ("zarr: error: %s: an unfinished copy or import (.zarray.partial); the command that"
                      + " began it finishes it with --resume and the options of the first run,"
                      + " zarr rm erases it\n")
                  .formatted(in("b")));
    }
  }

  @Test
  void shards_of_zarr_v2_name_the_format_that_has_them() {
    good("copy", EARTH + "/earth/lat", in("v2"), "--format=2");
    CommandRun run = zarr("copy", in("v2"), in("v3"), "--shards=360");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("--format 3 has shards").hasLineCount(1);
  }

  @Test
  void an_archive_is_not_resumed() {
    CommandRun run = zarr("copy", EARTH.toString(), in("a.zip"), "--resume");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--resume is for directories");
  }

  @ParameterizedTest
  @CsvSource({
    "a, a, SRC and DST are the same place",
    "a, a/../a, SRC and DST are the same place",
    "a, a/below, DST lies inside SRC; a node cannot be copied into itself",
    "a, link/below, DST lies inside SRC",
    "link, a/below, DST lies inside SRC",
    "a/b, a, 'SRC lies inside DST, which the copy would replace'",
  })
  void a_copy_into_itself_is_refused(String from, String to, String message) throws IOException {
    Zarr.hierarchy(FileSystemStore.open(directory)).createGroup("a/b").block();
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("a"));
    List<String> before = files(directory);
    CommandRun run = zarr("copy", in(from), in(to), "--overwrite");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains(message);
    assertThat(files(directory)).isEqualTo(before);
  }

  @Test
  void a_copy_into_a_hierarchy_makes_its_groups_and_renews_their_consolidated_metadata() {
    good("copy", EARTH.toString(), in("a.zarr"), "--consolidate");
    good("consolidate", in("a.zarr/earth"));
    CommandRun run = good("copy", in("a.zarr/earth/lat"), in("a.zarr/earth/sub/y"));
    assertThat(run.err())
        .contains("1 node with 1 chunk copied to earth/sub/y in the hierarchy " + in("a.zarr"))
        .contains("\nrenewed the consolidated metadata of " + in("a.zarr") + ", which")
        .contains("\nrenewed the consolidated metadata of " + in("a.zarr/earth") + ", which")
        .hasLineCount(3);
    assertThat(good("tree", in("a.zarr")).out()).contains("sub", "y  float64 [360]");
    assertThat(good("info", in("a.zarr/earth/sub")).out()).startsWith("group ");
    assertThat(good("info", in("a.zarr")).out()).contains("consolidated");
    assertThat(elements(in("a.zarr/earth/sub/y"))).isEqualTo(elements(EARTH + "/earth/lat"));

    CommandRun json =
        good("copy", in("a.zarr/earth/lat"), in("a.zarr/earth/sub/z"), "--json", "--chunks=90");
    assertThat(json.out())
        .contains("\"node\":\"earth/sub/z\",\"hierarchy\":\"" + in("a.zarr") + "\"")
        .endsWith("\"consolidated_metadata_removed\":[]}\n")
        .contains("\"consolidated_metadata_renewed\":[\"" + in("a.zarr/earth") + "\",");
    assertThat(json.err()).isEmpty();
    CommandRun without =
        good("copy", in("a.zarr/earth/lat"), in("a.zarr/earth/sub/x"), "--no-consolidate");
    assertThat(without.err())
        .contains("\nremoved the consolidated metadata of " + in("a.zarr") + ", which");
    assertThat(good("info", in("a.zarr")).out()).doesNotContain("consolidated");
  }

  @Test
  void a_directory_between_the_hierarchy_and_the_copy_becomes_a_group() throws IOException {
    good("copy", EARTH.toString(), in("a.zarr"), "--format=2", "--consolidate");
    Files.createDirectories(directory.resolve("a.zarr/old/plain"));
    good("copy", in("a.zarr/earth"), in("a.zarr/old/plain/new"));
    assertThat(good("tree", in("a.zarr")).out()).contains("old", "plain", "new");
    assertThat(directory.resolve("a.zarr/old/plain/.zgroup")).exists();
    assertThat(directory.resolve("a.zarr/.zmetadata")).content().contains("old/plain/new/lat");
    good("copy", EARTH + "/earth/lat", in("a.zarr/old/plain/new"), "--overwrite", "--format=2");
    assertThat(elements(in("a.zarr/old/plain/new"))).isEqualTo(elements(EARTH + "/earth/lat"));
  }

  @Test
  void a_copy_below_an_array_is_refused() {
    TestArrays.create(directory.resolve("a"), Shape.of(4), DataTypes.INT8, settings -> settings);
    CommandRun run = zarr("copy", EARTH + "/earth/lat", in("a/b"));
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("below an array; arrays have no children");
    assertThat(directory.resolve("a/b")).doesNotExist();
  }

  @Test
  void an_array_that_cannot_be_in_the_other_format_is_a_failure_of_one_line() {
    TestArrays.create(directory.resolve("a"), Shape.of(4), DataTypes.UINT4, settings -> settings);
    CommandRun run = zarr("copy", in("a"), in("b"), "--format", "2");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("Zarr v2 does not have the data type uint4");
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

  @Test
  void shards_are_left_and_shapes_are_given_for_each_number_of_dimensions() {
    String earth = EARTH + "/earth";
    good("copy", earth, in("s"), "--shards=180,360", "--chunks=60,60", "--chunks=90,90,3");
    assertThat(good("info", in("s/relief")).out()).contains("shards of", "[180, 360]");
    assertThat(good("info", in("s/rgb")).out()).contains("[90, 90, 3]");
    good("copy", in("s"), in("v2"), "--unshard", "--format=2", "--codecs", "blosc:5");
    assertThat(good("info", in("v2/relief")).out()).contains("[60, 60]", "typesize 4");
    assertThat(good("info", in("v2/lat")).out()).contains("typesize 8");
    for (String array : List.of("relief", "rgb", "lat", "lon")) {
      assertThat(good("diff", in("v2/" + array), earth + "/" + array, "--metadata").exitCode())
          .isZero();
      assertThat(elements(in("v2/" + array))).isEqualTo(elements(earth + "/" + array));
    }
  }

  @Test
  void some_elements_and_some_nodes_are_copied() {
    good("copy", EARTH + "/earth/lat", in("lat"), "--select", "10:50:2");
    assertThat(good("info", in("lat")).out()).contains("shape        [20]");
    assertThat(elements(in("lat")))
        .isEqualTo(
            good("read", "--format", "json", EARTH + "/earth/lat", "--select", "10:50:2").out());
    good("copy", EARTH.toString(), in("some"), "--include", "earth/l*", "--exclude", "**/lon");
    assertThat(good("tree", in("some")).out()).contains("lat").doesNotContain("lon", "relief");
    CommandRun none = zarr("copy", EARTH.toString(), in("none"), "--include", "x*");
    assertThat(none.exitCode()).isOne();
    assertThat(none.err()).contains("no node below / matches \"x*\"").hasLineCount(1);
    CommandRun index = zarr("copy", EARTH + "/earth/lat", in("none"), "--select", "5");
    assertThat(index.err()).contains("the slice 5:6 keeps it");
    assertThat(directory.resolve("none")).doesNotExist();
  }

  @Test
  void a_dry_run_writes_nothing_and_says_what_would_be_copied() throws IOException {
    CommandRun run = good("copy", EARTH.toString(), in("new.zarr"), "--dry-run");
    assertThat(run.out())
        .startsWith("/  group\n/earth  group\n")
        .contains("/earth/lat  float64 [360], 1 chunk of 2.8 KiB; 1 stored in SRC, 473 bytes\n")
        .containsPattern("\nWould copy 6 nodes with 58 chunks of .* MiB; 58 stored in SRC, ");
    assertThat(run.err()).isEmpty();
    good("copy", EARTH.toString(), in("new.zip"), "--dry-run");
    CommandRun json = good("copy", EARTH + "/earth/lat", in("l"), "--dry-run", "--json");
    assertThat(json.out())
        .startsWith("{\"nodes\":[{\"source\":\"/\",\"path\":\"/\",")
        .contains("\"chunks\":1,\"bytes\":2880,\"stored_chunks\":1,\"stored_bytes\":");
    assertThat(files(directory)).isEmpty();
    good("copy", EARTH + "/earth/lat", in("there"));
    List<String> before = files(directory);
    CommandRun refused = zarr("copy", EARTH + "/earth/lon", in("there"), "--dry-run");
    assertThat(refused.exitCode()).isOne();
    assertThat(refused.err()).contains("a node exists here", "--overwrite replaces");
    good("copy", EARTH + "/earth/lon", in("there"), "--dry-run", "--overwrite");
    assertThat(elements(in("there"))).isEqualTo(elements(EARTH + "/earth/lat"));
    assertThat(files(directory)).isEqualTo(before);
  }
}
