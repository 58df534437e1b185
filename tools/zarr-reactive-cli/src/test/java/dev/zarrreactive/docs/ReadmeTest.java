package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the documentation with the project. */
class ReadmeTest {
  private static final Path README = Pages.ROOT.resolve("README.md");
  private static final Path SUPPORTED = Pages.ROOT.resolve("docs/supported.md");
  private static final Pattern HEADING_LINK = Pattern.compile("!?\\[[^]]*]\\(([^)#]*)#([^)]*)\\)");
  private static final Pattern LINK = Pattern.compile("!?\\[[^]]*]\\(([^)#]+)(#[^)]*)?\\)");

  private static final Path DECISIONS = Pages.ROOT.resolve("docs/decisions");

  static Stream<Path> pages() {
    return Pages.everywhere().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_link_inside_the_project_leads_somewhere(Path page) {
    for (String line : Pages.lines(page)) {
      Matcher link = LINK.matcher(line);
      while (link.find()) {
        if (!link.group(1).contains(":")) {
          assertThat(page.resolveSibling(link.group(1))).as(page + ": " + link.group()).exists();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_link_to_a_heading_leads_to_one(Path page) {
    for (String line : Pages.lines(page)) {
      Matcher link = HEADING_LINK.matcher(line);
      while (link.find()) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        if (!link.group(1).contains(":") && target.toString().endsWith(".md")) {
          assertThat(headings(target)).as(page + ": " + link.group()).contains(link.group(2));
        }
      }
    }
  }

  /** Returns the headings of a page as links name them. */
  private static List<String> headings(Path page) {
    List<String> headings = new ArrayList<>();
    boolean isFence = false;
    for (String line : Pages.lines(page)) {
      isFence ^= line.startsWith("```");
      if (!isFence && line.startsWith("#")) {
        String text = line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT);
        headings.add(text.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'));
      }
    }
    return headings;
  }

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
   * data.
   */
  private static Collection<String> withoutOldNames() {
    return CodecRegistry.standard().names().stream()
        .filter(name -> !name.equals("endian") && !name.matches("(v2|draft)[.].*"))
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
