package dev.zarrreactive.cli;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What is said of a wrong command line. A word that is not understood may be half of a header, so
 * it is shown only where it looks like an option or a command.
 */
final class UsageErrors {
  private static final Pattern OPTION =
      Pattern.compile("(--[A-Za-z][A-Za-z0-9-]{0,30}|-[A-Za-z]).*");
  private static final Pattern COMMAND = Pattern.compile("[A-Za-z]{1,16}");

  private UsageErrors() {}

  static String message(ParameterException error) {
    if (!(error instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(error.getMessage());
    }
    List<String> words = unmatched.getUnmatched();
    String first = words.isEmpty() ? "" : words.get(0);
    Matcher option = OPTION.matcher(first);
    if (option.matches()) {
      return "Unknown option: " + option.group(1);
    }
    boolean isAboutCommand = error.getCommandLine().getParent() == null;
    if (isAboutCommand) {
      return (COMMAND.matcher(first).matches()
              ? "No such command: " + first + "; it is"
              : "Missing command:")
          + " one of "
          + ZarrCommand.COMMANDS;
    }
    return "One argument too many, or more; what has spaces needs quotes";
  }
}
