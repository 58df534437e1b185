package dev.zarrreactive.cli.options;

import java.util.Arrays;
import java.util.List;

/** The stores that an option applies to. */
enum StoreReach {
  HTTP("http: and https: URLs", "http https"),
  HTTP_AND_GOOGLE("http:, https: and gs: URLs", "http https gs"),
  PROXIED("http:, https:, gs: and az: URLs", "http https gs az abfs abfss"),
  S3("s3: URLs", "s3"),
  BUCKETS("s3:, gs: and az: URLs", "s3 gs az abfs abfss"),
  ANY("URLs", ""),
  EVERY("every location", "");

  private final String shown;

  /** The schemes, with spaces between them; empty for all. */
  private final String schemes;

  StoreReach(String shown, String schemes) {
    this.shown = shown;
    this.schemes = schemes;
  }

  /**
   * Returns whether the option applies to stores of this scheme. For a scheme that is unknown here
   * the provider decides.
   *
   * @param scheme in lower case; {@code file} for a path
   */
  boolean includes(String scheme) {
    if (scheme.equals("file") || scheme.equals("memory")) {
      return this == EVERY;
    }
    boolean isKnown = Arrays.stream(values()).anyMatch(each -> each.names(scheme));
    return schemes.isEmpty() || !isKnown || names(scheme);
  }

  private boolean names(String scheme) {
    return List.of(schemes.split(" ")).contains(scheme);
  }

  @Override
  public String toString() {
    return shown;
  }
}
