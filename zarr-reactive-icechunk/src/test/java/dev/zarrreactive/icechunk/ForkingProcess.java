package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that opens a fork from a file, writes chunks, and stores what it has changed. */
final class ForkingProcess {
  private ForkingProcess() {}

  /** Takes the repository, the files of the fork and of the changes, the first chunk, a count. */
  public static void main(String[] arguments) throws IOException {
    IcechunkRepository repository =
        await(Icechunk.open(FileSystemStore.open(Path.of(arguments[0]))));
    Bytes fork = Bytes.wrap(Files.readAllBytes(Path.of(arguments[1])));
    IcechunkSession forked = await(repository.openFork(fork));
    int first = Integer.parseInt(arguments[3]);
    for (int i = first; i < first + Integer.parseInt(arguments[4]); i++) {
      SessionTree.put(forked, "a/c/" + i, "a chunk of number " + i);
    }
    Files.write(Path.of(arguments[2]), await(forked.changes()).toByteArray());
    System.out.println("written");
  }
}
