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
import org.junit.jupiter.api.Test;

/** The rules of the house that only the source files can be asked about, for every module. */
class SourceFilesTest {

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
  void a_class_name_of_main_code_occurs_once_in_the_project() {
    Map<String, Long> names =
        SourceFiles.ofMainCode().stream()
            .collect(groupingBy(SourceFilesTest::className, TreeMap::new, counting()));
    names.values().removeIf(count -> count == 1);
    Set<String> twice = new TreeSet<>(names.keySet());
    twice.remove("package-info");
    twice.remove("module-info");
    assertThat(twice).as("names that two classes have").isEmpty();
  }

  private static String className(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }
}
