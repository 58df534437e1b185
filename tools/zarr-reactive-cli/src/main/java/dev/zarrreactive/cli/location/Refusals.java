package dev.zarrreactive.cli.location;

import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.AccessDeniedException;

/** Advice for a store at a URL that denies access. */
final class Refusals {
  private static final String MISSING = "; --forbidden-is-missing treats it as a missing value";

  private Refusals() {}

  /**
   * Returns the error with advice.
   *
   * @param scheme the scheme of the location
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
          "credentials are given with --credentials, --netrc, --bearer-token-env, --header-env, or"
              + " a URL that is signed";
      case "s3" ->
          "credentials are taken from the environment or a --profile, or by --credentials, and"
              + " --anonymous uses none";
      case "gs" ->
          "credentials are taken from GOOGLE_APPLICATION_CREDENTIALS, from \"gcloud auth"
              + " application-default login\", or by --credentials or --bearer-token-env, and"
              + " --anonymous uses none";
      case "az", "abfs", "abfss" ->
          "set AZURE_STORAGE_ACCOUNT with AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or name a"
              + " source with --credentials; --anonymous uses none";
      default -> "";
    };
  }
}
