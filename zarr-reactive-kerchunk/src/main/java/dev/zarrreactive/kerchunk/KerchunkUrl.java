package dev.zarrreactive.kerchunk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URLs of references, as the programs that write them understand them: below http and https
 * they are URLs; everywhere else what follows the scheme is a name, and a percent sign is one.
 */
final class KerchunkUrl {
  /** Stands before names beside the references, in the store that they are in. */
  static final String BESIDE = "beside://references/";

  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://.*");

  /** Caches of fsspec, which say nothing about the place. */
  private static final List<String> CACHES =
      List.of("simplecache::", "filecache::", "blockcache::");

  private static final Set<String> VERBATIM = Set.of("http", "https", "vcc");

  private KerchunkUrl() {}

  /**
   * Returns the absolute URL, percent-encoded, of a URL in references.
   *
   * @param directory the prefix that the references are in, without a slash at its end
   * @throws IllegalArgumentException where it leads nowhere
   */
  static String absolute(@Nullable String written, KerchunkOptions options, String directory) {
    String url = written == null ? options.target() : written;
    if (url == null) {
      throw new IllegalArgumentException(
          "the reference has no URL, and the options no default target;"
              + " KerchunkOptions.withTarget gives one");
    }
    for (String cache : CACHES) {
      url = url.startsWith(cache) ? url.substring(cache.length()) : url;
    }
    if (chained(url).contains("::")) {
      throw new IllegalArgumentException(
          "the reference leads through another file system of fsspec, \""
              + url.substring(0, Math.min(url.indexOf("::"), 80))
              + "::\"; only simplecache, filecache and blockcache are passed over");
    } else if (isAbsolute(url)) {
      return encoded(url);
    }
    String base = options.base();
    if (base == null) {
      return BESIDE + escaped(resolved(directory, url));
    }
    String encoded = encoded(base);
    int slashes = encoded.indexOf("://");
    int path = encoded.indexOf('/', slashes < 0 ? 0 : slashes + 3);
    String origin = encoded.substring(0, path + 1);
    String prefix = encoded.substring(path + 1);
    if (!isVerbatim(base)) {
      return origin + resolved(prefix, escaped(url));
    }
    int query = url.indexOf('?');
    return query < 0
        ? origin + resolved(prefix, url)
        : origin + resolved(prefix, url.substring(0, query)) + url.substring(query);
  }

  /** Returns the part of a URL that may name file systems of fsspec: all but its query. */
  private static String chained(String url) {
    int query = url.indexOf('?');
    return query < 0 ? url : url.substring(0, query);
  }

  private static boolean isAbsolute(String url) {
    return url.startsWith("/") || url.startsWith("file:") || SCHEME.matcher(url).matches();
  }

  /** Returns true for a URL that ends with what is sent to its server, such as a signature. */
  static boolean hasQuery(String url) {
    return isVerbatim(url) && url.indexOf('?') >= 0;
  }

  private static boolean isVerbatim(String url) {
    Matcher scheme = SCHEME.matcher(url);
    return scheme.matches() && VERBATIM.contains(scheme.group(1).toLowerCase(Locale.ROOT));
  }

  /** Keeps an absolute path, which is not a URL. */
  private static String encoded(String url) {
    return url.startsWith("/") || isVerbatim(url) ? url : escaped(url);
  }

  /** Escapes what means something in a URL, and is a part of the name here. */
  private static String escaped(String name) {
    return name.replace("%", "%25").replace("?", "%3F").replace("#", "%23");
  }

  /** Resolves a relative name; nothing leads above the root. */
  private static String resolved(String directory, String name) {
    Deque<String> segments = new ArrayDeque<>();
    for (String part : List.of(directory, name)) {
      for (String segment : part.split("/", -1)) {
        if (segment.equals("..")) {
          if (segments.pollLast() == null) {
            throw new IllegalArgumentException(
                "the reference leads above the root: \"" + chained(name) + "\"");
          }
        } else if (!segment.isEmpty() && !segment.equals(".")) {
          segments.addLast(segment);
        }
      }
    }
    return String.join("/", segments);
  }
}
