package dev.zarrreactive.azure;

import dev.zarrreactive.store.credential.Credential;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a connection string says, such as {@code AccountName=a;AccountKey=k}.
 *
 * @param account null where only an endpoint is named
 * @param credential null where the string has none
 */
record ConnectionString(@Nullable String account, URI endpoint, @Nullable Credential credential) {
  /** The account of every emulator, whose key is no secret. */
  static final String EMULATED = "devstoreaccount1";

  static final String EMULATED_KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  /**
   * Parses a connection string.
   *
   * @throws IllegalArgumentException for other text; it shows no value
   */
  static ConnectionString parse(String text) {
    Map<String, String> parts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String part : text.strip().split(";", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        parts.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip());
      } else if (!part.isBlank()) {
        throw new IllegalArgumentException(
            "a connection string is NAME=VALUE;NAME=VALUE, and a part of it has no =");
      }
    }
    if (parts.getOrDefault("UseDevelopmentStorage", "").toLowerCase(Locale.ROOT).equals("true")) {
      return new ConnectionString(
          EMULATED,
          URI.create("http://127.0.0.1:10000/" + EMULATED),
          new Credential.AccountKey(EMULATED, EMULATED_KEY));
    }
    String account = parts.get("AccountName");
    return new ConnectionString(account, endpoint(parts, account), credential(parts, account));
  }

  private static URI endpoint(Map<String, String> parts, @Nullable String account) {
    String endpoint = parts.get("BlobEndpoint");
    if (endpoint == null && account == null) {
      throw new IllegalArgumentException(
          "a connection string names AccountName or BlobEndpoint; it has " + parts.keySet());
    }
    String suffix = parts.getOrDefault("EndpointSuffix", "core.windows.net");
    String protocol = parts.getOrDefault("DefaultEndpointsProtocol", "https");
    try {
      return URI.create(
          endpoint == null ? protocol + "://" + account + ".blob." + suffix : endpoint);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the endpoint of a connection string is no URL");
    }
  }

  private static @Nullable Credential credential(
      Map<String, String> parts, @Nullable String account) {
    String key = parts.get("AccountKey");
    if (key != null && account != null) {
      return new Credential.AccountKey(account, key);
    }
    String signature = parts.get("SharedAccessSignature");
    return signature == null ? null : new Credential.Query(signature);
  }

  /** The names alone. */
  @Override
  public String toString() {
    return "ConnectionString[" + endpoint + "]";
  }
}
