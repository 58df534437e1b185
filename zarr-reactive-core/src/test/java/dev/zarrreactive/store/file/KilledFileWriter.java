package dev.zarrreactive.store.file;

import dev.zarrreactive.testing.JournaledWriter;
import java.nio.file.Path;

/** A process that writes to a directory until it is killed. */
final class KilledFileWriter {
  private KilledFileWriter() {}

  public static void main(String... arguments) {
    JournaledWriter.run(
        FileSystemStore.open(Path.of(arguments[0])), Integer.parseInt(arguments[1]));
  }
}
