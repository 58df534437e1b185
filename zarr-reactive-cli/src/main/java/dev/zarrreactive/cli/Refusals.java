package dev.zarrreactive.cli;

import dev.zarrreactive.error.AccessDeniedException;

/** What would help where a store at a URL refuses the user. */
final class Refusals {
  private static final String MISSING = "; --forbidden-is-missing treats it as a missing value";

  private Refusals() {}

  /**
   * The error, with what would help.
   *
   * @param scheme of the location that was asked for
   */
  static Throwable explained(String scheme, AccessDeniedException error) {
    String help = help(scheme);
    return help.isEmpty()
        ? error
        : new CommandFailure("access denied: " + error.getMessage() + "; " + help + MISSING, error);
  }

  private static String help(String scheme) {
    return switch (scheme) {
      case "http", "https" ->
          "credentials are given with --bearer-token-env, --header-env, or a URL that is signed";
      case "s3" ->
          "credentials are taken from the environment or a --profile, and --anonymous uses none";
      default -> "";
    };
  }
}
