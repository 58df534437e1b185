package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Repositories of Icechunk on the command line, written by icechunk 2.3.0 of Python. */
class IcechunkCommandTest {
  private static final Path ARCHIVE =
      Path.of("src/test/resources/dev/zarrreactive/cli/icechunk.zip").toAbsolutePath();

  /** A snapshot of basic-v2, which has groups alone. */
  private static final String EARLY = "PP1VSG76FVJS5SRWXFVG";

  @TempDir static Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    try (InputStream file = Files.newInputStream(ARCHIVE);
        ZipInputStream archive = new ZipInputStream(file)) {
      for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
        Path target = directory.resolve(entry.getName()).normalize();
        assertThat(target.startsWith(directory)).isTrue();
        Files.createDirectories(target.getParent());
        Files.write(target, archive.readAllBytes());
      }
    }
  }

  @Test
  void the_history_has_branches_tags_and_what_each_commit_has_changed() {
    String history = good("history", repository("basic-v2"), "--changes");
    assertThat(history)
        .startsWith("branch  ")
        .contains("  other name.1\n", "tag     ", "  v 1\n", "  Repository initialized\n")
        .contains("    deleted  /nothing\n    updated  /g/plane, /y\n")
        .contains("    written  /g/plane (4 chunks)\n")
        .contains("    created  /empty, /g/h/noise, /g/plane, /nothing, /scalar, /sparse, /y\n")
        .doesNotContain("gone");
    assertThat(good("history", repository("basic-v2") + "|icechunk://tag.v%201"))
        .contains("  arrays\n")
        .doesNotContain("  changes\n");
    assertThat(good("history", repository("basic-v1"), "--changes"))
        .contains("    updated  /g/plane, /y\n");
    assertThat(good("history", repository("moved-v2"), "--changes"))
        .contains("    moved  /a/b to /new");
  }

  @Test
  void the_history_is_lines_of_json_too() {
    String history = good("history", repository("basic-v2"), "--json", "--changes", "-n", "1");
    assertThat(history)
        .hasLineCount(1)
        .contains("\"message\":\"changes\"", "\"branches\":[\"main\",\"other name.1\"]")
        .contains("\"deleted\":[\"/nothing\"]", "\"chunks\":{\"/g/plane\":4}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"basic-v1", "basic-v2"})
  void each_version_is_read(String name) {
    String repository = repository(name);
    String main = good("tree", repository + "|icechunk:");
    assertThat(main).contains("g", "plane", "float64 [12, 7]").doesNotContain("nothing");
    assertThat(good("tree", repository + "|icechunk://tag.v%201")).contains("nothing");
    assertThat(good("read", "--format=json", repository + "|icechunk://branch.main/scalar"))
        .isEqualTo(good("read", "--format=json", repository + "|icechunk:|zarr3:/scalar"));
    CommandRun recognised = zarr("tree", repository);
    assertThat(recognised.out().replace(repository, repository + "|icechunk:")).isEqualTo(main);
    assertThat(recognised.err()).contains("opened as |icechunk:");
    assertThat(good("tree", ARCHIVE + "|zip:" + name + "|icechunk:").lines().skip(1))
        .containsExactlyElementsOf(main.lines().skip(1).toList());
  }

  @Test
  void versions_are_compared_and_copied() {
    String repository = repository("basic-v2");
    CommandRun diff = zarr("diff", repository + "|icechunk://tag.v%201", repository + "|icechunk:");
    assertThat(diff.exitCode()).isOne();
    assertThat(diff.out()).contains("nothing", "plane");
    String copy = directory.resolve("copy.zarr").toString();
    good("copy", repository + "|icechunk:", copy, "-q");
    good("diff", repository + "|icechunk:", copy);
  }

  @Test
  void the_history_of_version_1_needs_no_listing() {
    try (FaultyServer server = FaultyServer.of(FileSystemStore.open(directory))) {
      CommandRun history = zarr("history", server.uri() + "/basic-v1");
      assertThat(history.exitCode()).as(history.err()).isZero();
      assertThat(history.out()).contains("  changes\n", "  Repository initialized\n");
      assertThat(history.err()).contains("branches and tags are unknown");
    }
  }

  @Test
  void chunks_that_two_versions_share_are_not_read_to_compare_them() throws IOException {
    try (FaultyServer server = FaultyServer.of(FileSystemStore.open(directory))) {
      String repository = server.uri() + "/basic-v2";
      CommandRun diff =
          zarr("diff", repository + "|icechunk://tag.v%201", repository + "|icechunk:");
      assertThat(diff.exitCode()).as(diff.err()).isOne();
      assertThat(diff.out()).contains("plane");
      List<String> chunks =
          server.requests().stream()
              .map(ReceivedRequest::uri)
              .filter(uri -> uri.contains("/chunks/"))
              .toList();
      assertThat(chunks).as("all that has changed is inline, and /g/h/noise is shared").isEmpty();
    }
  }

  @Test
  void info_says_which_version_it_shows() {
    String repository = repository("basic-v2");
    assertThat(good("info", repository + "|icechunk:"))
        .containsPattern(
            "\nversion +branch main, snapshot [0-9A-Z]{20} of 2026-[-0-9T:]+Z: changes\n");
    assertThat(good("info", repository + "|icechunk://tag.v%201/g/plane"))
        .containsPattern("\nversion +tag v 1, snapshot [0-9A-Z]{20} of .*Z: arrays\n");
    assertThat(good("info", repository + "|icechunk://" + EARLY))
        .containsPattern("\nversion +snapshot " + EARLY + " of .*Z: a tree\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"basic-v1", "basic-v2", "moved-v2"})
  void nothing_is_found_in_good_repositories(String name) {
    String repository = repository(name);
    CommandRun one = zarr("validate", repository + "|icechunk:", "--data");
    assertThat(one.exitCode()).as(one.out() + one.err()).isZero();
    assertThat(one.out())
        .contains(" and the files of the snapshot: no findings.")
        .hasLineCount(name.startsWith("basic") ? 2 : 1);
    CommandRun all = zarr("validate", repository, "--history");
    assertThat(all.exitCode()).as(all.out() + all.err()).isZero();
    assertThat(all.out()).contains(" and the files of every snapshot: no findings.");
  }

  @Test
  void files_that_are_wrong_are_findings() throws IOException {
    Path broken = directory.resolve("broken");
    copy(directory.resolve("basic-v2"), broken);
    Path object = files(broken.resolve("chunks")).get(0);
    Files.delete(object);
    String key = "chunks/" + object.getFileName();
    CommandRun run = zarr("validate", broken.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).contains(key + ": it is missing: chunk (", " of /g/h/noise in manifest ");
    assertThat(zarr("validate", broken.toString(), "--json").out())
        .startsWith("{\"place\":\"" + key + "\",\"finding\":\"it is missing: chunk (");
    String tag = broken + "|icechunk://tag.v%201";
    assertThat(zarr("validate", tag).out()).contains(key);
    assertThat(zarr("validate", broken + "|icechunk://" + EARLY).exitCode())
        .as("an early snapshot without chunks")
        .isZero();
    assertThat(zarr("validate", broken + "|icechunk://" + EARLY, "--history").out()).contains(key);
    for (Path each : files(broken.resolve("manifests"))) {
      Files.delete(each);
    }
    CommandRun without = zarr("validate", broken.toString());
    assertThat(without.exitCode()).isOne();
    assertThat(without.out()).contains("manifests/", "is missing", " findings.");
    assertThat(without.err()).contains("the rest of the nodes was not checked");
  }

  @Test
  void the_history_of_what_is_no_repository_is_not_checked() {
    String copy = directory.resolve("plain.zarr").toString();
    good("copy", repository("basic-v2") + "|icechunk:", copy, "-q");
    CommandRun run = zarr("validate", copy, "--history");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("--history is for an Icechunk repository");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }

  private static List<Path> files(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "|icechunk://branch.none, has no branch \"none\"; it has the branches",
    "|icechunk://tag.gone, 'which was deleted; it has the tags \"v 1\"'",
    "|icechunk://NOID, is not the id of a snapshot",
    "|icechunk:@branch.main, has the form of an older draft",
    "|icechunk://branch.main?as-of=now, as-of is an instant",
    "|icechunk://branch.main?as-of=2001-01-01T00:00:00Z, at 2001-01-01T00:00:00Z or before it",
    "|icechunk://branch.main/none, no array or group",
  })
  void what_is_not_there_is_told(String segment, String message) {
    CommandRun run = zarr("info", repository("basic-v2") + segment);
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains(message);
  }

  @ParameterizedTest
  @CsvSource({"basic-v1, ''", "basic-v2, ''", "basic-v1, |icechunk:", "basic-v2, |icechunk:"})
  void a_repository_is_served_with_its_versions(String name, String segment) throws Exception {
    String repository = repository(name);
    try (ServeCommandTest.Running serving =
        new ServeCommandTest.Running("serve", repository + segment, "--port", "0")) {
      String versions = serving.url + "/__versions/";
      assertThat(serving.out()).contains("Its versions: " + versions);
      assertThat(tree(serving.url)).isEqualTo(tree(repository + "|icechunk:"));
      assertThat(tree(versions + "tag.v%201"))
          .isEqualTo(tree(repository + "|icechunk://tag.v%201"));
      assertThat(tree(versions + "branch.other%20name.1"))
          .isEqualTo(tree(repository + "|icechunk://branch.other%20name.1"));
      assertThat(good("read", "--format=json", versions + "branch.main/g/plane"))
          .isEqualTo(good("read", "--format=json", repository + "|icechunk://branch.main/g/plane"));
      String told = get(serving.url + "/api/versions.json");
      List<String> ids =
          good("history", repository, "--json")
              .lines()
              .map(line -> line.replaceFirst("\\{\"id\":\"(\\w+)\".*", "$1"))
              .toList();
      assertThat(told)
          .contains(
              "\"version\":\"branch.main\"", "\"href\":\"../__versions/branch.other%20name.1/\"")
          .contains("\"message\":\"changes\"", "\"is_complete\":true")
          .doesNotContain("gone");
      assertThat(told.substring(told.indexOf("\"history\""))).containsSubsequence(ids);
      for (String id : ids.subList(0, ids.size() - 1)) { // the first snapshot is empty
        assertThat(tree(versions + id)).isEqualTo(tree(repository + "|icechunk://" + id));
      }
      for (String missing :
          List.of("branch.none", "tag.gone", "NOID", "00000000000000000000", "branch.main/none")) {
        CommandRun run = zarr("info", versions + missing, "--no-retry");
        assertThat(run.err()).as(missing).containsPattern("not a Zarr directory|no array or group");
      }
    }
  }

  @Test
  void a_served_branch_follows_the_commits_and_a_snapshot_stays() throws Exception {
    Path live = directory.resolve("live");
    copy(directory.resolve("basic-v2"), live);
    String old =
        good("history", live + "|icechunk://tag.v%201", "--json", "-n", "1")
            .replaceFirst("(?s)\\{\"id\":\"(\\w+)\".*", "$1");
    Path now = live.resolve("repo");
    byte[] last = Files.readAllBytes(now);
    Files.write(now, Files.readAllBytes(before(live, old)));
    try (ServeCommandTest.Running serving =
        new ServeCommandTest.Running("serve", live.toString(), "--port", "0")) {
      assertThat(tree(serving.url)).contains("nothing");
      Files.write(now, last);
      Waiting.eventually("the commit", () -> !tree(serving.url).contains("nothing"));
      assertThat(tree(serving.url + "/__versions/" + old)).contains("nothing");
    }
  }

  /** Returns the state of a repository in which the branch main had a snapshot. */
  private static Path before(Path live, String snapshot) throws IOException {
    List<Path> states;
    try (Stream<Path> files = Files.list(live.resolve("overwritten"))) {
      states = files.sorted().toList();
    }
    byte[] last = Files.readAllBytes(live.resolve("repo"));
    try {
      for (Path state : states) {
        Files.write(live.resolve("repo"), Files.readAllBytes(state));
        if (good("history", live.toString(), "--json", "-n", "1")
            .startsWith("{\"id\":\"" + snapshot)) {
          return state;
        }
      }
    } finally {
      Files.write(live.resolve("repo"), last);
    }
    throw new AssertionError("no state with " + snapshot + " in " + states);
  }

  /** Returns the lines of a tree below its root. */
  private static String tree(String location) {
    String tree = good("tree", location);
    return tree.substring(tree.indexOf('\n') + 1);
  }

  private static String get(String url) throws IOException {
    try (InputStream in = URI.create(url).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void a_repository_is_not_written_to_without_a_message() {
    CommandRun run = zarr("rm", repository("basic-v2") + "|icechunk:", "-y");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("is changed by a commit: --message TEXT makes one");
  }

  private static String repository(String name) {
    return directory.resolve(name).toString();
  }

  private static String good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }
}
