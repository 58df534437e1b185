package dev.zarrreactive.internal.http;

import dev.zarrreactive.base.StoreKey;
import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An absolute URL of HTTP. The query may hold a signature, and the user information a password:
 * {@code toString} and errors show none of them.
 *
 * @param scheme {@code http} or {@code https}
 * @param authority the host, and the port where it is not the default of the scheme
 * @param path encoded; empty, or with a leading slash
 * @param query encoded
 */
public record Url(String scheme, String authority, String path, @Nullable String query) {
  private static final String UNRESERVED = "-._~/";

  /** The characters of a URL that stay as they are (RFC 3986), and the percent sign. */
  private static final String LEGAL = "-._~:/?#[]@!$&'()*+,;=%";

  /**
   * Parses the URL of a user or a server.
   *
   * @throws IllegalArgumentException for other text; the message shows no secret
   */
  public static Url parse(String text) {
    return of(uri(text));
  }

  /**
   * Returns the URL of {@code uri}, without its user information.
   *
   * @throws IllegalArgumentException for other URIs than absolute URLs of HTTP
   */
  public static Url of(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException(
          "the scheme of a URL over HTTP is http or https, not \"" + scheme + "\"");
    }
    String authority = uri.getRawAuthority();
    if (authority == null || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "a URL over HTTP has a host and no fragment: " + scheme + ":...");
    }
    String path = uri.normalize().getRawPath();
    return new Url(
        scheme,
        host(authority.substring(authority.lastIndexOf('@') + 1), scheme),
        path == null ? "" : encode(path, LEGAL),
        uri.getRawQuery() == null ? null : encode(uri.getRawQuery(), LEGAL));
  }

  /** Returns the part before the host, such as {@code user:password}; null where it is missing. */
  public static @Nullable String userInformation(URI uri) {
    String authority = uri.getRawAuthority();
    int end = authority == null ? -1 : authority.lastIndexOf('@');
    return authority == null || end < 0 ? null : authority.substring(0, end);
  }

  private static String host(String authority, String scheme) {
    String defaultPort = scheme.equals("http") ? ":80" : ":443";
    String host =
        authority.endsWith(defaultPort)
            ? authority.substring(0, authority.length() - defaultPort.length())
            : authority;
    if (host.isEmpty() || host.startsWith(":")) {
      throw new IllegalArgumentException("a URL over HTTP has a host: " + scheme + "://...");
    }
    return (host.startsWith("[") ? host : IDN.toASCII(host)).toLowerCase(Locale.ROOT);
  }

  private static URI uri(String text) {
    try {
      return new URI(encode(text, LEGAL));
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("not a URL: " + e.getReason() + " at " + e.getIndex());
    }
  }

  /** Returns the URL of the value at {@code key} below this one; the query stays. */
  public Url of(StoreKey key) {
    String base = path;
    while (base.endsWith("/")) {
      base = base.substring(0, base.length() - 1);
    }
    return new Url(scheme, authority, base + "/" + encode(key.value()), query);
  }

  /** Returns the URL of the directory of this one, with the slash at its end. */
  public Url directory() {
    return new Url(scheme, authority, path.substring(0, path.lastIndexOf('/') + 1), query);
  }

  /** Returns this URL with more parameters in its query. */
  public Url withQuery(String more) {
    return new Url(scheme, authority, path, query == null ? more : query + "&" + more);
  }

  /**
   * Resolves the target of a redirect.
   *
   * @throws IllegalArgumentException where the target is no URL of HTTP
   */
  public Url resolve(String location) {
    URI target = uri(location);
    int fragment = location.indexOf('#');
    if (fragment >= 0) {
      target = uri(location.substring(0, fragment));
    }
    return of(uri(text()).resolve(target));
  }

  /** Returns true where both name the same server, which may receive the same secrets. */
  public boolean hasOriginOf(Url other) {
    return scheme.equals(other.scheme) && authority.equals(other.authority);
  }

  /** Returns true where this is the URL of {@code value} with a trailing slash: a directory. */
  public boolean isDirectoryOf(Url value) {
    return path.equals(value.path + "/");
  }

  /** Returns the URL with its query: for requests, never for messages. */
  String text() {
    return scheme + "://" + authority + path + (query == null ? "" : "?" + query);
  }

  /**
   * Returns {@link #text} with a port of two digits or more, such as {@code 08}: reactor-netty
   * takes a port of one digit for a part of the host.
   */
  public String forClient() {
    int colon = authority.lastIndexOf(':');
    boolean oneDigit = colon == authority.length() - 2 && !authority.endsWith("]");
    String host = oneDigit ? authority.substring(0, colon + 1) + "0" : authority;
    String port = oneDigit ? authority.substring(colon + 1) : "";
    return scheme + "://" + host + port + path + (query == null ? "" : "?" + query);
  }

  /** The URL without its query. */
  @Override
  public String toString() {
    return scheme + "://" + authority + path;
  }

  /** Returns the path of {@code key}, percent-encoded but for letters, digits and {@code -._~/}. */
  public static String encode(String key) {
    return encode(key, UNRESERVED);
  }

  /** Percent-encodes the UTF-8 form, but for letters, digits and {@code plain}. */
  private static String encode(String text, String plain) {
    if (isPlain(text, plain)) {
      return text;
    }
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (unit & 0xff);
      if (isPlain(c, plain)) {
        encoded.append(c);
      } else {
        encoded.append('%');
        encoded.append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        encoded.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      }
    }
    return encoded.toString();
  }

  private static boolean isPlain(String text, String plain) {
    for (int i = 0; i < text.length(); i++) {
      if (!isPlain(text.charAt(i), plain)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(char c, String plain) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || plain.indexOf(c) >= 0;
  }
}
