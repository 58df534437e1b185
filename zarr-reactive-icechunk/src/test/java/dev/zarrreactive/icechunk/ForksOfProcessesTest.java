package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Sampled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Forks write in other processes; a collection that is killed leaves a sound repository. */
@Timeout(600)
class ForksOfProcessesTest {
  private static final int CHUNKS = 50;
  private static final int MOST_NANOS = 60_000_000;

  @TempDir Path directory;

  @Test
  void two_processes_write_one_commit() throws IOException {
    Path place = directory.resolve("repository");
    IcechunkRepository repository = await(Icechunk.create(FileSystemStore.open(place)));
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(session, "a/zarr.json", SessionTree.array(2 * CHUNKS));
    Path fork = directory.resolve("fork");
    Files.write(fork, await(session.fork()).toByteArray());
    List<ChildProcess> processes = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        processes.add(
            ChildProcess.start(
                ForkingProcess.class,
                place.toString(),
                fork.toString(),
                directory.resolve("changes" + i).toString(),
                "" + CHUNKS * i,
                "" + CHUNKS));
      }
      for (ChildProcess process : processes) {
        assertThat(process.line()).isEqualTo("written");
      }
    } finally {
      processes.forEach(ChildProcess::close);
    }
    for (int i = 0; i < 2; i++) {
      byte[] changes = Files.readAllBytes(directory.resolve("changes" + i));
      await(session.merge(Bytes.wrap(changes)));
    }
    await(session.commit("of two processes"));
    Store main = await(await(repository.refresh()).store(IcechunkVersion.MAIN));
    for (int i = 0; i < 2 * CHUNKS; i++) {
      assertThat(SessionTree.get(main, "a/c/" + i)).isEqualTo("a chunk of number " + i);
    }
  }

  /** A process dies at some moment of a cleanup, and another one cleans the rest. */
  @Sampled
  @Test
  void a_cleanup_that_is_killed_leaves_a_sound_repository() {
    Random random = new Random(5);
    for (int kill = 0; kill < Cases.some(3, 40); kill++) {
      Path place = directory.resolve("repository" + kill);
      Store store = FileSystemStore.open(place);
      IcechunkRepository repository =
          TestRepositories.create(store, "inline_chunk_threshold_bytes", 0);
      for (int commit = 0; commit < 4; commit++) {
        IcechunkSession session = await(repository.session("main"));
        SessionTree.put(session, "a/zarr.json", SessionTree.array(100));
        for (int i = 0; i < 100; i++) {
          SessionTree.put(session, "a/c/" + i, commit + " " + i);
        }
        await(session.commit("commit " + commit));
      }
      try (ChildProcess cleaner = ChildProcess.start(CleaningProcess.class, place.toString())) {
        assertThat(cleaner.line()).isEqualTo("begun");
        LockSupport.parkNanos(random.nextInt(MOST_NANOS));
        cleaner.kill();
      }
      IcechunkRepository after = await(repository.refresh());
      assertThat(await(after.checkHistory())).isEmpty();
      Store main = await(after.store(IcechunkVersion.MAIN));
      for (int i = 0; i < 100; i++) {
        assertThat(SessionTree.get(main, "a/c/" + i)).isEqualTo("3 " + i);
      }
      await(after.clean(CleaningProcess.ALL));
      NeededObjects.assertNoOther(store);
    }
  }
}
