package dev.zarrreactive.store.file;

import dev.zarrreactive.testing.Counting;
import java.io.IOException;
import java.nio.file.Path;

/** One of two processes that count in the files of a directory. */
final class CountingInFiles {
  private CountingInFiles() {}

  public static void main(String... arguments) throws IOException {
    Counting.count(FileSystemStore.open(Path.of(arguments[0])), Integer.parseInt(arguments[1]));
  }
}
