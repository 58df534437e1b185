package dev.zarrreactive.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the project that the rules of the house are read from. */
final class SourceFiles {

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  private static final Path PACKAGES = Path.of("src", "main", "java");

  private SourceFiles() {}

  /** Returns the Java files of main code of every module. */
  static List<Path> ofMainCode() {
    return Stream.concat(
            Stream.of(PROJECT), Stream.of("integrations", "tools", "testing").map(PROJECT::resolve))
        .flatMap(group -> listed(group).stream())
        .map(module -> module.resolve(PACKAGES))
        .filter(Files::isDirectory)
        .flatMap(packages -> below(packages, ".java").stream())
        .toList();
  }

  /** Returns the pages that readers of the project see. */
  static List<Path> pages() {
    return Stream.concat(
            listed(PROJECT).stream().filter(file -> file.toString().endsWith(".md")),
            below(PROJECT.resolve("docs"), ".md").stream())
        .toList();
  }

  /** Returns the name of the package of a Java file of main code; empty for a module-info. */
  static String packageOf(Path file) {
    String separator = file.getFileSystem().getSeparator();
    String packages = separator + PACKAGES + separator;
    String directory = file.getParent() + separator;
    String name = directory.substring(directory.indexOf(packages) + packages.length());
    return name.isEmpty() ? "" : name.substring(0, name.length() - 1).replace(separator, ".");
  }

  /** Returns the file's path inside of the project, as a reader types it. */
  static String nameOf(Path file) {
    return file.startsWith(PROJECT) ? PROJECT.relativize(file).toString() : file.toString();
  }

  static String textOf(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> listed(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> below(Path directory, String ending) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
