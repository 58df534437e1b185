package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Sampled;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several processes commit to one repository on disk, and no commit is lost, even if one is killed.
 */
@Timeout(600)
class CommitsOfProcessesTest {
  /** The writers of a process. */
  private static final int WRITERS = 4;

  /** Longer than a commit takes. */
  private static final int MOST_NANOS = 20_000_000;

  @TempDir Path directory;

  private IcechunkRepository repository(int chunks) {
    Store place = FileSystemStore.open(directory);
    IcechunkRepository made = await(Icechunk.create(place));
    IcechunkSession session = await(made.session("main"));
    SessionTree.put(session, "a/zarr.json", SessionTree.array(chunks));
    await(session.commit("an array"));
    return made;
  }

  private static Map<Integer, String> acknowledged(ChildProcess process) {
    Map<Integer, String> commits = new TreeMap<>();
    for (String line = process.line(); line != null; line = process.line()) {
      String[] words = line.split(" ", -1);
      commits.put(Integer.valueOf(words[0]), words[1]);
    }
    return commits;
  }

  /** {@code -Dzarr.together=60s} lets them commit for so long. */
  @Test
  @Sampled
  void eight_writers_of_two_processes_commit_at_once_and_every_commit_is_in_the_history() {
    String much = System.getProperty("zarr.together", "" + Cases.some(6, 60));
    IcechunkRepository repository = repository(2 * WRITERS * CommittingProcess.MOST);
    Map<Integer, String> commits;
    try (ChildProcess one =
            ChildProcess.start(
                CommittingProcess.class, directory.toString(), "0", much, "" + WRITERS);
        ChildProcess other =
            ChildProcess.start(
                CommittingProcess.class,
                directory.toString(),
                "" + WRITERS * CommittingProcess.MOST,
                much,
                "" + WRITERS)) {
      CompletableFuture<Map<Integer, String>> others =
          CompletableFuture.supplyAsync(() -> acknowledged(other));
      commits = acknowledged(one);
      commits.putAll(others.join());
    }
    if (!much.endsWith("s")) {
      assertThat(commits).hasSize(2 * WRITERS * Integer.parseInt(much));
    }
    System.out.println(commits.size() + " commits of eight writers in a directory");
    IcechunkRepository last = await(repository.refresh());
    assertHistory(last, commits, true);
    assertThat(await(last.checkHistory())).isEmpty();
  }

  /**
   * A process dies at some moment of a commit: within the few milliseconds after it has told of the
   * one before. What it had stored by then leads nowhere.
   */
  @Test
  @Sampled
  @Timeout(1800)
  void a_process_that_is_killed_leaves_each_commit_whole_or_not_at_all() {
    int kills = Cases.some(4, 200);
    Random random = new Random(kills);
    IcechunkRepository repository = repository(1000 * kills);
    Map<Integer, String> commits = new TreeMap<>();
    int untold = 0;
    for (int kill = 0; kill < kills; kill++) {
      Map<Integer, String> told = new TreeMap<>();
      try (ChildProcess writer =
          ChildProcess.start(
              CommittingProcess.class, directory.toString(), "" + 1000 * kill, "1000")) {
        for (int seen = 0; seen <= kill % 3; seen++) {
          String[] words = writer.line().split(" ", -1);
          told.put(Integer.valueOf(words[0]), words[1]);
        }
        LockSupport.parkNanos(random.nextInt(MOST_NANOS));
        writer.kill();
        told.putAll(acknowledged(writer));
      }
      commits.putAll(told);
      repository = await(repository.refresh());
      untold += assertWhole(repository, told, 1000 * kill);
    }
    assertHistory(repository, commits, false);
    assertThat(await(repository.checkHistory())).isEmpty();
    long snapshots =
        await(FileSystemStore.open(directory).listPrefix(StorePrefix.of("snapshots/")).count());
    long inHistory = await(repository.history(IcechunkVersion.MAIN).count());
    System.out.println(
        kills
            + " kills: "
            + commits.size()
            + " commits were told, "
            + untold
            + " more are there whole, and of "
            + (snapshots - inHistory)
            + " there is a snapshot that nothing refers to");
  }

  /** Returns the number of commits of a process that are there, and that it did not tell. */
  private static int assertWhole(
      IcechunkRepository repository, Map<Integer, String> told, int first) {
    Map<Integer, String> stored = new TreeMap<>();
    await(
        repository
            .history(IcechunkVersion.MAIN)
            .takeWhile(each -> number(each) >= first)
            .doOnNext(each -> stored.put(number(each), each.id()))
            .then());
    Store now = await(repository.store(IcechunkVersion.MAIN));
    for (int i = first; i < first + stored.size() + 2; i++) {
      assertThat(SessionTree.get(now, "a/c/" + i))
          .isEqualTo(stored.containsKey(i) ? "chunk " + i : "nothing");
    }
    told.forEach((i, id) -> assertThat(stored).containsEntry(i, id));
    assertThat(await(repository.check(IcechunkVersion.MAIN))).isEmpty();
    return stored.size() - told.size();
  }

  private static int number(IcechunkSnapshot snapshot) {
    String[] words = snapshot.message().split(" ", -1);
    return words[0].equals("chunk") ? Integer.parseInt(words[1]) : -1;
  }

  private static void assertHistory(
      IcechunkRepository repository, Map<Integer, String> commits, boolean isAll) {
    List<String> ids = new ArrayList<>();
    await(repository.history(IcechunkVersion.MAIN)).forEach(each -> ids.add(each.id()));
    assertThat(new HashSet<>(ids)).hasSameSizeAs(ids).containsAll(commits.values());
    if (isAll) {
      assertThat(ids).hasSize(commits.size() + 2);
    }
    Store now = await(repository.store(IcechunkVersion.MAIN));
    commits
        .keySet()
        .forEach(i -> assertThat(SessionTree.get(now, "a/c/" + i)).isEqualTo("chunk " + i));
    assertThat(await(repository.check(IcechunkVersion.MAIN))).isEmpty();
  }
}
