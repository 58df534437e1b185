package dev.zarrreactive.house;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The rules of the house that only the source files can be asked about, for every module. */
class SourceFilesTest {

  private static final int MOST_LINES = 400;

  private static final int MOST_FILES = 25;

  /** One file for each data type of the specification. */
  private static final String ONE_FILE_A_TYPE = "dev.zarrreactive.datatype";

  @Test
  void no_file_of_main_code_is_over_400_lines() {
    assertThat(SourceFiles.ofMainCode())
        .isNotEmpty()
        .allSatisfy(
            file ->
                assertThat(SourceFiles.textOf(file).lines())
                    .as("%s: one idea per file, at most %d lines", file, MOST_LINES)
                    .hasSizeLessThanOrEqualTo(MOST_LINES));
  }

  @Test
  void every_package_of_main_code_is_null_marked() {
    List<Path> packages =
        SourceFiles.ofMainCode().stream()
            .filter(file -> !SourceFiles.packageOf(file).isEmpty())
            .map(Path::getParent)
            .distinct()
            .toList();
    assertThat(packages)
        .allSatisfy(
            directory ->
                assertThat(directory.resolve("package-info.java"))
                    .content()
                    .contains("@NullMarked"));
  }

  @Test
  void no_package_of_main_code_has_more_than_25_files() {
    Set<String> large = moreThan(MOST_FILES, SourceFiles::packageOf);
    large.remove(ONE_FILE_A_TYPE);
    assertThat(large).as("packages with more than %d files", MOST_FILES).isEmpty();
  }

  @Test
  void a_class_name_of_main_code_occurs_once_in_the_project() {
    Set<String> twice = moreThan(1, SourceFilesTest::className);
    twice.remove("package-info");
    twice.remove("module-info");
    assertThat(twice).as("names that two classes have").isEmpty();
  }

  private static String className(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static Set<String> moreThan(int most, Function<Path, String> feature) {
    Map<String, Long> counts =
        SourceFiles.ofMainCode().stream().collect(groupingBy(feature, TreeMap::new, counting()));
    counts.values().removeIf(count -> count <= most);
    return new TreeSet<>(counts.keySet());
  }
}
