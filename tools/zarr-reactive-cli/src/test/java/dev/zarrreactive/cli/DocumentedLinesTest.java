package dev.zarrreactive.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lines of the pages that no test runs, for they need servers of others: they are parsed. */
class DocumentedLinesTest {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @Test
  void every_line_of_the_command_in_a_script_is_a_line_that_it_accepts() throws Exception {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> pages = Files.walk(Path.of("../../docs"))) {
      for (Path page : pages.filter(path -> path.toString().endsWith(".md")).toList()) {
        lines.addAll(linesOfScripts(Files.readAllLines(page)));
      }
    }
    lines.addAll(linesOfScripts(Files.readAllLines(Path.of("../../README.md"))));
    assertThat(lines).hasSizeGreaterThanOrEqualTo(5).contains("zarr tree gs://bucket/earth.zarr");
    for (String line : lines) {
      assertThatCode(() -> ZarrCommand.fullModel().parseArgs(words(line)))
          .as(line)
          .doesNotThrowAnyException();
    }
  }

  /** Returns the lines that call the command itself, and not its script for an image. */
  private static List<String> linesOfScripts(List<String> page) {
    List<String> lines = new ArrayList<>();
    boolean isScript = false;
    for (String line : page) {
      if (line.startsWith("```")) {
        isScript = line.equals("```sh");
      } else if (isScript
          && line.matches("(\\./|[a-z-]+/bin/)?zarr .*")
          && !line.contains("--image")
          && !line.contains("--packages")) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static String[] words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      words.add(word.group(1) != null ? word.group(1) : word.group(2));
    }
    return words.subList(1, words.size()).toArray(String[]::new);
  }
}
