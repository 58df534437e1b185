package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** The model of a line that names one command: it equals that part of the model of all. */
class SubcommandsTest {
  private static Set<String> added(String... line) {
    CommandLine zarr = new CommandLine(CommandSpec.create());
    Subcommands.add(zarr, line);
    return zarr.getSubcommands().keySet();
  }

  private static final CommandLine ALL = ZarrCommand.fullModel();

  static Set<String> commands() {
    return ALL.getSubcommands().keySet();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_line_that_begins_with_a_command_gets_that_one_alone_except_where_others_are_named(
      String command) {
    boolean namesOthers = Set.of("help", "completion").contains(command);
    assertThat(added(command, "x")).isEqualTo(namesOthers ? commands() : Set.of(command));
  }

  @Test
  void every_other_line_gets_all_commands_in_the_order_of_the_help() {
    List<String> all = List.copyOf(commands());
    for (String[] line :
        new String[][] {{}, {"--help"}, {"-q", "info", "x"}, {"inof"}, {"--array_path=x"}}) {
      assertThat(added(line)).containsExactlyElementsOf(all);
    }
    assertThat(all).startsWith("info", "header").endsWith("completion", "help");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void the_help_of_a_command_alone_is_that_in_the_model_of_all(String command) {
    CommandLine all = ALL.getSubcommands().get(command);
    assertThat(zarr(command, "--help").out()).isEqualTo(all.getUsageMessage(Ansi.OFF));
  }

  @Test
  void options_of_all_commands_stand_before_a_command_or_after_it() {
    String lat = CommandRun.EARTH + "/earth/lat";
    String after = zarr("info", lat, "--color", "always").out();
    assertThat(after).contains("\u001b[");
    assertThat(zarr("--color", "always", "info", lat).out()).isEqualTo(after);
  }
}
