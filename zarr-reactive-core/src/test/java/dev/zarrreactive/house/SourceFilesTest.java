package dev.zarrreactive.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of the house that only the source files can be asked about, for every module. */
class SourceFilesTest {

  private static final int MOST_LINES = 400;

  @Test
  void no_file_of_main_code_is_over_400_lines() throws IOException {
    assertThat(mainSources())
        .isNotEmpty()
        .allSatisfy(
            file ->
                assertThat(linesOf(file))
                    .as("%s: one idea per file, at most %d lines", file, MOST_LINES)
                    .hasSizeLessThanOrEqualTo(MOST_LINES));
  }

  @Test
  void every_package_of_main_code_is_null_marked() throws IOException {
    List<Path> packages = mainSources().stream().map(Path::getParent).distinct().sorted().toList();
    assertThat(packages)
        .allSatisfy(
            directory ->
                assertThat(directory.resolve("package-info.java"))
                    .content()
                    .contains("@NullMarked"));
  }

  private static List<Path> mainSources() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of("..").toRealPath())) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(SourceFilesTest::javaFilesUnder)
          .sorted()
          .toList();
    }
  }

  private static Stream<Path> javaFilesUnder(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
