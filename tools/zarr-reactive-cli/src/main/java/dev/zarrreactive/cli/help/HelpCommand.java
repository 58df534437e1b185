package dev.zarrreactive.cli.help;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpCommandInitializable2;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code zarr help}. */
@Command(
    name = "help",
    helpCommand = true,
    headerHeading = "Example: zarr help copy%n",
    description = "Explains a command, or the options of urls or of drafts.")
public final class HelpCommand implements IHelpCommandInitializable2, Runnable {
  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..1",
      description = "A command, or one of the topics urls and drafts.")
  private @Nullable String word;

  @Option(names = "--man", description = "Print a page of the manual, in roff for man.")
  private boolean man;

  private @Nullable CommandLine line;
  private Help.@Nullable ColorScheme colours;
  private @Nullable PrintWriter out;

  @Override
  public void init(
      CommandLine helpCommand, Help.ColorScheme colorScheme, PrintWriter out, PrintWriter err) {
    this.line = helpCommand;
    this.colours = colorScheme;
    this.out = out;
  }

  @Override
  public void run() {
    if (line == null || colours == null || out == null) {
      throw new IllegalStateException("init is called first");
    }
    UsageErrors.checkAllMatched(line);
    CommandLine zarr = line.getParent();
    HelpTopic topic = word == null ? null : HelpTopic.of(word);
    CommandLine explained = word == null ? zarr : zarr.getSubcommands().get(word);
    if (topic != null) {
      out.print(topic.page(colours, zarr.getUsageHelpWidth()));
    } else if (explained != null && man) {
      out.print(ManPage.of(explained));
      out.flush();
    } else if (explained != null) {
      explained.usage(out, colours);
    } else {
      throw new ParameterException(
          line,
          "No help on this word; it is on the commands "
              + String.join(", ", zarr.getSubcommands().keySet())
              + " and on "
              + HelpTopic.names());
    }
  }
}
