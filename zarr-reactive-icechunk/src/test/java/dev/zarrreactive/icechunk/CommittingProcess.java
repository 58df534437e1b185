package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;

/** A program that commits chunks of its own to a repository on disk, and prints each snapshot. */
final class CommittingProcess {
  private CommittingProcess() {}

  /** Takes the directory, the number of the first chunk and the number of commits. */
  public static void main(String[] arguments) {
    Store place = FileSystemStore.open(Path.of(arguments[0]));
    int first = Integer.parseInt(arguments[1]);
    int count = Integer.parseInt(arguments[2]);
    IcechunkRepository repository = await(Icechunk.open(place));
    for (int i = first; i < first + count; i++) {
      IcechunkSession session = await(repository.session("main"));
      SessionTree.put(session, "a/c/" + i, "chunk " + i);
      System.out.println(i + " " + await(session.commit("chunk " + i)));
    }
  }
}
