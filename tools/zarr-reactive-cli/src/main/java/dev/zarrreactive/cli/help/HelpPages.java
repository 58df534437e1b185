package dev.zarrreactive.cli.help;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The pages of help. The page of a command fits one screen where it can: it begins with examples,
 * lists the command's own options, and names the pages of those that every command accepts.
 */
public final class HelpPages {
  /** The order of the sections: commands come before options. */
  private static final List<String> SECTIONS =
      List.of(
          UsageMessageSpec.SECTION_KEY_HEADER_HEADING,
          UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
          UsageMessageSpec.SECTION_KEY_SYNOPSIS,
          UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING,
          UsageMessageSpec.SECTION_KEY_DESCRIPTION,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
          UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST,
          UsageMessageSpec.SECTION_KEY_FOOTER);

  private HelpPages() {}

  /** Gives the command and its subcommands their pages. */
  public static void install(CommandLine zarr) {
    for (CommandLine command : zarr.getSubcommands().values()) {
      command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
      setPage(command, HelpPages::endOfCommand);
    }
    zarr.getCommandSpec()
        .usageMessage()
        .headerHeading("Example: zarr info earth.zarr/earth/relief%n")
        .customSynopsis("zarr COMMAND [OPTIONS]");
    setPage(zarr, HelpPages::endOfZarr);
  }

  private static void setPage(CommandLine command, Supplier<String> end) {
    Map<String, IHelpSectionRenderer> sections = command.getHelpSectionMap();
    IHelpSectionRenderer heading =
        help -> own(help.commandSpec()).isEmpty() ? "" : help.optionListHeading();
    sections.put(
        UsageMessageSpec.SECTION_KEY_HEADER_HEADING,
        help -> help.createHeading(help.commandSpec().usageMessage().headerHeading() + "%n"));
    sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, heading);
    sections.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, HelpPages::parameters);
    sections.put(
        UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> list(help, own(help.commandSpec())));
    sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> help.createHeading(end.get()));
    command.setHelpSectionKeys(SECTIONS);
  }

  /** Returns the options that are the command's own, for {@code zarr} those of all commands. */
  private static List<OptionSpec> own(CommandSpec command) {
    boolean isZarr = command.parent() == null;
    return command.options().stream()
        .filter(option -> !option.hidden() && !option.inherited())
        .filter(option -> isZarr ? !isOfTopic(option) : !isOfHelp(option))
        .toList();
  }

  /**
   * Returns the options that are the command's own, with those of a subcommand for which its page
   * has no room on a screen.
   */
  static List<OptionSpec> allOwn(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.inherited())
        .filter(option -> !option.hidden() || command.parent() != null)
        .toList();
  }

  private static boolean isOfTopic(OptionSpec option) {
    for (HelpTopic topic : HelpTopic.values()) {
      if (topic.explains(option)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfHelp(OptionSpec option) {
    return option.usageHelp() || option.versionHelp();
  }

  private static String parameters(Help help) {
    List<PositionalParamSpec> parameters = help.commandSpec().positionalParameters();
    Help.Layout layout = help.createDefaultLayout(List.of(), parameters, help.colorScheme());
    layout.addPositionalParameters(parameters, help.parameterLabelRenderer());
    return layout.toString();
  }

  /** Returns the options one below the other, with their descriptions. */
  static String list(Help help, List<OptionSpec> options) {
    Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
    layout.addOptions(options, help.parameterLabelRenderer());
    return layout.toString();
  }

  private static String endOfZarr() {
    return "%nzarr COMMAND --help explains a command. Further options of all commands:%n"
        + "zarr help urls, zarr help drafts.%n"
        + "Exit codes: 0 success; 1 failure, findings or differences; 2 wrong usage; 3 not enough"
        + " memory; 130 interrupted by Ctrl-C.%n";
  }

  private static String endOfCommand() {
    return "%nFurther options: zarr help urls, zarr help drafts, zarr --help.%n";
  }
}
