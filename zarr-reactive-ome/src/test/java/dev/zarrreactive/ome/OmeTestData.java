package dev.zarrreactive.ome;

import static java.util.Objects.requireNonNull;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** The images and rasters that make_ome.py writes, and the documents of the specification. */
public final class OmeTestData {
  private static final Path DIRECTORY = unzip();

  private OmeTestData() {}

  private static Map<String, byte[]> entries(String resource) {
    Map<String, byte[]> entries = new TreeMap<>();
    try (InputStream in =
            requireNonNull(OmeTestData.class.getResourceAsStream("/ome/" + resource));
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), zip.readAllBytes());
      }
      return entries;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path unzip() {
    try {
      Path directory = Files.createTempDirectory(Path.of("target"), "ome-images").toAbsolutePath();
      for (Map.Entry<String, byte[]> entry : entries("images.zip").entrySet()) {
        Path file = directory.resolve(entry.getKey());
        Files.createDirectories(file.getParent());
        Files.write(file, entry.getValue());
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the location of a store. */
  public static String location(String name) {
    return DIRECTORY.resolve(name).resolve("data.zarr").toString();
  }

  /** Returns what other readers found, by {@code NAME/PATH}. */
  public static JsonObject expected() {
    try {
      return (JsonObject) json(Files.readAllBytes(DIRECTORY.resolve("expected.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the documents of the specification by their path. Some have comments. */
  static Map<String, JsonObject> specification() {
    Map<String, JsonObject> documents = new TreeMap<>();
    entries("specification.zip")
        .forEach(
            (path, bytes) -> {
              String text =
                  new String(bytes, StandardCharsets.UTF_8).replaceAll("(?m)^\\s*//.*$", "");
              documents.put(path, (JsonObject) json(text.getBytes(StandardCharsets.UTF_8)));
            });
    return documents;
  }

  private static JsonValue json(byte[] bytes) {
    return JsonDocument.parse(ByteBuffer.wrap(bytes), Location.UNKNOWN, 1L << 40).value();
  }

  /** Returns a value of JSON with single quotes. */
  static JsonValue parsed(String text) {
    return json(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the object at a path of members and indices. */
  public static @Nullable JsonValue at(@Nullable JsonValue value, Object... path) {
    JsonValue found = value;
    for (Object step : path) {
      found =
          step instanceof Integer index && found instanceof JsonArray list
              ? list.elements().get(index)
              : found instanceof JsonObject object ? object.get(step.toString()) : null;
    }
    return found;
  }

  /** Returns the elements of a list. */
  public static List<JsonValue> list(@Nullable JsonValue value) {
    return value instanceof JsonArray array ? array.elements() : List.of();
  }

  /** Returns the numbers of a list. */
  public static List<Double> numbers(@Nullable JsonValue value) {
    return list(value).stream().map(each -> ((JsonNumber) each).toDouble()).toList();
  }

  /** Returns a text, empty for another value. */
  public static String text(@Nullable JsonValue value) {
    return value instanceof JsonString text ? text.value() : "";
  }
}
