package dev.zarrreactive.cli.help;

import dev.zarrreactive.cli.options.DraftOptions;
import dev.zarrreactive.cli.options.StoreArguments;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A page of help on options that every command accepts. */
enum HelpTopic {
  /** The options of stores at URLs. */
  URLS(
      "Example: zarr info s3://bucket/earth.zarr --anonymous --region eu-west-1%n%n"
          + "A PATH may be a URL: https:, http:, s3: or file:, of a directory or a zip archive. An"
          + " option is for the URLs that stand before its text.%n%n",
      StoreArguments.class),
  /** The options of the drafts of Zarr v3. */
  DRAFTS(
      "Example: zarr tree old.zarr --draft 2022%n%n"
          + "Programs wrote data to drafts of Zarr v3 before it was accepted. They are refused"
          + " unless an option accepts them. Deviations are warnings.%n%n",
      DraftOptions.class);

  private final String text;
  private final Class<?> options;

  HelpTopic(String text, Class<?> options) {
    this.text = text;
    this.options = options;
  }

  /** Returns the topic of this name; null without one. */
  static @Nullable HelpTopic of(String name) {
    return Arrays.stream(values())
        .filter(topic -> topic.toString().equals(name))
        .findFirst()
        .orElse(null);
  }

  /** Returns the names of all topics for people. */
  static String names() {
    return Arrays.stream(values()).map(HelpTopic::toString).collect(Collectors.joining(", "));
  }

  /** Returns true for an option of this page. */
  boolean explains(OptionSpec option) {
    return page().optionsMap().containsKey(option.longestName());
  }

  /**
   * Returns the page.
   *
   * @param columns the width of the terminal
   */
  String page(Help.ColorScheme colours, int columns) {
    CommandSpec page = page();
    page.usageMessage().width(columns);
    Help help = new Help(page, colours);
    List<OptionSpec> all = page.options();
    return help.createHeading(text) + HelpPages.list(help, all);
  }

  private CommandSpec page() {
    return CommandSpec.forAnnotatedObject(options);
  }

  /** Returns the word of the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
