package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the workflows and the page of a release run is there. */
class WorkflowsTest {
  private static final Path WORKFLOWS = Pages.ROOT.resolve(".github/workflows");
  private static final Path RELEASING = Pages.ROOT.resolve("RELEASING.md");

  /** A script of the project, at the beginning of a word. */
  private static final Pattern SCRIPT =
      Pattern.compile(
          "(?<![\\w/.-])((?:\\./(?=mvnw|zarr)|[.]ci/|release/|benchmarks/)[\\w./]*\\w)(?![\\w/*-])");

  private static final Pattern MODULE = Pattern.compile(":(zarr-reactive-[a-z0-9-]+)");
  private static final Pattern TEST = Pattern.compile("\\b([A-Z]\\w*Test)\\b");
  private static final Pattern PROFILE = Pattern.compile("(?<=\\s)-P([a-z][a-z0-9.-]*[a-z0-9])");
  private static final Pattern SKIPPED = Pattern.compile("!([a-z/0-9-]+)");

  static Stream<Path> workflows() throws IOException {
    try (Stream<Path> files = Files.list(WORKFLOWS)) {
      return files.sorted().toList().stream();
    }
  }

  static Stream<Path> whatNamesScripts() throws IOException {
    Stream<Path> scripts =
        Stream.of("bundle", "reproduce", "upload", "compare-api", "version")
            .map(name -> Pages.ROOT.resolve("release/" + name));
    return Stream.of(
            workflows(),
            Stream.of(RELEASING, Pages.ROOT.resolve(".ci/run")),
            Stream.of(Pages.ROOT.resolve("docs/stability.md")),
            scripts)
        .flatMap(all -> all);
  }

  @ParameterizedTest
  @MethodSource("whatNamesScripts")
  void every_script_that_is_named_is_there(Path file) throws IOException {
    for (String name : found(SCRIPT, file)) {
      Path script = Pages.ROOT.resolve(name);
      assertThat(script).as(file + ": " + name).exists();
      if (!name.endsWith(".java") && Files.isRegularFile(script)) {
        assertThat(script).as(file + ": " + name).isExecutable();
      }
    }
  }

  @Test
  void scripts_are_found_in_each_workflow() throws IOException {
    for (Path workflow : workflows().toList()) {
      assertThat(found(SCRIPT, workflow)).as(workflow.toString()).isNotEmpty();
    }
    assertThat(found(SCRIPT, RELEASING))
        .contains("release/bundle", "release/reproduce", "release/CheckBundle.java", ".ci/run");
  }

  @ParameterizedTest
  @MethodSource("whatNamesScripts")
  void every_module_test_and_profile_that_is_named_is_there(Path file) throws IOException {
    List<String> modules = Pages.lines(Pages.ROOT.resolve("pom.xml"));
    for (String module : found(MODULE, file)) {
      assertThat(modules).as(file + ": " + module).anyMatch(line -> line.contains(module + "<"));
    }
    for (String test : found(TEST, file)) {
      assertThat(sources()).as(file + ": " + test).anyMatch(path -> path.endsWith(test + ".java"));
    }
    for (String profile : found(PROFILE, file)) {
      assertThat(modules).as(file + ": -P" + profile).contains("      <id>" + profile + "</id>");
    }
  }

  @Test
  void the_modules_that_the_scripts_skip_are_there() throws IOException {
    List<String> modules = Pages.lines(Pages.ROOT.resolve("pom.xml"));
    for (String script : List.of("bundle", "compare-api")) {
      List<String> skipped = new ArrayList<>();
      for (String line : Pages.lines(Pages.ROOT.resolve("release/" + script))) {
        if (line.contains("-pl '!")) {
          SKIPPED.matcher(line).results().forEach(module -> skipped.add(module.group(1)));
        }
      }
      assertThat(skipped).as(script).isNotEmpty();
      assertThat(modules).as(script).containsAll(skipped.stream().map(this::asModule).toList());
    }
  }

  /** Returns the sources of all tests. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String line : Pages.lines(Pages.ROOT.resolve("pom.xml"))) {
      if (line.startsWith("    <module>")) {
        Path module = Pages.ROOT.resolve(line.replaceAll(" *</?module>", ""));
        Path tests = module.resolve("src/test/java");
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            files.forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }

  private String asModule(String path) {
    return "    <module>" + path + "</module>";
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void no_workflow_has_a_tab_and_each_asks_for_few_rights(Path workflow) throws IOException {
    String text = Files.readString(workflow);
    assertThat(text).doesNotContain("\t").contains("\npermissions:\n");
  }

  private static Set<String> found(Pattern pattern, Path file) throws IOException {
    Set<String> found = new TreeSet<>();
    for (MatchResult result : pattern.matcher(Files.readString(file)).results().toList()) {
      found.add(result.group(1));
    }
    return found;
  }
}
