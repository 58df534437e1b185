package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The samples of the documentation are code that runs: each fenced block of Java or Kotlin follows
 * a comment that names it, and equals what stands in the test sources of this package, or of the
 * services, between the markers {@code // docs: NAME} and {@code // docs: end}. Parts of the sample
 * projects are the task of {@link InstallTest}.
 */
class SamplesTest {
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src/test/java/dev/zarrreactive/docs"),
          Path.of("../../integrations/zarr-reactive-spark/src/test/java/dev/zarrreactive/spark"),
          Path.of("../../integrations/zarr-reactive-flink/src/test/java/dev/zarrreactive/flink"),
          Path.of("../../integrations/zarr-reactive-arrow/src/test/java/dev/zarrreactive/arrow"),
          Path.of(
              "../../integrations/zarr-reactive-imglib2/src/test/java/dev/zarrreactive/imglib2"),
          Path.of("../../zarr-reactive-anndata/src/test/java/dev/zarrreactive/anndata"),
          Path.of("../../zarr-reactive-icechunk/src/test/java/dev/zarrreactive/icechunk"),
          Path.of(
              "../../integrations/zarr-reactive-webflux/src/test/java/dev/zarrreactive/webflux"),
          Path.of(
              "../../testing/zarr-reactive-service-tests/src/test/java/dev/zarrreactive/service"),
          Path.of(
              "../../testing/zarr-reactive-service-tests/src/test/kotlin/dev/zarrreactive/service"));
  private static final List<String> LANGUAGES = List.of("java", "kotlin");

  static Stream<Path> pages() {
    return Pages.all().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_sample_is_code_that_is_tested(Path page) {
    Map<String, String> code = code();
    for (Pages.Fence fence : fences(page)) {
      String name = fence.comment().replaceFirst("^<!-- sample: (.*) -->$", "$1");
      assertThat(code).as("%s, line %d", page, fence.line()).containsKey(name);
      assertThat(fence.text()).as("sample %s in %s", name, page).isEqualTo(code.get(name));
    }
  }

  @Test
  void all_the_code_that_is_marked_is_shown() {
    Set<String> shown = new HashSet<>();
    pages()
        .flatMap(page -> fences(page).stream())
        .forEach(fence -> shown.add(fence.comment().replaceAll("<!-- sample: | -->", "")));
    assertThat(shown).isEqualTo(code().keySet());
  }

  private static List<Pages.Fence> fences(Path page) {
    return LANGUAGES.stream()
        .flatMap(name -> Pages.fences(page, name).stream())
        .filter(fence -> !InstallTest.isOfASampleProject(fence))
        .toList();
  }

  private static Map<String, String> code() {
    Map<String, String> code = new HashMap<>();
    for (Path directory : SOURCES) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.filter(path -> path.toString().matches(".*\\.(java|kt)")).toList()) {
          collect(Files.readAllLines(file), code);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return code;
  }

  private static void collect(List<String> source, Map<String, String> code) {
    String name = "";
    List<String> lines = new ArrayList<>();
    for (String line : source) {
      String stripped = line.strip();
      if (!stripped.startsWith("// docs: ")) {
        lines.add(line);
      } else if (stripped.equals("// docs: end")) {
        String text = String.join("\n", lines).stripTrailing().stripIndent().strip();
        assertThat(code.put(name, text)).as("two samples are called %s", name).isNull();
      } else {
        name = stripped.substring("// docs: ".length());
        lines.clear();
      }
    }
  }
}
