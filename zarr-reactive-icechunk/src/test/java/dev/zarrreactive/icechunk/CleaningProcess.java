package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** A program that expires all snapshots but the last one, and collects the garbage. */
final class CleaningProcess {
  private CleaningProcess() {}

  static final IcechunkCleanup ALL =
      IcechunkCleanup.nothing()
          .withExpiration(Instant.MAX)
          .withCollection(Instant.now().plus(Duration.ofDays(1)))
          .withYoungObjects(true);

  /** Takes the directory. */
  public static void main(String[] arguments) {
    IcechunkRepository repository =
        await(Icechunk.open(FileSystemStore.open(Path.of(arguments[0]))));
    System.out.println("begun");
    await(repository.clean(ALL));
    System.out.println("done");
  }
}
