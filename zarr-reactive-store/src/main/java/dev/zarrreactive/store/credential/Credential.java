package dev.zarrreactive.store.credential;

import dev.zarrreactive.spi.Spi;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What proves to a server who asks. A store uses the kinds that its protocol has, and refuses
 * others. Immutable; {@code toString} shows the kind alone, and no message shows a value.
 */
@Spi
public sealed interface Credential {
  /** Sends nothing: for public data. */
  static Credential anonymous() {
    return new Anonymous();
  }

  /**
   * Sends a bearer token in the header {@code Authorization}.
   *
   * @throws IllegalArgumentException for an empty token, and for characters that no header has
   */
  static Credential bearer(String token) {
    if (token.isEmpty()) {
      throw new IllegalArgumentException("a bearer token is not empty");
    }
    return new Headers(Map.of("authorization", "Bearer " + token));
  }

  /** The kind in words, such as {@code the keys of AWS}; for messages. */
  String kind();

  /** No credential. */
  record Anonymous() implements Credential {
    @Override
    public String kind() {
      return "no credential";
    }
  }

  /**
   * Headers of each request.
   *
   * @param headers by their names, which are put in lower case
   */
  record Headers(Map<String, String> headers) implements Credential {
    /**
     * Copies the headers.
     *
     * @throws IllegalArgumentException for characters that no header has; it shows no value
     */
    public Headers(Map<String, String> headers) {
      Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      headers.forEach((name, value) -> all.put(name.toLowerCase(Locale.ROOT), value));
      all.forEach(
          (name, value) -> {
            if (!name.matches("[!#$%&'*+.^_`|~0-9a-z-]+")) {
              throw new IllegalArgumentException("a header of a credential has an invalid name");
            }
            if (value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 127 || c > 255)) {
              throw new IllegalArgumentException(
                  "the header " + name + " of a credential has a character that no header has");
            }
          });
      this.headers = Map.copyOf(all);
    }

    @Override
    public String kind() {
      return "headers";
    }

    /** The kind, without values. */
    @Override
    public String toString() {
      return kind();
    }
  }

  /**
   * A signature in the query of each URL, such as a shared access signature of Azure.
   *
   * @param query encoded, such as {@code sv=2024-11-04&sig=...}, without a question mark
   */
  record Query(String query) implements Credential {
    /**
     * Checks the query.
     *
     * @throws IllegalArgumentException for characters that no query has; it shows no value
     */
    public Query {
      query = query.startsWith("?") ? query.substring(1) : query;
      if (query.isEmpty() || query.chars().anyMatch(c -> c <= ' ' || c >= 127 || c == '#')) {
        throw new IllegalArgumentException(
            "the query of a credential is encoded text such as sv=...&sig=...");
      }
    }

    @Override
    public String kind() {
      return "a query";
    }

    /** The kind, without values. */
    @Override
    public String toString() {
      return kind();
    }
  }

  /**
   * The keys of AWS, with which the store signs its requests.
   *
   * @param accessKey names the secret key to the server
   * @param secretKey never sent
   * @param sessionToken of keys that expire; null for keys that do not
   */
  record AwsKeys(String accessKey, String secretKey, @Nullable String sessionToken)
      implements Credential {
    @Override
    public String kind() {
      return "keys of AWS";
    }

    /** The kind, without values. */
    @Override
    public String toString() {
      return kind();
    }
  }

  /**
   * The key of a storage account of Azure, with which the store signs its requests.
   *
   * @param account the name of the account
   * @param key in Base64
   */
  record AccountKey(String account, String key) implements Credential {
    @Override
    public String kind() {
      return "the key of an account";
    }

    /** The kind, without values. */
    @Override
    public String toString() {
      return kind();
    }
  }
}
