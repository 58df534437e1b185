package dev.zarrreactive.interop;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One case of the archive: a store, and in {@code case.json} what is to be seen in it. */
public final class Fixture {
  private static final String STORE = "store/";

  private final String name;
  private final Set<String> files;
  private final String directory;
  private final FixtureArchive archive;
  private final JsonObject description;

  Fixture(String name, Set<String> files, String directory, FixtureArchive archive) {
    this.name = name;
    this.files = files;
    this.directory = directory;
    this.archive = archive;
    this.description = describe(archive.read(directory, "case.json"));
  }

  /** Some descriptions hold NaN tokens, which the parser takes inside attributes only. */
  private static JsonObject describe(byte[] json) {
    String wrapped = "{\"attributes\": " + new String(json, StandardCharsets.UTF_8) + "}";
    ByteBuffer utf8 = ByteBuffer.wrap(wrapped.getBytes(StandardCharsets.UTF_8));
    return JsonDocument.parse(utf8, Location.UNKNOWN).member("attributes").object();
  }

  /** The name of the case. */
  public String name() {
    return name;
  }

  JsonObject description() {
    return description;
  }

  /** A member of the description that is a string. */
  public String text(String member) {
    return textOf(description.get(member));
  }

  static String textOf(JsonValue value) {
    return value instanceof JsonString string ? string.value() : String.valueOf(value);
  }

  boolean isTrue(String member) {
    return description.get(member) instanceof JsonBoolean bool && bool.value();
  }

  /** The class of cases that this one belongs to; of archives, with the version. */
  String group() {
    return isDirectory() ? text("class") : text("class") + "/v" + text("format");
  }

  /** True for Zarr v3, as it was ratified. */
  boolean isVersion3() {
    return text("format").equals("3");
  }

  public boolean isHierarchy() {
    return description.get("nodes") != null;
  }

  /** False where the store is one zip archive. */
  public boolean isDirectory() {
    return text("store").equals("store");
  }

  /** A file beside the store. */
  byte[] file(String relative) {
    return archive.read(directory, relative);
  }

  /** True where something lies beside the store that must stay outside. */
  boolean hasNeighbour() {
    return files.stream().anyMatch(file -> file.startsWith("evil/"));
  }

  /** The keys of the store. */
  public Set<String> keys() {
    return files.stream()
        .filter(file -> file.startsWith(STORE))
        .map(file -> file.substring(STORE.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The value at a key of the store. */
  public byte[] value(String key) {
    return file(STORE + key);
  }

  /** The store in memory; what lies beside it stays outside. */
  public Store inMemory() {
    MemoryStore store = MemoryStore.create();
    for (String key : keys()) {
      store.set(StoreKey.of(key), Bytes.wrap(value(key))).block();
    }
    return store;
  }

  /** False where this system has no file name for some key. */
  boolean isUnpackable() {
    Charset names = Charset.forName(System.getProperty("sun.jnu.encoding"));
    return files.stream().allMatch(file -> names.newEncoder().canEncode(file));
  }

  /**
   * Unpacks the case, with what lies beside the store, below {@code base}.
   *
   * @return the directory or file of the store
   */
  Path unpack(Path base) {
    Path root = base.resolve(name).normalize();
    try {
      for (String file : files) {
        Path target = root.resolve(file).normalize();
        if (!target.startsWith(root)) {
          throw new IllegalArgumentException(file + " leads out of " + root);
        }
        Files.createDirectories(target.getParent());
        Files.write(target, file(file));
      }
      return root.resolve(text("store"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
