package dev.zarrreactive.store.file;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The {@code file:} URIs of RFC 8089, made and read without a look at the file system. */
final class FileUris {
  /** The characters besides letters and digits that RFC 3986 allows unescaped in a path. */
  private static final String PLAIN = "-._~!$&'()*+,;=:@/";

  private FileUris() {}

  /**
   * Returns the URI of an absolute path, without a slash at its end. A path that is none of this
   * machine's has the URI that its file system gives it.
   */
  static URI of(Path absolute) {
    return absolute.getFileSystem().equals(FileSystems.getDefault())
        ? of(absolute.toString(), absolute.getFileSystem().getSeparator())
        : absolute.toUri();
  }

  static URI of(String absolute, String separator) {
    String path = absolute.replace(separator, "/");
    String start = path.startsWith("//") ? "file:" : path.startsWith("/") ? "file://" : "file:///";
    return URI.create(start + encode(path));
  }

  /**
   * Returns the path of a URI.
   *
   * @throws IllegalArgumentException if it is no {@code file:} URI of an absolute path on this
   *     machine
   */
  static Path path(URI uri) {
    refuseUnless("file".equalsIgnoreCase(uri.getScheme()), uri, "its scheme is not file");
    refuseUnless(!uri.isOpaque(), uri, "its path is not absolute");
    refuseUnless(uri.getRawQuery() == null, uri, "it has a query");
    refuseUnless(uri.getRawFragment() == null, uri, "it has a fragment");
    URI ascii = URI.create(uri.toASCIIString());
    String host = isHere(ascii.getRawAuthority()) ? "" : "//" + ascii.getRawAuthority();
    try {
      return Path.of(URI.create("file:" + host + ascii.getRawPath()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no file URI of this system: " + uri + ": " + e.getMessage(), e);
    }
  }

  private static boolean isHere(@Nullable String authority) {
    return authority == null || authority.isEmpty() || authority.equalsIgnoreCase("localhost");
  }

  private static void refuseUnless(boolean holds, URI uri, String reason) {
    if (!holds) {
      throw new IllegalArgumentException("no file URI of this system: " + uri + ": " + reason);
    }
  }

  private static String encode(String path) {
    StringBuilder encoded = new StringBuilder(path.length() + 16);
    for (byte unit : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (unit & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || PLAIN.indexOf(c) >= 0;
      if (plain) {
        encoded.append(c);
      } else {
        encoded.append(String.format("%%%02X", (int) c));
      }
    }
    return encoded.toString();
  }
}
