package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.NewDataset;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.testing.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that change a branch of an Icechunk repository commit with a message. */
class CommitCommandsTest {
  @TempDir Path directory;

  private String repository = "";

  @BeforeEach
  void init() {
    repository = directory.resolve("repository").toString();
    assertThat(good("init", repository)).contains("Made a repository with the branch main.");
  }

  private static String good(String... line) {
    CommandRun run = zarr(line);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out() + run.err();
  }

  private static String bad(String... line) {
    CommandRun run = zarr(line);
    assertThat(run.exitCode()).as(run.out()).isNotZero();
    return run.err();
  }

  private List<String> history(String version) {
    return good("history", repository + version)
        .lines()
        .filter(line -> line.matches("[0-9A-Z]{20}  .*"))
        .map(line -> line.substring("V60GGCMXH3X9YV7S35B0  2026-11-27T00:41:01Z  ".length()))
        .toList();
  }

  private void create() {
    assertThat(
            good(
                "create",
                repository + "|icechunk:/g/a",
                "--shape",
                "6,4",
                "--chunks",
                "3,2",
                "--dtype",
                "int32",
                "--message",
                "an array"))
        .containsPattern("Committed [0-9A-Z]{20} to branch main\\.");
  }

  @Test
  void each_command_that_changes_a_version_makes_one_commit() throws IOException {
    create();
    Path table = Files.writeString(directory.resolve("table.csv"), "1,2\n3,4\n");
    String main = repository + "|icechunk:";
    good("import", table.toString(), main + "/b", "--dtype", "int32", "--message", "a table");
    good("attrs", main + "/g/a", "units=m", "--message", "units");
    good("resize", main + "/g/a", "9,4", "--message", "longer");
    good("append", main + "/b", main + "/b", "--message", "more");
    good("copy", main + "/b", main + "/g/copied", "--message", "a copy");
    good("rm", main + "/b", "--yes", "--message", "moved");
    assertThat(history(""))
        .containsExactly(
            "moved",
            "a copy",
            "more",
            "longer",
            "units",
            "a table",
            "an array",
            "Repository initialized");
    assertThat(good("read", main + "/g/copied")).contains("1", "2", "3", "4");
    assertThat(good("info", main + "/g/a")).contains("[9, 4]");
    assertThat(good("validate", main, "--history")).contains("no findings");
  }

  @Test
  void a_move_and_consolidated_metadata_are_one_commit_each() throws IOException {
    create();
    String main = repository + "|icechunk:";
    Path table = Files.writeString(directory.resolve("table.csv"), "1,2\n3,4\n");
    good("import", table.toString(), main + "/g/b", "--dtype", "int32", "--message", "a table");
    assertThat(bad("mv", main + "/g/b", "c")).contains("--message TEXT");
    assertThat(bad("consolidate", main + "/g")).contains("--message TEXT");
    good("mv", main + "/g/b", "c", "--dry-run", "--message", "none");
    assertThat(good("mv", main + "/g/b", "c", "--message", "renamed"))
        .containsPattern("Committed [0-9A-Z]{20} to branch main\\.");
    assertThat(good("read", main + "/g/c")).contains("1", "2", "3", "4");
    assertThat(bad("info", main + "/g/b")).contains("g/b");
    assertThat(good("consolidate", main + "/g", "--message", "consolidated"))
        .contains("Consolidated the metadata of 2 nodes.");
    assertThat(history(""))
        .containsExactly(
            "consolidated", "renamed", "a table", "an array", "Repository initialized");
    assertThat(good("validate", main, "--history")).contains("no findings");
  }

  @Test
  void a_branch_is_changed_and_main_stays() {
    create();
    good("tag", repository, "v1");
    assertThat(good("branch", repository + "|icechunk://tag.v1", "dev"))
        .contains("The branch dev leads to ");
    good("rm", repository + "|icechunk://branch.dev/g", "--yes", "--message", "nothing left");
    assertThat(history("|icechunk://branch.dev")).startsWith("nothing left", "an array");
    assertThat(history("")).startsWith("an array");
    good("branch", repository + "|icechunk://tag.v1", "dev", "--reset");
    assertThat(history("|icechunk://branch.dev")).startsWith("an array");
    good("branch", repository, "dev", "--delete");
    assertThat(bad("history", repository + "|icechunk://branch.dev")).contains("no branch \"dev\"");
    assertThat(good("tag", repository, "v1", "--delete")).contains("never used again");
    assertThat(bad("tag", repository, "v1")).contains("was deleted");
  }

  @Test
  void old_snapshots_expire_and_their_objects_are_erased() {
    create();
    String main = repository + "|icechunk:";
    good("attrs", main + "/g/a", "units=m", "--message", "units");
    good("branch", repository, "dev");
    good("tag", repository, "v1");
    good("attrs", main + "/g/a", "units=km", "--message", "others");
    String later = java.time.Instant.now().plusSeconds(60).toString();
    String[] all = {
      "--older-than",
      later,
      "--delete-branches",
      "--delete-tags",
      "--collect",
      "--keep-objects",
      later,
      "--take-young"
    };
    assertThat(good(with("expire", repository, all, "--dry-run")))
        .contains(
            "Would expire 2 snapshots.",
            "Would delete the branch dev.",
            "Would delete the tag v1.",
            "Would erase ",
            "2 snapshots");
    assertThat(history("")).startsWith("others", "units", "an array");
    assertThat(good(with("expire", repository, all)))
        .contains("Expired 2 snapshots.", "Deleted the branch dev.", "Deleted the tag v1.")
        .containsPattern("Erased [0-9]+ objects, [0-9.]+ .?i?B: 2 snapshots");
    assertThat(history("")).containsExactly("others", "Repository initialized");
    assertThat(good("attrs", main + "/g/a")).contains("km");
    assertThat(good("validate", main, "--history")).contains("no findings");
    assertThat(good("expire", repository, "--older-than", "90d")).contains("Expired 0 snapshots.");
    assertThat(good("expire", repository, "--collect")).contains("Erased 0 objects, 0 bytes.");
  }

  private static String[] with(String name, String repository, String[] options, String... more) {
    return Stream.of(new String[] {name, repository}, options, more)
        .flatMap(Arrays::stream)
        .toArray(String[]::new);
  }

  @Test
  void an_expiration_of_nothing_or_of_what_may_be_committed_says_what_helps() {
    create();
    assertThat(bad("expire", repository)).contains("--older-than TIME", "--collect");
    assertThat(bad("expire", repository, "--collect", "--delete-tags"))
        .contains("need --older-than TIME");
    assertThat(bad("expire", repository, "--collect", "--keep-objects", "1h"))
        .contains("less than a day", "--take-young");
    assertThat(bad("expire", repository, "--older-than", "yesterday"))
        .contains("2026-01-31T00:00:00Z", "yesterday");
  }

  @Test
  void a_change_without_a_message_or_a_branch_says_what_helps() {
    create();
    String a = repository + "|icechunk:/g/a";
    assertThat(bad("attrs", a, "units=m")).contains("--message TEXT");
    assertThat(bad("copy", a, repository + "|icechunk:/g/b")).contains("--message TEXT");
    good("tag", repository, "v1");
    assertThat(bad("attrs", repository + "|icechunk://tag.v1/g/a", "units=m", "--message", "units"))
        .contains("the location names the tag v1", "|icechunk://branch.NAME");
    assertThat(bad("attrs", repository, "units=m", "--message", "units"))
        .contains("--message is for a branch of an Icechunk repository");
    assertThat(bad("init", repository)).contains("there is an Icechunk repository");
    assertThat(bad("branch", repository, "dev", "--reset", "--delete")).contains("cannot both");
    assertThat(history("")).containsExactly("an array", "Repository initialized");
  }

  @Test
  void a_command_that_fails_or_only_looks_commits_nothing() {
    create();
    String main = repository + "|icechunk:";
    good("rm", main + "/g/a", "--dry-run", "--message", "none");
    good("resize", main + "/g/a", "9,4", "--dry-run", "--message", "none");
    good("copy", main + "/g/a", main + "/g/b", "--dry-run", "--message", "none");
    assertThat(bad("attrs", main + "/g/a", "x=1", "--delete", "y", "--message", "none"))
        .contains("no attribute y");
    assertThat(bad("copy", main + "/none", main + "/g/b", "--message", "none")).contains("none");
    assertThat(history("")).containsExactly("an array", "Repository initialized");
  }

  /** Runs a command with {@code --dry-run}, and returns the changes of the commit it tells of. */
  private static List<String> forecast(String... line) {
    CommandRun run = zarr(longer(line, "--dry-run", "--message", "none"));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^Would commit to branch main, which is at [0-9A-Z]{20}:$")
        .contains("Nothing was committed to branch main");
    return run.out().lines().filter(each -> each.startsWith("    ")).toList();
  }

  /** Runs a command, and returns what the history says that it has changed. */
  private List<String> committed(String... line) {
    good(longer(line, "--message", "done"));
    List<String> lines = good("history", repository, "--changes", "--count", "1").lines().toList();
    int head = 0;
    while (!lines.get(head).endsWith("  done")) {
      head++;
    }
    return lines.subList(head + 1, lines.size());
  }

  private static String[] longer(String[] line, String... more) {
    return Stream.of(line, more).flatMap(Arrays::stream).toArray(String[]::new);
  }

  private void assertForecastIsRight(String... line) {
    int before = history("").size();
    List<String> forecast = forecast(line);
    assertThat(forecast).as(String.join(" ", line)).isNotEmpty();
    assertThat(history("")).hasSize(before);
    assertThat(forecast).as(String.join(" ", line)).isEqualTo(committed(line));
  }

  @Test
  void a_dry_run_tells_the_commit_that_is_made_then() throws IOException {
    String main = repository + "|icechunk:";
    Path table = Files.writeString(directory.resolve("table.csv"), "1,2\n3,4\n5,6\n");
    assertForecastIsRight("create", main + "/g/e", "--shape", "6,4", "--dtype", "int32");
    assertForecastIsRight(
        "import", table.toString(), main + "/g/a", "--dtype", "int32", "--chunks", "2,1");
    assertForecastIsRight("attrs", main + "/g/a", "units=m", "title=x");
    assertForecastIsRight("attrs", main + "/g/a", "--delete", "title");
    assertForecastIsRight("append", main + "/g/a", main + "/g/a");
    assertForecastIsRight("copy", main + "/g/a", main + "/copied/b", "--chunks", "3,2");
    assertForecastIsRight("copy", main + "/g/a", main + "/copied/b", "--overwrite");
    assertForecastIsRight("copy", month("january.zarr", 0), main + "/d");
    String february = month("february.zarr", 1);
    assertForecastIsRight("append", main + "/d", february);
    assertForecastIsRight("rm", main + "/g/a", "--yes");
    assertForecastIsRight("rm", main + "/copied", "--yes");
    CommandRun json =
        zarr("copy", main + "/d/t2m", main + "/t", "--dry-run", "--json", "--message", "none");
    assertThat(json.out())
        .contains("\"commit\":{\"branch\":\"main\"", "\"created\":[\"/t\"]", "\"/t\":9");
    assertThat(good("validate", main, "--history")).contains("no findings");
  }

  @Test
  void a_dry_run_of_attributes_in_files_changes_nothing() throws IOException {
    Path array = directory.resolve("plain.zarr");
    good("create", array.toString(), "--shape", "4", "--dtype", "int8");
    String before = Files.readString(array.resolve("zarr.json"));
    assertThat(good("attrs", array.toString(), "a=1", "b=2", "--dry-run"))
        .isEqualTo("Would set 2 attributes, delete 0; there would be 2.\n");
    assertThat(bad("attrs", array.toString(), "--delete", "a", "--dry-run"))
        .contains("no attribute a");
    assertThat(array.resolve("zarr.json")).hasContent(before);
  }

  private static final int DAYS = 30;

  /** Writes a month of four variables, which one process would append as four arrays. */
  private String month(String name, int month) {
    Instant start = Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofDays(month * DAYS));
    NdArray values =
        NdArray.ofDoubles(
            Shape.of(DAYS, 2),
            IntStream.range(0, DAYS * 2).mapToDouble(i -> month * 1000 + i).toArray());
    NewDataset dataset =
        Dataset.builder()
            .coordinate(
                "time",
                IntStream.range(0, DAYS).mapToObj(day -> start.plus(Duration.ofDays(day))).toList())
            .coordinate("x", NdArray.ofDoubles(Shape.of(2), 1, 2));
    for (String variable : List.of("t2m", "rain", "wind", "snow")) {
      dataset.variable(
          variable,
          List.of("time", "x"),
          values,
          each -> each.chunkShape(7, 2).packed(DataTypes.INT32, month == 0 ? 1 : 0.5, 0));
    }
    Path place = directory.resolve(name);
    Waiting.await(dataset.write(Zarr.at(place.toString())));
    return place.toString();
  }

  @Test
  void a_dataset_is_appended_as_one_commit_whose_forecast_tells_arrays_and_chunks() {
    String main = repository + "|icechunk:/d";
    good("copy", month("january.zarr", 0), main, "--message", "January");
    String february = month("february.zarr", 1);
    String forecast =
        good("append", main, february, "--dimension", "time", "--dry-run", "--message", "none");
    assertThat(forecast)
        .contains(
            "Would append 30 to the dimension time: 5 arrays, 21 chunks.",
            "t2m from [30, 2] to [60, 2], 5 chunks",
            "time from [30] to [60], 1 chunk")
        .containsPattern("Nothing was committed to branch main, which is at [0-9A-Z]{20}\\.");
    assertThat(good("append", main, february, "--dimension", "time", "--message", "February"))
        .contains("Appended 30 to the dimension time of 5 arrays.")
        .containsPattern("Committed [0-9A-Z]{20} to branch main\\.");
    assertThat(history("")).containsExactly("February", "January", "Repository initialized");
    Dataset both = Waiting.await(Dataset.open(Zarr.at(main)));
    assertThat(both.sizes()).containsEntry("time", 2L * DAYS);
    assertThat(Waiting.await(both.sel("time", "2026-01-31").read("snow")).toDoubleArray())
        .as("packed by other numbers than in SRC")
        .containsExactly(1000, 1001);
    assertThat(Waiting.await(both.sel("time", "2026-01-03").read("rain")).toDoubleArray())
        .containsExactly(4, 5);
    assertThat(good("append", main, february, "--dry-run", "--message", "none"))
        .as("without the option the dimension of its times")
        .contains("Would append 30 to the dimension time");
    assertThat(bad("append", main, february, "--dimension", "y", "--message", "none"))
        .contains("no variable of SRC has the dimension y; it has time, x");
    assertThat(bad("append", main, february, "--dimension", "time", "--bits", "--message", "none"))
        .contains("--dimension is for datasets");
    assertThat(history("")).hasSize(3);
  }

  @Test
  void a_dataset_of_files_is_appended_too_and_keeps_its_consolidated_metadata() {
    String january = month("january.zarr", 0);
    good("append", january, month("february.zarr", 1), "--dimension", "time");
    Dataset both = Waiting.await(Dataset.open(Zarr.at(january)));
    assertThat(both.sizes()).containsEntry("time", 2L * DAYS);
    assertThat(both.group().metadata().carriesConsolidated()).isTrue();
    assertThat(good("validate", january)).contains("no findings");
  }
}
