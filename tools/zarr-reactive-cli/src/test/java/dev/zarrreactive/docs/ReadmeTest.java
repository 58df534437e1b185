package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the documentation with the project. */
class ReadmeTest {
  private static final Path README = Pages.ROOT.resolve("README.md");
  private static final Path SUPPORTED = Pages.ROOT.resolve("docs/supported.md");
  private static final Path LIST = Pages.ROOT.resolve("docs/README.md");
  private static final Pattern ROW = Pattern.compile("\\| \\[[^]]+]\\(([^)]+)\\) \\|.*");
  private static final Path DECISIONS = Pages.ROOT.resolve("docs/decisions");

  @Test
  void every_decision_stands_in_the_index_with_a_status() throws IOException {
    List<String> index = Pages.lines(DECISIONS.resolve("README.md"));
    try (Stream<Path> decisions = Files.list(DECISIONS)) {
      for (Path decision : decisions.filter(path -> !path.endsWith("README.md")).toList()) {
        String name = decision.getFileName().toString();
        String row = "| [" + name.substring(0, 4) + "](" + name + ") |";
        assertThat(index.stream().filter(line -> line.startsWith(row)).toList())
            .as(name)
            .singleElement()
            .asString()
            .matches(".*[.] \\| (holds|in part.*|replaced by \\[.*) \\|");
      }
    }
  }

  @Test
  void every_page_of_the_documentation_is_in_the_list_of_pages_once() throws IOException {
    List<Path> listed = new ArrayList<>();
    for (String line : Pages.lines(LIST)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        listed.add(LIST.resolveSibling(row.group(1)).normalize());
      }
    }
    assertThat(listed).doesNotHaveDuplicates();
    List<Path> pages =
        Pages.all().stream()
            .filter(page -> page.startsWith(LIST.getParent()) && !page.equals(LIST))
            .filter(page -> !page.startsWith(DECISIONS) || page.endsWith("README.md"))
            .toList();
    assertThat(listed).containsAll(pages);
    assertThat(listed)
        .contains(
            Pages.ROOT.resolve("CONTRIBUTING.md"),
            Pages.ROOT.resolve("CHANGELOG.md"),
            Pages.ROOT.resolve("benchmarks/README.md"),
            Pages.ROOT.resolve("benchmarks/history.md"));
    try (Stream<Path> root = Files.list(Pages.ROOT)) {
      assertThat(listed)
          .containsAll(
              root.filter(path -> path.toString().endsWith(".md") && !path.equals(README))
                  .toList());
    }
  }

  @Test
  void the_readme_is_short() throws IOException {
    assertThat(Files.size(README)).isLessThanOrEqualTo(8192);
  }

  /** Each figure of the README is one of the benchmarks' page. */
  @Test
  void the_figures_of_the_readme_are_those_of_the_benchmarks() throws IOException {
    String measured = Files.readString(Pages.ROOT.resolve("benchmarks/README.md"));
    List<String> rows =
        Pages.lines(README).stream()
            .dropWhile(line -> !line.equals("## Figures"))
            .filter(line -> line.startsWith("| ") && !line.startsWith("| what "))
            .takeWhile(line -> !line.startsWith("| to "))
            .toList();
    assertThat(rows).hasSize(5);
    for (String row : rows) {
      String result = row.split(" \\| ")[1];
      Matcher figure = Pattern.compile("\\d+([.]\\d+)?( [a-z]+)?").matcher(result);
      while (figure.find()) {
        String number = figure.group().replaceFirst(" to$", "");
        assertThat(measured).as(row).containsPattern("\\b" + Pattern.quote(number) + "\\b");
      }
    }
  }

  /** The file of the README, pasted and run by itself, prints what stands beside its lines. */
  @Test
  void the_java_of_the_readme_runs_as_it_is(@TempDir Path directory) throws Exception {
    Pages.Fence java = Pages.fences(README, "java").get(0);
    Files.writeString(directory.resolve("Europe.java"), java.text());
    assertThat(CommandRun.zarr("demo", "--save", directory + "/earth.zarr").exitCode()).isZero();
    List<String> expected = new ArrayList<>();
    Matcher print = Pattern.compile("System[.]out[.]println\\(.*\\); // (.*)").matcher(java.text());
    while (print.find()) {
      expected.add(print.group(1));
    }
    assertThat(expected).hasSize(2);
    Path log = directory.resolve("errors.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "Europe.java")
            .directory(directory.toFile())
            .redirectError(log.toFile())
            .start();
    try (var lines = process.inputReader().lines()) {
      assertThat(lines.toList()).as(Files.readString(log)).isEqualTo(expected);
    } finally {
      process.destroy();
    }
  }

  @Test
  void the_commands_of_the_readme_are_those_that_exist() throws IOException {
    List<String> commands =
        Pages.fences(README, "sh").stream().flatMap(fence -> fence.text().lines()).toList();
    assertThat(commands).contains("./zarr demo", "./mvnw verify");
    assertThat(Files.readString(Pages.ROOT.resolve(".ci/run")).lines()).contains("./mvnw verify");
    assertThat(Pages.ROOT.resolve("zarr")).isExecutable();
    assertThat(Pages.ROOT.resolve("mvnw")).isExecutable();
  }

  @Test
  void the_table_of_what_is_supported_names_exactly_what_is_there() {
    assertThat(namesIn("Codecs")).containsExactlyInAnyOrderElementsOf(withoutOldNames());
    List<String> types = new ArrayList<>(DataTypes.named().stream().map(DataType::name).toList());
    types.add("r<N>");
    DataTypes.ofVariableLength().forEach(type -> types.add(type.name()));
    assertThat(namesIn("Data types")).containsExactlyInAnyOrderElementsOf(types);
    assertThat(namesIn("Chunk grids")).containsExactlyInAnyOrderElementsOf(ChunkGrid.names());
    assertThat(namesIn("Chunk key encodings"))
        .containsExactlyInAnyOrderElementsOf(ChunkKeyEncoding.names());
  }

  /**
   * {@code endian} is what drafts called {@code bytes}; {@code v2.} and {@code draft.} are for old
   * data, and so are {@code zarrs.} and the URLs of zarrs.
   */
  private static Collection<String> withoutOldNames() {
    return CodecRegistry.standard().names().stream()
        .filter(name -> !name.equals("endian") && !name.matches("(v2|draft|zarrs)[.].*|https:.*"))
        .toList();
  }

  /** The names in the second column of a row. */
  private static List<String> namesIn(String row) {
    String line =
        Pages.lines(SUPPORTED).stream()
            .filter(text -> text.startsWith("| " + row + " |"))
            .findFirst()
            .orElseThrow();
    List<String> names = new ArrayList<>();
    Matcher name = Pattern.compile("`([^`]+)`").matcher(line.split("\\|")[2]);
    while (name.find()) {
      names.add(name.group(1));
    }
    return names;
  }
}
