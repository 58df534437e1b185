package dev.zarrreactive.server;

import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ETags of versions, and the conditions of requests on them (RFC 9110, section 13). A version
 * that is an ETag already, as those of HTTP and S3 are, stays as it is. Any other one is encoded.
 */
final class EntityTag {
  private static final Pattern TAG = Pattern.compile("(W/)?\"[\\x21\\x23-\\x7e]*\"");
  private static final String MARK = "\"z-";
  private static final String WEAK = "W/";
  private static final String PLAIN = "-._:+=";

  private EntityTag() {}

  /** The result of the conditions of a request. */
  enum Outcome {
    SEND,
    NOT_MODIFIED,
    FAILED
  }

  /** Returns the ETag of a version; null where the version is unknown. */
  static @Nullable String of(@Nullable Version version) {
    if (version == null || TAG.matcher(version.tag()).matches()) {
      return version == null ? null : version.tag();
    }
    StringBuilder tag = new StringBuilder(MARK);
    for (byte unit : version.tag().getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (unit & 0xff);
      boolean isPlain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || PLAIN.indexOf(c) >= 0;
      if (isPlain) {
        tag.append(c);
      } else {
        tag.append(String.format("%%%02X", (int) c));
      }
    }
    return tag.append('"').toString();
  }

  /** Returns the version whose ETag this is; null for an ETag of another server. */
  private static @Nullable Version version(String tag) {
    if (!tag.startsWith(MARK)) {
      return new Version(tag);
    }
    String encoded = tag.substring(MARK.length(), tag.length() - 1);
    if (!encoded.matches("([^%]|%[0-9A-F]{2})+")) {
      return null;
    }
    byte[] bytes = new byte[encoded.length()];
    int size = 0;
    for (int i = 0; i < encoded.length(); i++) {
      boolean isEncoded = encoded.charAt(i) == '%';
      bytes[size++] =
          (byte)
              (isEncoded
                  ? Integer.parseInt(encoded.substring(i + 1, i + 3), 16)
                  : encoded.charAt(i));
      i += isEncoded ? 2 : 0;
    }
    return new Version(new String(bytes, 0, size, StandardCharsets.UTF_8));
  }

  /**
   * Returns the condition by which the store need not send a value that the client has: for {@code
   * If-None-Match} with one ETag. {@link #check} decides in the end.
   */
  static ReadCondition known(HttpHeaders headers) {
    String header = joined(headers, HttpHeaderNames.IF_NONE_MATCH);
    List<String> tags = header == null ? List.of() : tags(header);
    if (tags.size() != 1 || headers.contains(HttpHeaderNames.IF_MATCH)) {
      return ReadCondition.ALWAYS;
    }
    Version version = version(tags.get(0));
    return version == null ? ReadCondition.ALWAYS : ReadCondition.ifChanged(version);
  }

  /** Returns true where a request has conditions on the version of a value. */
  static boolean isConditional(HttpHeaders headers) {
    return headers.contains(HttpHeaderNames.IF_MATCH)
        || headers.contains(HttpHeaderNames.IF_NONE_MATCH)
        || headers.contains(HttpHeaderNames.IF_RANGE);
  }

  /**
   * Checks {@code If-Match}, then {@code If-None-Match}. Values have no dates, so the conditions on
   * dates are ignored.
   *
   * @param tag of the value, which exists; null where it has none
   */
  static Outcome check(HttpHeaders headers, @Nullable String tag) {
    String match = joined(headers, HttpHeaderNames.IF_MATCH);
    if (match != null && !match.strip().equals("*") && !isIn(tags(match), tag)) {
      return Outcome.FAILED;
    }
    String noneMatch = joined(headers, HttpHeaderNames.IF_NONE_MATCH);
    boolean isKnown =
        noneMatch != null
            && (noneMatch.strip().equals("*")
                || (tag != null
                    && tags(noneMatch).stream()
                        .anyMatch(known -> strong(known).equals(strong(tag)))));
    return isKnown ? Outcome.NOT_MODIFIED : Outcome.SEND;
  }

  /** Returns true where {@code If-Range} is missing, or names this value. */
  static boolean allowsRange(HttpHeaders headers, @Nullable String tag) {
    String condition = headers.get(HttpHeaderNames.IF_RANGE);
    return condition == null || isIn(List.of(condition.strip()), tag);
  }

  /** Compares strongly: a weak tag matches none. */
  private static boolean isIn(List<String> tags, @Nullable String tag) {
    return tag != null && !tag.startsWith(WEAK) && tags.contains(tag);
  }

  private static String strong(String tag) {
    return tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag;
  }

  private static @Nullable String joined(HttpHeaders headers, CharSequence name) {
    List<String> values = headers.getAll(name);
    return values.isEmpty() ? null : String.join(",", values);
  }

  private static List<String> tags(String list) {
    List<String> tags = new ArrayList<>();
    Matcher tag = TAG.matcher(list);
    while (tag.find()) {
      tags.add(tag.group());
    }
    return tags;
  }
}
