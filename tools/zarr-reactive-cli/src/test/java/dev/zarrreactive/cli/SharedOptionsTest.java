package dev.zarrreactive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** The table of options that several commands have, in {@code docs/command.md}. */
class SharedOptionsTest {
  private static final Path PAGE = Path.of("../../docs/command.md");
  private static final String BEGIN = "<!-- options of several commands -->\n";

  private static final List<String> OPTIONS =
      List.of("--select", "--include", "--concurrency", "--dry-run", "--json");

  @Test
  void the_page_says_which_command_has_which_option() throws Exception {
    String page = Files.readString(PAGE).replace("\r\n", "\n");
    assertThat(page).contains(BEGIN);
    String table = page.substring(page.indexOf(BEGIN) + BEGIN.length());
    assertThat(table.substring(0, table.indexOf("\n\n") + 1)).isEqualTo(table());
  }

  @Test
  void every_include_has_its_exclude() {
    for (CommandLine command : ZarrCommand.fullModel().getSubcommands().values()) {
      CommandSpec spec = command.getCommandSpec();
      assertThat(has(spec, "--exclude")).isEqualTo(has(spec, "--include"));
    }
  }

  private static String table() {
    StringBuilder table =
        new StringBuilder(
            "| | `--select` | `--include`, `--exclude` | `--concurrency` | `--dry-run` | `--json` |"
                + " `-` |\n|---|---|---|---|---|---|---|\n");
    ZarrCommand.fullModel()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              CommandSpec spec = command.getCommandSpec();
              List<Boolean> cells =
                  OPTIONS.stream()
                      .map(option -> has(spec, option))
                      .collect(Collectors.toCollection(ArrayList::new));
              cells.add(takesStandardStream(spec));
              if (cells.contains(true)) {
                table.append("| `").append(name).append("` |");
                cells.forEach(cell -> table.append(cell ? " × |" : " |"));
                table.append('\n');
              }
            });
    return table.toString();
  }

  private static boolean has(CommandSpec command, String option) {
    return command.findOption(option) != null;
  }

  /** Whether the help of an argument says that {@code -} stands for a standard stream. */
  private static boolean takesStandardStream(CommandSpec command) {
    return command.args().stream()
        .filter(argument -> !argument.hidden())
        .map(SharedOptionsTest::text)
        .anyMatch(text -> text.contains(" - ") || text.contains("- is standard"));
  }

  private static String text(ArgSpec argument) {
    return String.join(" ", argument.description()) + " ";
  }
}
