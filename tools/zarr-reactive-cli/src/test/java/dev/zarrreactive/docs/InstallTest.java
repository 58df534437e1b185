package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares pages with the sample projects of {@code testing/samples}, which a script builds and
 * runs: a fenced block that follows {@code <!-- from: FILE -->} is a part of that file.
 */
class InstallTest {
  private static final Path SAMPLES = Pages.ROOT.resolve("testing/samples");
  private static final Path INSTALL = Pages.ROOT.resolve("docs/install.md");
  private static final Pattern FROM = Pattern.compile("<!-- from: (testing/samples/[^ ]+) -->");
  private static final List<String> LANGUAGES = List.of("java", "kotlin", "python", "sh", "xml");

  /** Returns whether a block names a file of a sample project as the place that it is from. */
  static boolean isOfASampleProject(Pages.Fence fence) {
    return FROM.matcher(fence.comment()).matches();
  }

  static Stream<Path> pages() {
    return Pages.all().stream();
  }

  static Stream<Path> projects() throws IOException {
    try (Stream<Path> entries = Files.list(SAMPLES)) {
      return entries
          .filter(entry -> Files.isDirectory(entry) && !entry.endsWith("target"))
          .filter(entry -> !entry.endsWith("dependencies")) // prints no more than its sizes
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_block_of_a_sample_project_stands_in_its_file(Path page) throws IOException {
    for (String language : LANGUAGES) {
      for (Pages.Fence fence : Pages.fences(page, language)) {
        Matcher from = FROM.matcher(fence.comment());
        if (from.matches()) {
          assertThat(partOf(Pages.ROOT.resolve(from.group(1)), fence.text()))
              .as("%s, line %d, is a part of %s", page, fence.line(), from.group(1))
              .isPresent();
        }
      }
    }
  }

  @Test
  void every_block_of_the_page_of_installation_is_of_a_sample_project() {
    List<Pages.Fence> fences =
        LANGUAGES.stream().flatMap(name -> Pages.fences(INSTALL, name).stream()).toList();
    assertThat(fences).hasSizeGreaterThan(10).allMatch(InstallTest::isOfASampleProject);
  }

  @ParameterizedTest
  @MethodSource("projects")
  void the_page_of_a_sample_project_has_its_command_and_what_it_prints(Path project) {
    Path page = project.resolve("README.md");
    assertThat(Pages.fences(page, "sh")).isNotEmpty();
    assertThat(Pages.fences(page, "sh").get(0).text()).as("one command").doesNotContain("\n");
    assertThat(Pages.fences(page, "text")).isNotEmpty();
  }

  @Test
  void sample_projects_take_the_version_of_this_project() throws IOException {
    String parent = Files.readString(Pages.ROOT.resolve("pom.xml"));
    Matcher version = Pattern.compile("(?m)^  <version>([^<]+)</version>").matcher(parent);
    assertThat(version.find()).isTrue();
    Pattern named =
        Pattern.compile("<zarr.version>([^<]+)<|getOrElse\\(\"([^\"]+)\"|-spark:(\\S+) ");
    int found = 0;
    try (Stream<Path> files = Files.walk(SAMPLES, 3)) {
      List<Path> builds =
          files.filter(file -> file.toString().matches(".*([.]xml|kts|md)")).toList();
      for (Path build : builds) {
        Matcher name = named.matcher(Files.readString(build));
        while (!build.startsWith(SAMPLES.resolve("target")) && name.find()) {
          found++;
          assertThat(name.group()).as(build.toString()).contains(version.group(1));
        }
      }
    }
    assertThat(found).as("builds that name the version").isGreaterThan(6);
  }

  /** Finds a text in a file, in whole lines, whatever both are indented by. */
  private static Optional<String> partOf(Path file, String text) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<String> wanted = text.lines().toList();
    for (int start = 0; start + wanted.size() <= lines.size(); start++) {
      String part = String.join("\n", lines.subList(start, start + wanted.size())).stripIndent();
      if (part.strip().equals(text.strip())) {
        return Optional.of(part);
      }
    }
    return Optional.empty();
  }
}
