package dev.zarrreactive.cli;

/** Which stores an option can be for. */
enum StoreReach {
  HTTP("http: and https: URLs"),
  S3("s3: URLs"),
  ANY("URLs");

  private final String shown;

  StoreReach(String shown) {
    this.shown = shown;
  }

  /**
   * True where a store of this scheme can be told. What a scheme that this command does not know
   * understands, its provider says.
   *
   * @param scheme in lower case; {@code file} for a path
   */
  boolean includes(String scheme) {
    return switch (scheme) {
      case "file", "memory" -> false;
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
