package dev.zarrreactive.azure;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.store.credential.Credential;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs requests with the key of an account: the scheme {@code SharedKey} of the REST API of Azure
 * Storage, in the form of the version 2015-02-21 and later.
 */
final class SharedKey {
  private static final String ALGORITHM = "HmacSHA256";

  /** The headers that are signed by their values alone, in this order. */
  private static final List<String> PLAIN =
      List.of(
          "content-encoding",
          "content-language",
          "content-length",
          "content-md5",
          "content-type",
          "date",
          "if-modified-since",
          "if-match",
          "if-none-match",
          "if-unmodified-since",
          "range");

  private final String account;
  private final SecretKeySpec key;

  /** A key; one that is not in Base64 is a {@link StoreException}. */
  SharedKey(Credential.AccountKey credential) {
    this.account = credential.account();
    try {
      this.key = new SecretKeySpec(Base64.getDecoder().decode(credential.key()), ALGORITHM);
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          "the key of the account " + account + " is not in Base64", Location.UNKNOWN);
    }
  }

  /**
   * Returns the header {@code Authorization}.
   *
   * @param headers all that are signed, in lower case; {@code content-length} only above zero
   */
  String authorization(String method, Url url, SortedMap<String, String> headers) {
    return "SharedKey " + account + ":" + sign(text(method, url, headers));
  }

  /** Returns the text that is signed. */
  String text(String method, Url url, SortedMap<String, String> headers) {
    StringBuilder text = new StringBuilder(method).append('\n');
    for (String name : PLAIN) {
      text.append(headers.getOrDefault(name, "")).append('\n');
    }
    headers.forEach(
        (name, value) -> {
          if (name.startsWith("x-ms-")) {
            text.append(name).append(':').append(value.strip()).append('\n');
          }
        });
    text.append('/').append(account).append(url.path());
    for (Map.Entry<String, String> parameter : parameters(url.query()).entrySet()) {
      text.append('\n').append(parameter.getKey()).append(':').append(parameter.getValue());
    }
    return text.toString();
  }

  private static SortedMap<String, String> parameters(@Nullable String query) {
    SortedMap<String, String> parameters = new TreeMap<>();
    if (query != null) {
      for (String parameter : query.split("&", -1)) {
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        String value = equals < 0 ? "" : parameter.substring(equals + 1);
        parameters.put(decoded(name), decoded(value));
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  String sign(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new StoreException("this JVM has no " + ALGORITHM, Location.UNKNOWN, e);
    }
  }
}
