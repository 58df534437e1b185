package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.Terminal;
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

/** The commands that change a hierarchy: create, resize, append, mv and rm. */
class ChangeCommandsTest {
  @TempDir Path directory;

  private String in(String name) {
    return directory.resolve(name).toString();
  }

  private static CommandRun good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static void refused(String message, String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.out()).isOne();
    assertThat(run.err()).startsWith("zarr: error: ").contains(message).hasLineCount(1);
  }

  private static String elements(String path) {
    return good("read", "--format", "json", path).out();
  }

  private void earth() {
    good("copy", EARTH.toString(), in("e"), "--consolidate");
  }

  private static List<Path> files(Path place) throws IOException {
    try (Stream<Path> files = Files.walk(place)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void an_array_is_created_in_its_groups() {
    CommandRun run =
        good(
            "create",
            in("new/g/t"),
            "--shape=365,180",
            "--dtype=float32",
            "--chunks=30,90",
            "--shards=60,180",
            "--fill=NaN",
            "--dimensions=time,lat",
            "--codecs=zstd:3");
    assertThat(run.out())
        .isEqualTo(
            "Created the group "
                + in("new/g")
                + " and an array of float32 [365, 180] in chunks of [60, 180].\n");
    String array = in("new.zarr/h/t");
    assertThat(good("create", array, "--shape=3", "--dtype=int8", "--format=2").out())
        .startsWith("Created the group " + in("new.zarr") + " and an array of int8 [3]");
    assertThat(good("tree", in("new.zarr")).out()).contains("h", "t  int8 [3]");
    assertThat(directory.resolve("new.zarr/h/.zgroup")).exists();
    good("copy", EARTH + "/earth/lat", in("copied.zarr/c/lat"), "--format=2", "-q");
    assertThat(good("tree", in("copied.zarr")).out()).contains("c", "lat  float64 [360]");
    assertThat(good("create", in("groups.zarr/g")).out())
        .isEqualTo("Created the group " + in("groups.zarr") + " and a group.\n");
    assertThat(good("info", in("new/g/t")).out())
        .contains("float32", "[365, 180]", "time, lat", "shards of", "NaN", "zstd (level 3");
    good("create", in("v2"), "--format=2");
    assertThat(directory.resolve("v2/.zgroup")).exists();
    good("create", in("v2/a"), "--format=2", "--shape=3", "--dtype=int8", "--dimensions=x");
    assertThat(directory.resolve("v2/.zattrs")).exists();
    assertThat(good("info", in("v2/a")).out()).contains("dimensions   x");
    assertThat(elements(in("v2/a"))).contains("0");
    refused("a node exists here", "create", in("v2/a"), "--format=2", "--shape=3", "--dtype=int8");
    refused("arrays have no children", "create", in("v2/a/b"), "--format=2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "create x --dtype int8 | An array needs --shape",
        "create x --shape 3 | An array needs --dtype",
        "create x --shape 3 --dtype int9 | int9",
        "create x --shape 3 --dtype int8 --fill 300 | 300",
        "create x --shape 3 --dtype int8 --chunks 1,1 | --chunks has 2 dimensions, and the array has 1",
        "create x --shape -3 --dtype int8 | expected a shape such as 720,360; found -3",
        "create x.zip | A zip archive is written at once",
        "create x --format 4 | --format is 2 or 3",
        "resize x many | expected a shape such as 720,360; found many",
        "resize x 3 --outside away | away",
        "append x y --axis -1 | --axis counts from 0",
        "rm | Missing required parameter",
        "mv x | Missing required parameter",
      })
  void wrong_usage(String line, String message) {
    CommandRun run = zarr(line.split(" "));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void an_array_is_resized() throws IOException {
    earth();
    CommandRun run = good("resize", in("e/earth/lat"), "100");
    assertThat(run.out()).isEqualTo("Resized from [360] to [100].\n");
    assertThat(run.err()).startsWith("removed the consolidated metadata of " + in("e") + ", which");
    good("resize", in("e/earth/lat"), "360");
    assertThat(good("info", in("e/earth/lat")).out()).contains("[360]");
    refused("", "resize", in("e/earth/lat"), "3,3");
    refused("expected an array", "resize", in("e/earth"), "3");
    refused("no such directory", "resize", in("nothing"), "3");
    Files.writeString(directory.resolve("e/earth/lon/zarr.json"), "{");
    refused("lon", "resize", in("e/earth/lon"), "3");
  }

  @Test
  void an_array_is_appended() {
    earth();
    String lat = EARTH + "/earth/lat";
    assertThat(good("append", in("e/earth/lat"), lat).out())
        .isEqualTo("Grown from [360] to [720].\n");
    assertThat(good("read", "--format=json", in("e/earth/lat"), "--select=360:").out())
        .isEqualTo(elements(lat));
    String relief = EARTH + "/earth/relief";
    good("append", in("e/earth/relief"), relief, "--axis=1");
    assertThat(good("read", "--format=json", in("e/earth/relief"), "--select=:,720:").out())
        .isEqualTo(elements(relief));
    refused("cannot be appended to one of shape", "append", in("e/earth/lat"), relief);
    refused("no such directory", "append", in("e/earth/lat"), in("nothing"));
  }

  @Test
  void a_node_is_moved_by_its_name_or_its_path() {
    earth();
    CommandRun run = good("mv", in("e/earth/relief"), "height");
    assertThat(run.out()).isEqualTo("Moved /earth/relief to /earth/height.\n");
    assertThat(run.err()).startsWith("removed the consolidated metadata of " + in("e") + ", which");
    assertThat(elements(in("e/earth/height"))).isEqualTo(elements(EARTH + "/earth/relief"));
    good("mv", in("e/earth"), "/planets/earth");
    assertThat(good("tree", in("e")).out()).contains("planets", "height");
    assertThat(directory.resolve("e/earth")).doesNotExist();
    good("mv", in("e/planets/earth/lat"), in("e/planets/latitude")); // as files are moved
    assertThat(good("tree", in("e")).out()).contains("latitude").doesNotContain(" lat ");
    good("mv", in("e/planets/latitude"), "/planets/earth/lat");
    refused("neither a name nor a path", "mv", in("e/planets/earth/lat"), "planets/lat");
    refused("a node exists here", "mv", in("e/planets/earth/lat"), "lon");
    refused("into itself", "mv", in("e/planets"), "/planets/earth/x");
    refused("the root of a hierarchy", "mv", in("e"), "x");
    refused("no such directory", "mv", in("nothing"), "x");
  }

  @Test
  void a_terminal_is_asked() {
    earth();
    Terminal terminal =
        new Terminal(true, true, true, 80, 24, Colours.NONE, false, StandardCharsets.UTF_8);
    for (String answer : new String[] {"n\n", "", "\n", "yess\n"}) {
      CommandRun run =
          CommandRun.fed(
              answer.getBytes(StandardCharsets.UTF_8), terminal, "rm", in("e/earth/rgb"));
      assertThat(run.exitCode()).isOne();
      assertThat(run.err())
          .startsWith("Erase 49 values, ")
          .contains(" of " + in("e/earth/rgb") + "? [y/N] ", "nothing is erased");
    }
    assertThat(directory.resolve("e/earth/rgb")).exists();
    CommandRun run =
        CommandRun.fed("Y\n".getBytes(StandardCharsets.UTF_8), terminal, "rm", in("e/earth/rgb"));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(directory.resolve("e/earth/rgb")).doesNotExist();
  }

  @Test
  void nothing_is_erased_without_yes() throws IOException {
    earth();
    List<Path> before = files(directory);
    CommandRun asked = zarr("rm", in("e/earth/rgb"));
    assertThat(asked.exitCode()).isOne();
    assertThat(asked.out()).startsWith("Would erase 49 values, ");
    assertThat(asked.err()).contains("only --yes erases");
    CommandRun dry = good("rm", in("e/earth/rgb"), "--dry-run", "--yes");
    assertThat(dry.out()).isEqualTo(asked.out());
    assertThat(files(directory)).isEqualTo(before);
    CommandRun run = good("rm", in("e/earth/rgb"), "--yes");
    assertThat(run.out()).startsWith("Erased 49 values, ");
    assertThat(run.err()).startsWith("removed the consolidated metadata of " + in("e") + ", which");
    assertThat(good("tree", in("e")).out()).contains("lat").doesNotContain("rgb");
    assertThat(directory.resolve("e/earth/rgb")).doesNotExist();
    refused("no such directory", "rm", in("e/earth/rgb"), "--yes");
    Files.createDirectories(directory.resolve("empty"));
    refused("nothing is stored here", "rm", in("empty"), "--yes");
  }

  @Test
  void a_directory_of_other_files_is_not_erased() throws IOException {
    earth();
    Files.writeString(directory.resolve("letter.txt"), "dear");
    refused("no array or group, and has other files, such as letter.txt", "rm", in(""), "--yes");
    refused("nothing is erased", "rm", in(""), "--dry-run");
    assertThat(directory.resolve("letter.txt")).exists();
    Files.writeString(directory.resolve("e/letter.txt"), "dear");
    good("rm", in("e"), "--yes");
    Files.createDirectories(directory.resolve("left/0"));
    Files.writeString(directory.resolve("left/0.1"), "a chunk that an interrupted call has left");
    good("rm", in("left"), "--yes");
  }

  @Test
  void a_directory_of_hierarchies_is_erased_only_with_all() throws IOException {
    good("copy", EARTH.toString(), in("data/one.zarr"), "-q");
    good("copy", EARTH + "/earth/lat", in("data/2024/two.zarr"), "-q");
    for (String above : new String[] {in("data"), in("")}) {
      CommandRun run = zarr("rm", above, "--yes");
      assertThat(run.exitCode()).isOne();
      assertThat(run.err())
          .contains("this is no array or group, and holds ", "two.zarr", "one.zarr")
          .contains("Name one of them, or erase all with --all");
    }
    refused("nothing is erased", "rm", in("data"), "--dry-run");
    assertThat(zarr("validate", in("data/one.zarr"), "--data").exitCode()).isZero();
    Files.writeString(directory.resolve("data/2024/letter.txt"), "dear");
    refused("other files, such as 2024", "rm", in("data"), "--yes", "--all");
    assertThat(directory.resolve("data/2024/letter.txt")).exists();
    Files.delete(directory.resolve("data/2024/letter.txt"));
    good("rm", in("data"), "--yes", "--all");
    assertThat(files(directory)).isEmpty();
  }

  @Test
  void what_an_interrupted_erasure_has_left_is_erased() throws IOException {
    earth();
    Files.delete(directory.resolve("e/zarr.json"));
    refused("holds earth", "rm", in("e"), "--yes");
    good("rm", in("e"), "--yes", "--all");
    assertThat(files(directory)).isEmpty();
  }

  @Test
  void an_array_of_very_many_chunks_is_made_with_a_word_on_shards() {
    CommandRun run = good("create", in("big"), "--shape=1000000,1000000", "--dtype=float32");
    assertThat(run.err())
        .isEqualTo(
            "3,818,116 chunks would be as many files; --shards auto puts many of them into one\n");
    assertThat(
            good("create", in("few"), "--shape=1000000,1000000", "--dtype=float32", "--shards=auto")
                .err())
        .isEmpty();
  }
}
