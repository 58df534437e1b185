package dev.zarrreactive.cli.options;

/** The stores that an option applies to. */
enum StoreReach {
  HTTP("http: and https: URLs"),
  S3("s3: URLs"),
  ANY("URLs"),
  EVERY("every location");

  private final String shown;

  StoreReach(String shown) {
    this.shown = shown;
  }

  /**
   * Returns whether the option applies to stores of this scheme. For a scheme that is unknown here
   * the provider decides.
   *
   * @param scheme in lower case; {@code file} for a path
   */
  boolean includes(String scheme) {
    return switch (scheme) {
      case "file", "memory" -> this == EVERY;
      case "http", "https" -> this != S3;
      case "s3" -> this != HTTP;
      default -> true;
    };
  }

  @Override
  public String toString() {
    return shown;
  }
}
