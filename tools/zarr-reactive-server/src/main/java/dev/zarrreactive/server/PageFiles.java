package dev.zarrreactive.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The page for browsers, its scripts and its style. A browser runs nothing else in it: text of the
 * store that looks like a script stays text.
 */
final class PageFiles {
  private static final String POLICY = "default-src 'self'";
  private static final Map<String, String> NAMES =
      Map.of(
          "",
          "page.html",
          "page.js",
          "page.js",
          "axes.js",
          "axes.js",
          "chunks.js",
          "chunks.js",
          "versions.js",
          "versions.js",
          "page.css",
          "page.css");
  private static final Map<String, String> TYPES =
      Map.of(
          "page.html", "text/html;charset=utf-8",
          "page.js", "text/javascript;charset=utf-8",
          "axes.js", "text/javascript;charset=utf-8",
          "chunks.js", "text/javascript;charset=utf-8",
          "versions.js", "text/javascript;charset=utf-8",
          "page.css", "text/css;charset=utf-8");

  /** The line of the page that asks for versions. */
  private static final String VERSIONS = "<script type=\"module\" src=\"versions.js\"></script>\n";

  private final Map<String, byte[]> files;

  /**
   * Reads the files, so it blocks.
   *
   * @param hasVersions whether the page asks for the versions of the store
   */
  PageFiles(boolean hasVersions) {
    files = new HashMap<>();
    TYPES.keySet().forEach(name -> files.put(name, read(name)));
    if (!hasVersions) {
      String page = new String(read("page.html"), StandardCharsets.UTF_8);
      files.put("page.html", page.replace(VERSIONS, "").getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Reads a resource of this package. */
  static byte[] read(String name) {
    try (InputStream resource = PageFiles.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(resource, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the response for a path below {@code api/}; null where none of the files is there. */
  @Nullable Reply get(String path) {
    String name = NAMES.get(path);
    if (name == null) {
      return null;
    }
    return Reply.of(
            200, Objects.requireNonNull(TYPES.get(name)), Objects.requireNonNull(files.get(name)))
        .with(HttpHeaderNames.CACHE_CONTROL, "no-cache")
        .with(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
        .with("X-Content-Type-Options", "nosniff");
  }
}
