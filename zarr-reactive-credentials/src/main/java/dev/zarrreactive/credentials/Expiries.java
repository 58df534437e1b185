package dev.zarrreactive.credentials;

import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The expiries that services write and that tokens hold. */
final class Expiries {
  private static final DateTimeFormatter AMERICAN_DAY = DateTimeFormatter.ofPattern("MM/dd/uuuu");

  private Expiries() {}

  /**
   * Returns a time such as {@code 2021-01-27 00:50:09+00:00} or {@code 2021-06-08T19:53:20Z}, and
   * the beginning of a day such as {@code 05/20/2026}; null for other text.
   */
  static @Nullable Instant parse(String text) {
    try {
      return text.indexOf('/') == 2
          ? LocalDate.parse(text, AMERICAN_DAY).atStartOfDay(ZoneOffset.UTC).toInstant()
          : OffsetDateTime.parse(text.strip().replace(' ', 'T')).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Returns the expiry in a JSON Web Token; null where it has none, and for other tokens. */
  static @Nullable Instant ofToken(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return null;
    }
    try {
      String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
      return JsonValue.parse(claims) instanceof JsonObject object
              && object.get("exp") instanceof JsonNumber seconds
          ? Instant.ofEpochSecond((long) seconds.toDouble())
          : null;
    } catch (RuntimeException e) {
      return null; // another kind of token
    }
  }

  /** Returns the expiry in a shared access signature; null where it has none. */
  static @Nullable Instant ofSignature(String query) {
    for (String parameter : query.split("&", -1)) {
      if (parameter.startsWith("se=")) {
        return parse(URLDecoder.decode(parameter.substring(3), StandardCharsets.UTF_8));
      }
    }
    return null;
  }
}
