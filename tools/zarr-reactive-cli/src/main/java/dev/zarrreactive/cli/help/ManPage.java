package dev.zarrreactive.cli.help;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A page of the manual in roff, for {@code man}. */
final class ManPage {
  private final StringBuilder roff = new StringBuilder();

  private ManPage() {}

  /** Returns the page of a command. */
  static String of(CommandLine command) {
    ManPage page = new ManPage();
    page.write(command);
    return page.roff.toString();
  }

  private void write(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    String name = spec.qualifiedName("-");
    String[] description = spec.usageMessage().description();
    List<OptionSpec> options = HelpPages.allOwn(spec);
    line(".TH " + name.toUpperCase(Locale.ROOT) + " 1");
    section("NAME");
    text(name + " - " + (description.length == 0 ? "" : description[0].replaceAll("\\.$", "")));
    section("SYNOPSIS");
    StringBuilder synopsis = new StringBuilder("\\fB" + escaped(spec.qualifiedName(" ")) + "\\fR");
    synopsis.append(command.getSubcommands().isEmpty() ? "" : " COMMAND");
    synopsis.append(options.isEmpty() ? "" : " [OPTIONS]");
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      synopsis.append(' ').append(escaped(parameter.paramLabel()));
    }
    line(synopsis.toString());
    section("DESCRIPTION");
    for (String sentence : description) {
      text(sentence);
    }
    line(".PP");
    for (String example : spec.usageMessage().headerHeading().strip().split("%n", -1)) {
      if (!example.isEmpty()) {
        text(example);
        line(".br");
      }
    }
    if (!command.getSubcommands().isEmpty()) {
      section("COMMANDS");
      command
          .getSubcommands()
          .forEach(
              (word, subcommand) -> {
                String[] words = subcommand.getCommandSpec().usageMessage().description();
                item(word, words.length == 0 ? "" : words[0]);
              });
    }
    section("OPTIONS");
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      item(parameter.paramLabel(), String.join(" ", parameter.description()));
    }
    for (OptionSpec option : options) {
      String label = option.arity().max() > 0 ? "=" + option.paramLabel() : "";
      item(String.join(", ", option.names()) + label, String.join(" ", option.description()));
    }
    section("EXIT STATUS");
    text(
        "0 success; 1 failure, findings or differences; 2 wrong usage; 3 not enough memory; 130"
            + " interrupted by Ctrl-C.");
  }

  private void section(String title) {
    line(".SH \"" + title + "\"");
  }

  private void item(String term, String text) {
    line(".TP");
    line("\\fB" + escaped(term) + "\\fR");
    text(text);
  }

  private void text(String text) {
    line(escaped(text.replace("%n", " ").strip()));
  }

  private void line(String line) {
    roff.append(line).append('\n');
  }

  /** Returns a text without the meaning that roff gives to characters of it. */
  private static String escaped(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
