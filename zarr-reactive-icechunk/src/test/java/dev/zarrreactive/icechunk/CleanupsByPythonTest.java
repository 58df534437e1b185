package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A repository that we clean, and its copy that Python's icechunk cleans, have the same history and
 * the same objects; each program reads what the other one has left.
 */
@Timeout(900)
class CleanupsByPythonTest {
  private static final String SCRIPT = "clean_repositories.py";

  @TempDir Path directory;

  private Process python;
  private BufferedReader answers;
  private OutputStream questions;
  private Path log;

  @BeforeEach
  void start_python() throws IOException {
    String command = PythonInterpreter.find();
    assumeTrue(
        command != null,
        "no Python with icechunk was found, so that nobody cleans beside us; name one with"
            + " -DICECHUNK_PYTHON=/path/to/python");
    Path script = directory.resolve(SCRIPT);
    try (InputStream in = CleanupsByPythonTest.class.getResourceAsStream(SCRIPT)) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    }
    log = directory.resolve("log.txt");
    python = new ProcessBuilder(command, script.toString()).redirectError(log.toFile()).start();
    questions = python.getOutputStream();
    answers =
        new BufferedReader(new InputStreamReader(python.getInputStream(), StandardCharsets.UTF_8));
  }

  @AfterEach
  void end_python() {
    if (python != null) {
      python.destroyForcibly();
    }
  }

  @Sampled
  @Test
  void a_history_of_ours_is_cleaned_by_both_alike() throws IOException {
    for (int seed = 0; seed < Cases.some(8, 60); seed++) {
      Path place = directory.resolve("ours-" + seed);
      WrittenHistory history = new WrittenHistory(FileSystemStore.open(place), seed);
      history.write(10);
      history.forget(cleanBoth(place, new Random(seed)));
      history.checkAll();
      // and once more, over what Python has left
      Path its = directory.resolve("ours-" + seed + "-by-python");
      cleanBoth(its, new Random(seed + 1));
    }
  }

  @Test
  void a_repository_of_python_is_cleaned_by_both_alike() throws IOException {
    Path all = directory.resolve("all");
    Files.createDirectories(all);
    RepositoriesByPythonTest.unpackInto(all);
    List<Path> places = new ArrayList<>();
    try (Stream<Path> found = Files.list(all)) {
      found.filter(place -> Files.isRegularFile(place.resolve("repo"))).forEach(places::add);
    }
    int cleaned = 0;
    for (Path place : places) {
      IcechunkRepository repository = await(Icechunk.open(FileSystemStore.open(place)));
      if (repository.specVersion() == 2 && !repository.status().isReadOnly()) {
        cleanBoth(place, new Random(cleaned++));
      }
    }
    assertThat(cleaned).isGreaterThan(10);
  }

  private IcechunkCleaned cleanBoth(Path place, Random random) throws IOException {
    Path copy = place.resolveSibling(place.getFileName() + "-by-python");
    copy(place, copy);
    Store store = FileSystemStore.open(place);
    IcechunkRepository repository = await(Icechunk.open(store));
    List<IcechunkSnapshot> snapshots = await(repository.history(IcechunkVersion.MAIN));
    Instant before = snapshots.get(random.nextInt(snapshots.size())).time();
    boolean branches = random.nextBoolean();
    boolean tags = random.nextBoolean();
    IcechunkCleaned cleaned =
        await(
            repository.clean(
                IcechunkCleanup.nothing()
                    .withExpiration(before)
                    .withExpiredBranches(branches)
                    .withExpiredTags(tags)
                    .withCollection(Instant.now().plus(Duration.ofDays(1)))
                    .withYoungObjects(true)));
    LocatedJson byPython =
        ask(
            JsonObject.EMPTY
                .with("place", copy.toString())
                .with("before", ChronoUnit.MICROS.between(Instant.EPOCH, before))
                .with("branches", branches)
                .with("tags", tags));
    LocatedJson ofOurs = ask(JsonObject.EMPTY.with("place", place.toString()));
    String what = place.getFileName() + " before " + before + " " + branches + " " + tags;
    assertThat(ofOurs.member("histories").value())
        .as(what)
        .isEqualTo(byPython.member("histories").value());
    assertThat(histories(place)).as(what).isEqualTo(histories(copy));
    assertThat(objects(place)).as(what).isEqualTo(objects(copy));
    NeededObjects.assertNoOther(store);
    assertThat(faults(place)).as(what).isEqualTo(faults(copy));
    return cleaned;
  }

  private static List<String> faults(Path place) {
    return await(await(Icechunk.open(FileSystemStore.open(place))).checkHistory()).stream()
        .filter(IcechunkFinding::isFault)
        .map(IcechunkFinding::toString)
        .toList();
  }

  private static Map<String, List<String>> histories(Path place) {
    IcechunkRepository repository = await(Icechunk.open(FileSystemStore.open(place)));
    Map<String, List<String>> all = new TreeMap<>();
    for (IcechunkRef branch : await(repository.branches())) {
      all.put("branch " + branch.name(), history(repository, branch.snapshot()));
    }
    for (IcechunkRef tag : await(repository.tags())) {
      all.put("tag " + tag.name(), history(repository, tag.snapshot()));
    }
    return all;
  }

  private static List<String> history(IcechunkRepository repository, String snapshot) {
    return await(repository.history(IcechunkVersion.snapshot(snapshot))).stream()
        .map(IcechunkSnapshot::id)
        .toList();
  }

  /** All objects but copies of the info, of which each program makes its own. */
  private static TreeSet<String> objects(Path place) {
    TreeSet<String> keys = new TreeSet<>();
    await(FileSystemStore.open(place).listPrefix(StorePrefix.ROOT))
        .forEach(key -> keys.add(key.value()));
    keys.removeIf(key -> key.startsWith("overwritten/"));
    return keys;
  }

  private LocatedJson ask(JsonObject question) throws IOException {
    questions.write((question + "\n").getBytes(StandardCharsets.UTF_8));
    questions.flush();
    String answer = answers.readLine();
    assertThat(answer).as(() -> question + "\n" + read(log)).isNotNull();
    return JsonDocument.parse(
        ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
