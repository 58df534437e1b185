package dev.zarrreactive.credentials;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a text with a secret is: the setting {@code as} of a source. */
final class SecretText {
  /** A bearer token; the default. */
  static final String BEARER = "bearer";

  /** A signature for the query of URLs. */
  private static final String QUERY = "query";

  /** JSON with keys of AWS, as programs for {@code credential_process} write it. */
  private static final String AWS = "aws";

  private SecretText() {}

  /**
   * Returns the credential of a text.
   *
   * @param as {@code bearer}, {@code query}, {@code aws}, or the name of a header
   * @throws StoreException for other text, which it does not show
   */
  static ExpiringCredential of(String text, String as) {
    try {
      String secret = text.strip();
      return switch (as) {
        case BEARER -> until(Expiries.ofToken(secret), Credential.bearer(secret));
        case QUERY -> until(Expiries.ofSignature(secret), new Credential.Query(secret));
        case AWS -> keys(secret);
        default -> ExpiringCredential.lasting(new Credential.Headers(Map.of(as, secret)));
      };
    } catch (IllegalArgumentException e) {
      throw new StoreException(String.valueOf(e.getMessage()), Location.UNKNOWN);
    }
  }

  static ExpiringCredential until(@Nullable Instant expiry, Credential credential) {
    return expiry == null
        ? ExpiringCredential.lasting(credential)
        : ExpiringCredential.until(expiry, credential);
  }

  private static ExpiringCredential keys(String text) {
    JsonValue json;
    try {
      json = JsonValue.parse(text);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("keys of AWS are a JSON object"); // shows no part of it
    }
    if (!(json instanceof JsonObject keys)) {
      throw new IllegalArgumentException("keys of AWS are a JSON object");
    }
    String expiry = text(keys, "Expiration");
    return until(
        expiry == null ? null : Expiries.parse(expiry),
        new Credential.AwsKeys(
            needed(keys, "AccessKeyId"),
            needed(keys, "SecretAccessKey"),
            text(keys, "SessionToken")));
  }

  private static String needed(JsonObject keys, String name) {
    String value = text(keys, name);
    if (value == null) {
      throw new IllegalArgumentException("keys of AWS have the member " + name);
    }
    return value;
  }

  private static @Nullable String text(JsonObject keys, String name) {
    return keys.get(name) instanceof JsonString text ? text.value() : null;
  }
}
