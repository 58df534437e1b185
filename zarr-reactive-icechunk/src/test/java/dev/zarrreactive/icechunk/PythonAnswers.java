package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Repositories that {@code make_repositories.py} has made, and what Python's icechunk says of them.
 *
 * @param directory with the repositories, their answers, and the data of virtual chunks
 */
record PythonAnswers(Path directory) {
  private static final String DATA = "file:///tmp/icechunk-virtual-data/";
  private static final Instant WRITTEN = Instant.ofEpochSecond(1_700_000_000);

  /** The names of the repositories. */
  List<String> names() {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .map(name -> name.substring(0, name.length() - ".json".length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The store that a repository is in. */
  Store place(String name) {
    return FileSystemStore.open(directory.resolve(name));
  }

  /** The options to read one with: virtual chunks lie in the directory of data. */
  IcechunkOptions options() {
    Path data = directory.resolve("data");
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, FileTime.from(WRITTEN));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return IcechunkOptions.defaults()
        .withContainers(
            VirtualContainers.builder()
                .allow(DATA, FileSystemStore.open(data))
                .allow("s3://testbucket/", FileSystemStore.open(data))
                .build());
  }

  JsonObject answers(String name) {
    try {
      byte[] json = Files.readAllBytes(directory.resolve(name + ".json"));
      return JsonDocument.parse(ByteBuffer.wrap(json), Location.UNKNOWN).object();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads all of a repository, and compares it with the answers. Returns the values it read. */
  int check(String name) {
    JsonObject answers = answers(name);
    IcechunkRepository repository = await(Icechunk.open(place(name), options()));
    assertThat(repository.specVersion()).isEqualTo((int) number(answers, "spec"));
    assertThat(refs(repository.branches())).isEqualTo(texts(answers.get("branches")));
    assertThat(refs(repository.tags())).isEqualTo(texts(answers.get("tags")));
    for (String deleted : list(answers, "deleted_tags")) {
      assertThat(errorOf(repository.store(IcechunkVersion.tag(deleted))))
          .hasMessageContaining("\"" + deleted + "\", which was deleted");
    }
    checkSettings(repository, answers);
    JsonObject snapshots = object(answers.get("snapshots"));
    for (Map.Entry<String, JsonValue> history :
        object(answers.get("history")).members().entrySet()) {
      List<IcechunkSnapshot> read =
          await(repository.history(IcechunkVersion.branch(history.getKey())));
      assertThat(read.stream().map(IcechunkSnapshot::id).toList())
          .isEqualTo(list(object(answers.get("history")), history.getKey()));
      for (IcechunkSnapshot snapshot : read) {
        checkSnapshot(snapshot, object(snapshots.get(snapshot.id())));
        IcechunkVersion then = IcechunkVersion.asOf(history.getKey(), snapshot.time());
        assertThat(await(repository.snapshot(then))).isEqualTo(snapshot);
      }
    }
    int values = 0;
    for (Map.Entry<String, JsonValue> each : snapshots.members().entrySet()) {
      IcechunkVersion version = IcechunkVersion.snapshot(each.getKey());
      checkSnapshot(await(repository.snapshot(version)), object(each.getValue()));
      values += checkStore(await(repository.store(version)), object(each.getValue()));
    }
    return values;
  }

  private static void checkSettings(IcechunkRepository repository, JsonObject answers) {
    String reason = answers.string("read_only").orElse(null);
    assertThat(repository.status().isReadOnly()).isEqualTo(reason != null);
    assertThat(repository.status().reason()).isEqualTo(reason);
    assertThat(repository.status().disabledFeatures())
        .containsExactlyInAnyOrderElementsOf(list(answers, "disabled"));
    if (answers.get("containers") != null) {
      Map<String, String> found = new TreeMap<>();
      for (IcechunkContainer container : await(repository.containers())) {
        found.put(container.urlPrefix(), String.valueOf(container.name()));
      }
      assertThat(found).isEqualTo(texts(answers.get("containers")));
    }
  }

  private static void checkSnapshot(IcechunkSnapshot found, JsonObject expected) {
    JsonValue parent = Objects.requireNonNull(expected.get("parent"));
    assertThat(found.parent()).isEqualTo(parent == JsonNull.NULL ? null : text(parent));
    assertThat(found.message()).isEqualTo(text(expected.get("message")));
    assertThat(found.time()).isEqualTo(Instant.EPOCH.plusNanos(1_000 * number(expected, "micros")));
    assertThat(found.metadata()).isEqualTo(expected.get("metadata"));
  }

  private static int checkStore(Store store, JsonObject expected) {
    Map<String, JsonValue> keys = object(expected.get("keys")).members();
    List<ListEntry.Key> listed = await(store.listValues(StorePrefix.ROOT));
    assertThat(listed.stream().map(entry -> entry.key().value()).toList())
        .containsExactlyInAnyOrderElementsOf(keys.keySet());
    for (ListEntry.Key entry : listed) {
      JsonArray value = (JsonArray) Objects.requireNonNull(keys.get(entry.key().value()));
      VersionedBytes read = await(store.getVersioned(entry.key(), null, ReadCondition.ALWAYS));
      Bytes bytes = Objects.requireNonNull(read.bytes());
      assertThat(read.version()).as("%s", entry.key()).isNotNull();
      assertThat(digest(Flux.just(bytes)))
          .as("%s", entry.key())
          .isEqualTo(text(value.elements().get(1)));
      assertThat(entry.size()).isEqualTo(bytes.size());
    }
    checkListings(store, new TreeSet<>(keys.keySet()), StorePrefix.ROOT);
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    object(expected.get("arrays"))
        .members()
        .forEach(
            (path, array) ->
                assertThat(
                        digest(
                            hierarchy
                                .openArray(path)
                                .flatMapMany(open -> open.readBytes(Selection.all(), 1 << 20))))
                    .as("values of %s in %s", path, store)
                    .isEqualTo(text(object(array).get("sha"))));
    return keys.size();
  }

  /** Compares listings of a prefix, and of all below it, with what all keys say. */
  static void checkListings(Store store, TreeSet<String> all, StorePrefix prefix) {
    String beginning = prefix.value();
    TreeSet<String> below =
        all.stream()
            .filter(key -> key.startsWith(beginning))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(await(store.listPrefix(prefix)).stream().map(StoreKey::value).toList())
        .as("listPrefix of %s", prefix)
        .containsExactlyInAnyOrderElementsOf(below);
    TreeSet<String> entries = new TreeSet<>();
    for (String key : below) {
      int slash = key.indexOf('/', beginning.length());
      entries.add(slash < 0 ? key : key.substring(0, slash + 1));
    }
    List<String> found = new ArrayList<>();
    for (ListEntry entry : await(store.listDir(prefix))) {
      found.add(
          entry instanceof ListEntry.Prefix longer
              ? longer.prefix().value()
              : ((ListEntry.Key) entry).key().value());
    }
    assertThat(found).as("listDir of %s", prefix).containsExactlyInAnyOrderElementsOf(entries);
    if (all.size() < 200) {
      for (String entry : entries) {
        if (entry.endsWith("/")) {
          checkListings(store, below, StorePrefix.of(entry));
        }
      }
    }
  }

  /** The digest that the script calls {@code sha}. */
  private static String digest(Flux<Bytes> pieces) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      await(pieces.collectList()).forEach(piece -> digest.update(piece.asByteBuffer()));
      return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, String> refs(Flux<IcechunkRef> refs) {
    Map<String, String> all = new TreeMap<>();
    await(refs).forEach(ref -> all.put(ref.name(), ref.snapshot()));
    return all;
  }

  private static Map<String, String> texts(@Nullable JsonValue object) {
    Map<String, String> all = new TreeMap<>();
    object(object)
        .members()
        .forEach((name, value) -> all.put(name, value == JsonNull.NULL ? "null" : text(value)));
    return all;
  }

  private static List<String> list(JsonObject object, String name) {
    return object.get(name) instanceof JsonArray array
        ? array.elements().stream().map(PythonAnswers::text).toList()
        : List.of();
  }

  private static JsonObject object(@Nullable JsonValue value) {
    return (JsonObject) Objects.requireNonNull(value);
  }

  private static String text(@Nullable JsonValue value) {
    return ((JsonString) Objects.requireNonNull(value)).value();
  }

  private static long number(JsonObject object, String name) {
    return ((JsonNumber) Objects.requireNonNull(object.get(name))).toBigInteger().longValue();
  }
}
