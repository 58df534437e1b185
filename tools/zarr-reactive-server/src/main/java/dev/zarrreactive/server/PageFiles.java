package dev.zarrreactive.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The page for browsers, its scripts and its style. A browser runs nothing else in it: text of the
 * store that looks like a script stays text.
 */
final class PageFiles {
  private static final String PAGE = "page.html";
  private static final String POLICY = "default-src 'self'";
  private static final List<String> NAMES =
      List.of(
          PAGE,
          "page.js",
          "axes.js",
          "chunks.js",
          "overview.js",
          "state.js",
          "lines.js",
          "mix.js",
          "coast.js",
          "versions.js",
          "page.css",
          "icon.svg",
          "coast.bin");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html;charset=utf-8",
          "js", "text/javascript;charset=utf-8",
          "css", "text/css;charset=utf-8",
          "svg", "image/svg+xml",
          "bin", "application/octet-stream");

  /** The line of the page that asks for versions. */
  private static final String VERSIONS = "<script type=\"module\" src=\"versions.js\"></script>\n";

  private final Map<String, byte[]> files;
  private final Map<String, byte[]> compressed;

  /**
   * Reads the files, so it blocks.
   *
   * @param hasVersions whether the page asks for the versions of the store
   */
  PageFiles(boolean hasVersions) {
    files = new HashMap<>();
    NAMES.forEach(name -> files.put(name, read(name)));
    if (!hasVersions) {
      String page = new String(read(PAGE), StandardCharsets.UTF_8);
      files.put(PAGE, page.replace(VERSIONS, "").getBytes(StandardCharsets.UTF_8));
    }
    compressed = new HashMap<>();
    files.forEach((name, file) -> compressed.put(name, compressed(file)));
  }

  /** Reads a resource of this package. */
  static byte[] read(String name) {
    try (InputStream resource = PageFiles.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(resource, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] compressed(byte[] file) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Returns the response for a path below {@code api/}, compressed for clients that accept it; null
   * where none of the files is there.
   */
  @Nullable Reply get(String path, HttpHeaders headers) {
    String name = path.isEmpty() ? PAGE : path.equals(PAGE) ? "" : path;
    byte[] file = files.get(name);
    if (file == null) {
      return null;
    }
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    boolean isCompressed = acceptsGzip(headers);
    Reply reply =
        Reply.of(
            200,
            Objects.requireNonNull(type),
            isCompressed ? Objects.requireNonNull(compressed.get(name)) : file);
    return (isCompressed
            ? reply.with(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP.toString())
            : reply)
        .with(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING.toString())
        .with(HttpHeaderNames.CACHE_CONTROL, "no-cache")
        .with(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
        .with("X-Content-Type-Options", "nosniff");
  }

  private static boolean acceptsGzip(HttpHeaders headers) {
    return headers.getAll(HttpHeaderNames.ACCEPT_ENCODING).stream()
        .flatMap(value -> Stream.of(value.split(",")))
        .map(value -> value.replace(" ", "").toLowerCase(Locale.ROOT))
        .anyMatch(value -> value.equals("gzip") || value.matches("gzip;q=(1|0\\.\\d*[1-9]).*"));
  }
}
