package dev.zarrreactive.cli.help;

import dev.zarrreactive.cli.console.NearNames;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Words the errors of a command line. An unknown word may be half of a header: it is shown only if
 * it looks like an option or a command.
 */
public final class UsageErrors {
  private static final Pattern OPTION =
      Pattern.compile("(--[A-Za-z][A-Za-z0-9-]{0,30}|-[A-Za-z]).*");
  private static final Pattern COMMAND = Pattern.compile("[A-Za-z]{1,16}(-[a-z]{1,16}){0,3}");

  private UsageErrors() {}

  /** Returns the message for the user, on one line. */
  public static String message(ParameterException error) {
    if (!(error instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(error.getMessage());
    }
    List<String> words = unmatched.getUnmatched();
    String first = words.isEmpty() ? "" : words.get(0);
    Matcher option = OPTION.matcher(first);
    if (option.matches()) {
      return "Unknown option: "
          + option.group(1)
          + NearNames.question(option.group(1), options(error.getCommandLine()))
          + (first.startsWith("--") || first.length() == 2
              ? ""
              : "; a path that begins with a hyphen is given as ./ and the path");
    }
    boolean isAboutCommand = error.getCommandLine().getParent() == null;
    if (isAboutCommand) {
      CommandLine zarr = error.getCommandLine();
      return COMMAND.matcher(first).matches() ? noCommand(first, zarr) : missingCommand(zarr);
    }
    return "Unexpected argument; quote an argument that has spaces in it";
  }

  /** Returns the names of the options with two hyphens. */
  private static Set<String> options(CommandLine command) {
    return command.getCommandSpec().optionsMap().keySet().stream()
        .filter(name -> name.startsWith("--"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Refuses words that a command of help does not know, for picocli lets them pass.
   *
   * @throws UnmatchedArgumentException for such a word
   */
  static void checkAllMatched(CommandLine line) {
    List<String> unmatched = line.getUnmatchedArguments();
    if (!unmatched.isEmpty()) {
      throw new UnmatchedArgumentException(line, unmatched);
    }
  }

  /** Returns the message for a command line of {@code zarr} without a command. */
  public static String missingCommand(CommandLine zarr) {
    return "Missing command: one of " + String.join(", ", zarr.getSubcommands().keySet());
  }

  private static String noCommand(String word, CommandLine zarr) {
    Set<String> commands = zarr.getSubcommands().keySet();
    return "No such command: "
        + word
        + NearNames.question(word, commands)
        + "; it is one of "
        + String.join(", ", commands);
  }
}
