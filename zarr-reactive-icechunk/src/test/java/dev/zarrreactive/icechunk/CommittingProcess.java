package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A program that commits chunks of its own to a repository on disk, and prints each snapshot. */
final class CommittingProcess {
  /** More commits than a writer makes. */
  static final int MOST = 1000;

  /** Where many writers contend a commit has pauses. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private CommittingProcess() {}

  /**
   * Takes the directory, the number of the first chunk, the number of commits of a writer, or a
   * time such as {@code 60s}, and the number of writers, each of which has a thousand chunks at
   * most.
   */
  public static void main(String[] arguments) throws InterruptedException {
    Store place = FileSystemStore.open(Path.of(arguments[0]));
    int first = Integer.parseInt(arguments[1]);
    int writers = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 1;
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      int from = first + MOST * writer;
      Thread thread = new Thread(() -> commit(place, from, arguments[2]));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void commit(Store place, int first, String much) {
    boolean isTimed = much.endsWith("s");
    long most = Long.parseLong(isTimed ? much.substring(0, much.length() - 1) : much);
    long end = System.nanoTime() + most * 1_000_000_000;
    IcechunkRepository repository = await(Icechunk.open(place));
    for (int i = first;
        isTimed ? System.nanoTime() < end && i < first + MOST : i < first + most;
        i++) {
      IcechunkSession session = await(repository.session("main"));
      SessionTree.put(session, "a/c/" + i, "chunk " + i);
      System.out.println(i + " " + session.commit("chunk " + i).block(PATIENCE));
    }
  }
}
