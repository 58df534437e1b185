package dev.zarrreactive.cli.help;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The script with which fish completes commands and options. */
final class FishCompletion {
  private FishCompletion() {}

  /** Returns the script, a line for each command and each option. */
  static String of(CommandLine zarr) {
    StringBuilder script = new StringBuilder();
    for (Map.Entry<String, CommandLine> command : zarr.getSubcommands().entrySet()) {
      String name = command.getKey();
      line(script, "-n __fish_use_subcommand -f -a " + name, firstSentence(command.getValue()));
      String condition = "-n '__fish_seen_subcommand_from " + name + "'";
      for (OptionSpec option : HelpPages.allOwn(command.getValue().getCommandSpec())) {
        line(script, condition + names(option) + words(option), text(option));
      }
      for (PositionalParamSpec parameter :
          command.getValue().getCommandSpec().positionalParameters()) {
        String words = name.equals("help") ? words(zarr) : words(parameter);
        if (!words.isEmpty()) {
          line(script, condition + " -f" + words, "");
        }
      }
    }
    for (OptionSpec option : zarr.getCommandSpec().options()) {
      if (!option.hidden()) {
        line(script, names(option).strip(), text(option));
      }
    }
    return script.toString();
  }

  private static void line(StringBuilder script, String what, String description) {
    script.append("complete -c zarr ").append(what);
    if (!description.isEmpty()) {
      script.append(" -d '");
      script.append(description.replace("\\", "\\\\").replace("'", "\\'")).append("'");
    }
    script.append('\n');
  }

  private static String names(OptionSpec option) {
    StringBuilder names = new StringBuilder();
    for (String name : option.names()) {
      names.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceAll("^-+", ""));
    }
    return names + (option.arity().max() > 0 ? " -r" : "");
  }

  /** Returns the words that an argument may be; empty for any. */
  private static String words(ArgSpec argument) {
    Iterable<String> words = argument.completionCandidates();
    return words == null || !words.iterator().hasNext()
        ? ""
        : " -a '" + String.join(" ", words) + "'";
  }

  /** Returns what help is on. */
  private static String words(CommandLine zarr) {
    return " -a '" + String.join(" ", zarr.getSubcommands().keySet()) + " urls drafts'";
  }

  private static String text(OptionSpec option) {
    String[] description = option.description();
    return description.length == 0 ? "" : sentence(description[0]);
  }

  private static String firstSentence(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();
    return description.length == 0 ? "" : sentence(description[0]);
  }

  private static String sentence(String text) {
    int end = text.indexOf(". ");
    return (end < 0 ? text : text.substring(0, end + 1)).replace("%n", " ");
  }
}
