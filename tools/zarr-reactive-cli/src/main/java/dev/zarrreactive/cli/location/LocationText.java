package dev.zarrreactive.cli.location;

import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a location on the command line. */
public final class LocationText {
  /** A URL as in {@link Stores#uri}: one letter is a drive. */
  private static final Pattern URL =
      Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]+):(/*)([^/?#]*)([^?#]*)(.*)");

  private static final Set<String> SCHEMES =
      Set.of("file", "memory", "http", "https", "s3", "gs", "az", "abfs", "abfss");

  /** A host and a port, without a password. */
  private static final Pattern PLAIN = Pattern.compile("[^:@]*|[^:@]*:\\d*|\\[[^@]*](:\\d*)?");

  private LocationText() {}

  /** Returns the text before the first adapter of a pipeline, or all of another location. */
  private static String root(String text) {
    return Pipeline.isOne(text) ? text.substring(0, text.indexOf('|')).strip() : text;
  }

  /**
   * Returns the URL, for a pipeline that of its first segment.
   *
   * @throws IllegalArgumentException for text that cannot be one; the message shows no secret
   */
  public static URI url(String location) {
    String text = root(location);
    Matcher url = URL.matcher(text);
    if (scheme(text).startsWith("http") && url.matches() && isOdd(url.group(3))) {
      throw new IllegalArgumentException(
          "what stands before the host of a URL must be encoded (/ is %2F, @ is %40), and a port is"
              + " a number");
    }
    URI uri = Stores.uri(text);
    if (uri.getRawFragment() != null) {
      throw new IllegalArgumentException("the URL of a store has no fragment: write # as %23");
    }
    return uri;
  }

  /** Returns the last name of a path or a URL, by which people know a store; never a query. */
  public static String title(String location) {
    String root = root(location);
    if (isLocal(root) && !URL.matcher(root).matches()) {
      Path last = Path.of(root).toAbsolutePath().normalize().getFileName();
      return last == null ? "/" : last.toString();
    }
    String name = name(root);
    return name.isEmpty() ? Objects.requireNonNullElse(url(root).getHost(), "/") : name;
  }

  /**
   * Returns the scheme in lower case, and {@code file} for a path; for a pipeline that of its first
   * segment.
   */
  public static String scheme(String location) {
    String text = root(location);
    Matcher url = URL.matcher(text);
    if (url.matches()) {
      String scheme = url.group(1).toLowerCase(Locale.ROOT);
      if (url.group(2).startsWith("//") || SCHEMES.contains(scheme)) {
        return scheme;
      }
    }
    return "file";
  }

  /** Returns whether the text is a path of this system or a {@code file:} URI. */
  public static boolean isLocal(String text) {
    return scheme(text).equals("file") && !Pipeline.isOne(text);
  }

  /**
   * Returns the pipeline with a URL that the library knows at its beginning.
   *
   * @throws IllegalArgumentException for a segment that is no adapter
   */
  public static Pipeline pipeline(String text) {
    Pipeline parsed = Pipeline.parse(text);
    return scheme(text).equals("file") ? parsed : parsed.at(url(text).toString());
  }

  /**
   * Returns the text for people: a URL stripped of its user information and its query, which may be
   * a signature.
   */
  public static String shown(String text) {
    if (Pipeline.isOne(text)) {
      return shown(root(text)) + text.substring(text.indexOf('|')).replaceAll("\\?[^|]*", "");
    }
    Matcher url = URL.matcher(text);
    if (isLocal(text) || !url.matches()) {
      return text;
    }
    String host = url.group(3).substring(url.group(3).lastIndexOf('@') + 1);
    return url.group(1) + ":" + url.group(2) + (isOdd(url.group(3)) ? "..." : host + url.group(4));
  }

  /** Returns the location of another node in the group of {@code text}. */
  public static String sibling(String text, String name) {
    if (Pipeline.isOne(text)) {
      return text.substring(0, Math.max(text.lastIndexOf('/'), text.lastIndexOf(':')) + 1) + name;
    }
    Matcher url = URL.matcher(text);
    if (scheme(text).equals("file") && !url.matches()) {
      return Path.of(text).toAbsolutePath().normalize().resolveSibling(name).toString();
    }
    if (!url.matches()) {
      return text;
    }
    String path = url.group(4).replaceFirst("/+$", "");
    String group = path.substring(0, path.lastIndexOf('/') + 1);
    return url.group(1) + ":" + url.group(2) + url.group(3) + group + name + url.group(5);
  }

  /** Returns the last name of the path in {@code text}. */
  public static String name(String text) {
    if (Pipeline.isOne(text)) {
      return text.substring(Math.max(text.lastIndexOf('/'), text.lastIndexOf(':')) + 1);
    }
    Matcher url = URL.matcher(text);
    String path = url.matches() ? url.group(4) : text;
    String plain = path.replaceFirst("/+$", "");
    return plain.substring(plain.lastIndexOf('/') + 1);
  }

  /** Returns the location of the group of {@code text}. */
  public static String parent(String text) {
    String group = sibling(text, "");
    return group.length() > 1 && group.endsWith("/")
        ? group.substring(0, group.length() - 1)
        : group;
  }

  /** Returns whether a part of a password may have become part of the host. */
  private static boolean isOdd(String authority) {
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    return !PLAIN.matcher(host).matches();
  }
}
