package dev.zarrreactive.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes the repositories of Icechunk that are read, by the library of icechunk. Blocking. */
final class ComparedRepository {
  static final String REPOSITORY = "repo";
  static final String VIRTUAL = "virtual";
  static final String LARGE = "large";
  static final String SMALL = "small";
  static final String ADJACENT = "adjacent";

  private static final String FILE = "archive.bin";
  private static final String WHOLE = "whole";

  private final Path directory;
  private final List<String> program;
  private final File log;

  /**
   * Names the place of the repositories.
   *
   * @param directory which has them
   * @param sources the directory of the programs of other clients
   * @param installed the directory into which the script {@code install} has put the clients
   */
  ComparedRepository(Path directory, Path sources, Path installed, File log) {
    this.directory = directory;
    this.program =
        List.of(Peer.python(installed), sources.resolve("make_repository.py").toString());
    this.log = log;
  }

  Path directory() {
    return directory;
  }

  /** Makes the repository that has its own chunks, once; false where icechunk is not installed. */
  boolean make() throws IOException {
    Path mark = directory.resolve(WHOLE);
    if (Files.exists(mark)) {
      return true;
    }
    Files.createDirectories(directory);
    if (!run(REPOSITORY)) {
      return false;
    }
    Files.writeString(mark, "first edition");
    return true;
  }

  /** Makes the repository whose chunks lie in a file below a URL. */
  boolean makeVirtual(String url) {
    return run(VIRTUAL, url + FILE);
  }

  private boolean run(String... arguments) {
    List<String> command = new ArrayList<>(program);
    command.add(directory.toString());
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
