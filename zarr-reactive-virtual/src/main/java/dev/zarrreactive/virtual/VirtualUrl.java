package dev.zarrreactive.virtual;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the URL of an object or of a container. The query is apart, by {@link #query}; the
 * fragment is dropped.
 *
 * @param scheme in lower case; a scheme with several names has the first of them
 * @param authority the bucket or the host; empty for files of this machine
 * @param path begins with a slash; percent-decoded once, otherwise as it is written. Of a file it
 *     is normalized, so that it has no empty segments, {@code .} and {@code ..}
 */
record VirtualUrl(String scheme, String authority, String path) {
  static final String FILE = "file";

  private static final Map<String, String> ALIASES =
      Map.of("gcs", "gs", "azure", "az", "abfs", "az");

  private static final String PLAIN = "-._~!$&'()*+,;=:@/";

  /** What may stand in a query beside {@link #PLAIN}, letters and digits. */
  private static final String PLAIN_IN_QUERY = "?%[]";

  /**
   * Parses the URL of an object or of a container; an absolute path is that of a file, without
   * percent-encoding.
   *
   * @throws IllegalArgumentException for other text; the message shows nothing of it
   */
  static VirtualUrl parse(String text) {
    if (text.startsWith("/")) {
      return new VirtualUrl(FILE, "", normalized(text));
    }
    int colon = text.indexOf(':');
    if (colon <= 0 || !isScheme(text.substring(0, colon))) {
      throw new IllegalArgumentException("it is no absolute URL, such as s3://bucket/key");
    }
    String name = text.substring(0, colon).toLowerCase(Locale.ROOT);
    String scheme = ALIASES.getOrDefault(name, name);
    String rest = text.substring(colon + 1, end(text, colon + 1));
    if (!rest.startsWith("//")) {
      if (!scheme.equals(FILE) || !rest.startsWith("/")) {
        throw new IllegalArgumentException("it is no absolute URL: // must follow its scheme");
      }
      return new VirtualUrl(FILE, "", normalized(decoded(rest)));
    }
    int slash = rest.indexOf('/', 2);
    String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
    String path = slash < 0 ? "/" : decoded(rest.substring(slash));
    if (scheme.equals(FILE)) {
      String host = authority.equalsIgnoreCase("localhost") ? "" : authority;
      return new VirtualUrl(FILE, host, normalized(path));
    }
    return new VirtualUrl(scheme, authority(scheme, authority), path);
  }

  /**
   * Returns the query of a URL of HTTP, which may be a signature: as it is written, but for
   * characters that no URL may have, which are percent-encoded. Null where there is none, and for
   * other schemes, in which it means nothing. Never for messages.
   */
  static @Nullable String query(String text) {
    int colon = text.indexOf(':');
    int mark = end(text, 0);
    boolean isThere =
        colon > 0
            && isHttp(text.substring(0, colon).toLowerCase(Locale.ROOT))
            && text.startsWith("?", mark);
    if (!isThere) {
      return null;
    }
    int hash = text.indexOf('#', mark);
    String query = text.substring(mark + 1, hash < 0 ? text.length() : hash);
    return query.isEmpty() ? null : encoded(query, PLAIN + PLAIN_IN_QUERY);
  }

  private static String authority(String scheme, String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("it has neither a bucket nor a host");
    }
    if (!isHttp(scheme)) {
      return text;
    }
    if (text.indexOf('@') >= 0) {
      throw new IllegalArgumentException("it has a user or a password, which no location may have");
    }
    String defaultPort = scheme.equals("http") ? ":80" : ":443";
    String host =
        text.endsWith(defaultPort) ? text.substring(0, text.length() - defaultPort.length()) : text;
    return host.toLowerCase(Locale.ROOT);
  }

  static boolean isHttp(String scheme) {
    return scheme.equals("http") || scheme.equals("https");
  }

  private static boolean isScheme(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean isOther = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (!isLetter && (i == 0 || !isOther)) {
        return false;
      }
    }
    return true;
  }

  /** Returns where the query or the fragment begins, or else the end. */
  private static int end(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) == '?' || text.charAt(i) == '#') {
        return i;
      }
    }
    return text.length();
  }

  /** Decodes escapes of a percent sign and two digits; other percent signs stay. */
  private static String decoded(String path) {
    if (path.indexOf('%') < 0) {
      return path;
    }
    byte[] encoded = path.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[encoded.length];
    int length = 0;
    for (int i = 0; i < encoded.length; i++) {
      int high = i + 2 < encoded.length ? Character.digit((char) encoded[i + 1], 16) : -1;
      int low = i + 2 < encoded.length ? Character.digit((char) encoded[i + 2], 16) : -1;
      boolean isEscape = encoded[i] == '%' && high >= 0 && low >= 0;
      bytes[length++] = isEscape ? (byte) (16 * high + low) : encoded[i];
      i += isEscape ? 2 : 0;
    }
    try {
      CharBuffer text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
      return text.toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("its escapes are not UTF-8", e);
    }
  }

  /** Removes empty segments, {@code .} and {@code ..}; nothing leads above the root. */
  private static String normalized(String path) {
    Deque<String> segments = new ArrayDeque<>();
    String[] all = path.split("/", -1);
    for (String segment : all) {
      if (segment.equals("..")) {
        segments.pollLast();
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        segments.addLast(segment);
      }
    }
    String last = all[all.length - 1];
    boolean isDirectory = last.isEmpty() || last.equals(".") || last.equals("..");
    return "/" + String.join("/", segments) + (isDirectory && !segments.isEmpty() ? "/" : "");
  }

  /** Returns the same with another path. */
  VirtualUrl at(String other) {
    return new VirtualUrl(scheme, authority, other);
  }

  /** Returns the prefix in which the object is. */
  VirtualUrl above() {
    return at(path.substring(0, path.lastIndexOf('/') + 1));
  }

  /** Returns the scheme and the authority. */
  String origin() {
    return scheme + "://" + authority;
  }

  /** The URL, percent-encoded. */
  @Override
  public String toString() {
    return origin() + encoded(path, PLAIN);
  }

  private static String encoded(String text, String plain) {
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (unit & 0xff);
      boolean isPlain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || plain.indexOf(c) >= 0;
      if (isPlain) {
        encoded.append(c);
      } else {
        encoded.append(String.format("%%%02X", (int) c));
      }
    }
    return encoded.toString();
  }

  /** Returns a location for people: without query, fragment and user information, and cut. */
  static String shown(String text) {
    String bare = text.substring(0, end(text, 0));
    int slashes = bare.indexOf("//");
    if (slashes >= 0) {
      int path = bare.indexOf('/', slashes + 2);
      int at = bare.substring(0, path < 0 ? bare.length() : path).lastIndexOf('@');
      boolean isUser = at > slashes && isHttp(bare.substring(0, slashes).replace(":", ""));
      bare = isUser ? bare.substring(0, slashes + 2) + bare.substring(at + 1) : bare;
    }
    return bare.length() <= 300 ? bare : bare.substring(0, 300) + "...";
  }
}
