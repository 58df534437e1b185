package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.WrittenRepository.id;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.icechunk.WrittenRepository.Ref;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** A check of a repository finds what is wrong with its files, and nothing in good ones. */
class RepositoryCheckTest {
  private static final String GROUP = "{\"zarr_format\":3,\"node_type\":\"group\"}";
  private static final String ARRAY = "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[20]}";

  @TempDir static Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    RepositoriesByPythonTest.unpackInto(directory);
  }

  /** The files that a test has changed, as they were. */
  private final Map<Path, byte[]> changed = new LinkedHashMap<>();

  private void delete(Path file) throws IOException {
    changed.putIfAbsent(file, Files.readAllBytes(file));
    Files.delete(file);
  }

  private void write(Path file, byte[] bytes) throws IOException {
    changed.putIfAbsent(file, Files.readAllBytes(file));
    Files.write(file, bytes);
  }

  @AfterEach
  void restore() throws IOException {
    for (Map.Entry<Path, byte[]> file : changed.entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }
  }

  @TestFactory
  Stream<DynamicTest> nothing_is_found_in_what_python_has_written() {
    PythonAnswers answers = new PythonAnswers(directory);
    return answers.names().stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      IcechunkRepository repository =
                          await(Icechunk.open(answers.place(name), answers.options()));
                      assertThat(await(repository.checkHistory()))
                          .allSatisfy(found -> assertThat(isOldLog(name, found)).isTrue());
                      assertThat(await(repository.check(IcechunkVersion.MAIN)))
                          .allSatisfy(found -> assertThat(isOldLog(name, found)).isTrue());
                    }));
  }

  /** icechunk 1.1 left the chunks in logs out of order, where it split manifests. */
  private static boolean isOldLog(String name, IcechunkFinding found) {
    return name.equals("split-by-1")
        && !found.isFault()
        && found.key().startsWith("transactions/")
        && found.text().contains("are not in the order of their indices");
  }

  @Test
  void orders_of_a_log_are_checked_and_each_finding_names_the_place() {
    WrittenRepository written =
        new WrittenRepository()
            .group("/", GROUP)
            .log(
                new long[][] {{1, 32}, {64, 33}, {}, {2, 32}, {3}, {3, 3}},
                List.of(
                    new WrittenRepository.Updated(
                        8, new int[] {0, 5}, new int[] {1, 0}, new int[] {0, 9}),
                    new WrittenRepository.Updated(7, new int[] {4}, new int[] {4})),
                List.of("/x", "/b/a", "/y", "/b"));
    assertThat(texts(written.store()))
        .allMatch(text -> text.startsWith("? transactions/" + WrittenRepository.SNAPSHOT + ": "))
        .extracting(text -> text.substring(text.indexOf(": ") + 2))
        .containsExactly(
            "its list new_arrays is not in the order of the ids: "
                + nodeId(33)
                + " stands behind "
                + nodeId(64),
            "its list updated_groups is not in the order of the ids: "
                + nodeId(3)
                + " stands behind "
                + nodeId(3),
            "node " + nodeId(32) + " is in its lists new_groups and deleted_arrays",
            "the chunks of array "
                + nodeId(8)
                + " are not in the order of their indices: (0, 9) stands behind (1, 0)",
            "its list updated_chunks is not in the order of the ids: "
                + nodeId(7)
                + " stands behind "
                + nodeId(8),
            "its list moved_nodes is not in the order of the new paths: /b stands behind /b/a");
  }

  /** The text of the 8 bytes of a node's id: 64 bits and one of zero. */
  private static String nodeId(int number) {
    String text = "";
    for (int i = 0, rest = 2 * number; i < 13; i++, rest /= 32) {
      text = WrittenRepository.ALPHABET.charAt(rest % 32) + text;
    }
    return text;
  }

  @Test
  void a_log_in_order_has_no_finding() {
    WrittenRepository written =
        new WrittenRepository()
            .group("/", GROUP)
            .log(
                new long[][] {{1, 32}, {33, 64}, {}, {2}, {3}, {4, -1}},
                List.of(
                    new WrittenRepository.Updated(7, new int[] {0, 5}, new int[] {1, 0}),
                    new WrittenRepository.Updated(-8, new int[0])),
                List.of("/x", "/b/a", "/y", "/b-a"));
    assertThat(texts(written.store())).isEmpty();
  }

  @Test
  void changes_of_the_first_snapshot_are_found() throws IOException {
    Path log = directory.resolve("moved-v2/transactions/1CECHNKREP0F1RSTCMT0");
    byte[] file = Files.readAllBytes(log);
    write(log, file);
    assertThat(checked("moved-v2")).isEmpty();
    byte[] payload = Zstd.decompress(Arrays.copyOfRange(file, 39, file.length), 1 << 16);
    WrittenRepository other =
        new WrittenRepository().log(new long[][] {{1}, {}, {}, {}, {}, {}}, List.of(), List.of());
    Bytes changed =
        await(other.store().get(StoreKey.of("transactions/" + WrittenRepository.SNAPSHOT)));
    byte[] its =
        Zstd.decompress(Arrays.copyOfRange(changed.toByteArray(), 39, changed.size()), 1 << 16);
    write(log, WrittenRepository.file(4, withIdOf(payload, its)));
    assertThat(checked("moved-v2"))
        .singleElement()
        .hasToString(
            "transactions/1CECHNKREP0F1RSTCMT0: it tells of changes, and the first snapshot of a"
                + " repository has none");
  }

  /** Returns a log with the id of the first snapshot in place of that of the other one. */
  private static byte[] withIdOf(byte[] first, byte[] other) {
    byte[] id = HexFormat.of().parseHex("0b1cc8d6787580f0e33a6534");
    assertThat(indexOf(first, id)).isPositive();
    byte[] changed = other.clone();
    System.arraycopy(id, 0, changed, indexOf(other, WrittenRepository.bytes12(1)), id.length);
    return changed;
  }

  private static int indexOf(byte[] all, byte[] part) {
    for (int i = 0; i + part.length <= all.length; i++) {
      if (Arrays.equals(all, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    return -1;
  }

  @TestFactory
  Stream<DynamicTest> the_size_of_a_manifest_is_compared_with_its_object() {
    return Stream.of("basic-v1", "basic-v2")
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      Path manifest = largest(name + "/manifests");
                      int bytes = (int) Files.size(manifest);
                      Path snapshot = tip(name);
                      byte[] file = Files.readAllBytes(snapshot);
                      byte[] payload =
                          Zstd.decompress(Arrays.copyOfRange(file, 39, file.length), 1 << 20);
                      for (int change : new int[] {-1, 1}) {
                        byte[] other = payload.clone();
                        ByteBuffer size = little(8).putLong(bytes);
                        int at = indexOf(other, size.array());
                        little(other).putLong(at, bytes + change);
                        byte[] written = WrittenRepository.file(1, other);
                        written[36] = file[36];
                        write(snapshot, written);
                        assertThat(texts(new PythonAnswers(directory).place(name)))
                            .singleElement()
                            .isEqualTo(
                                (change < 0 ? "! " : "? ")
                                    + "manifests/"
                                    + manifest.getFileName()
                                    + ": it is stored in "
                                    + bytes
                                    + " bytes, and the list of snapshot "
                                    + snapshot.getFileName()
                                    + " says "
                                    + (bytes + change)
                                    + (change < 0
                                        ? ": icechunk reads no more of it, and fails"
                                        : ""));
                      }
                    }));
  }

  private static ByteBuffer little(int size) {
    return little(new byte[size]);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Path tip(String name) {
    String id =
        await(
                Icechunk.open(new PythonAnswers(directory).place(name))
                    .flatMap(repository -> repository.snapshot(IcechunkVersion.MAIN)))
            .id();
    return directory.resolve(name + "/snapshots/" + id);
  }

  @Test
  void a_missing_object_of_a_chunk_is_found() throws IOException {
    Path object = first("basic-v2/chunks");
    delete(object);
    assertThat(checked("basic-v2"))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.key()).isEqualTo("chunks/" + object.getFileName());
              assertThat(found.isFault()).isTrue();
              assertThat(found.text())
                  .startsWith("it is missing: chunk (")
                  .contains(", 0) of /g/h/noise in manifest ");
            });
  }

  @Test
  void a_truncated_object_of_a_chunk_is_found() throws IOException {
    Path object = first("basic-v1/chunks");
    write(object, Arrays.copyOf(Files.readAllBytes(object), 2399));
    assertThat(checked("basic-v1"))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.key()).isEqualTo("chunks/" + object.getFileName());
              assertThat(found.text()).startsWith("it has 2399 bytes, and needs at least 2400: ");
            });
  }

  @Test
  void every_missing_object_is_found_once_also_where_the_table_is_small() throws IOException {
    try (Stream<Path> objects = Files.list(directory.resolve("split-v2/chunks"))) {
      for (Path object : objects.toList()) {
        delete(object);
      }
    }
    List<IcechunkFinding> all = checked("split-v2");
    assertThat(all).hasSize(41).allMatch(IcechunkFinding::isFault).doesNotHaveDuplicates();
    RepositoryFiles files =
        new RepositoryFiles(
            new PythonAnswers(directory).place("split-v2"), IcechunkOptions.defaults());
    Refs refs = await(Icechunk.detect(files, false));
    assertThat(await(new RepositoryCheck(files, refs, 500).ofHistory()))
        .extracting(IcechunkFinding::key)
        .contains(all.stream().map(IcechunkFinding::key).toArray(String[]::new));
  }

  @Test
  void a_missing_manifest_is_found_once() throws IOException {
    for (Path manifest : files("basic-v2/manifests")) {
      delete(manifest);
    }
    assertThat(checked("basic-v2"))
        .hasSize(8)
        .allSatisfy(
            found -> {
              assertThat(found.key()).startsWith("manifests/");
              assertThat(found.text()).contains("is missing; if its snapshot has expired");
            });
  }

  @Test
  void a_damaged_snapshot_is_found_and_the_others_are_checked() throws IOException {
    PythonAnswers answers = new PythonAnswers(directory);
    String tagged =
        await(
                Icechunk.open(answers.place("basic-v2"))
                    .flatMap(repository -> repository.snapshot(IcechunkVersion.tag("v 1"))))
            .id();
    write(directory.resolve("basic-v2/snapshots/" + tagged), new byte[50]);
    delete(first("basic-v2/chunks"));
    assertThat(checked("basic-v2"))
        .extracting(IcechunkFinding::key)
        .hasSize(2)
        .contains("snapshots/" + tagged)
        .anyMatch(key -> key.startsWith("chunks/"));
    IcechunkRepository repository = await(Icechunk.open(answers.place("basic-v2")));
    assertThat(await(repository.check(IcechunkVersion.MAIN)))
        .as("the version main")
        .extracting(IcechunkFinding::key)
        .singleElement()
        .asString()
        .startsWith("chunks/");
  }

  @Test
  void a_missing_log_of_a_commit_is_found() throws IOException {
    for (Path log : files("moved-v2/transactions")) {
      delete(log);
    }
    assertThat(checked("moved-v2"))
        .as("all but that of the first snapshot")
        .hasSize(3)
        .allMatch(found -> found.key().startsWith("transactions/") && found.isFault());
  }

  @Test
  void references_are_checked_against_the_snapshot_and_the_object() {
    WrittenRepository written =
        new WrittenRepository()
            .listed()
            .group("/", GROUP)
            .array(
                "/a",
                ARRAY,
                new int[] {2},
                List.of(
                    Ref.chunk(7, 0, 8, 0),
                    Ref.chunk(7, 8, 9, 1),
                    Ref.inline(new byte[3], 5),
                    Ref.inline(new byte[3], 6)))
            .array("/b", ARRAY, new int[] {3}, List.of(Ref.inline(new byte[3], 1)))
            .array(
                "/c",
                ARRAY,
                new int[] {3},
                List.of(
                    Ref.chunk(7, 0, 0, 0),
                    new Ref(new int[] {1}, new byte[2], 7, null, 0, 2, null),
                    Ref.inline(new byte[0], 2)))
            .object(7, new byte[16])
            .put("transactions/" + WrittenRepository.SNAPSHOT, new byte[0]);
    written.put(
        "manifests/" + id(101),
        WrittenRepository.file(
            2,
            WrittenRepository.manifest(
                WrittenRepository.bytes12(101),
                3,
                List.of(Ref.inline(new byte[3], 1), Ref.inline(new byte[3], 2)),
                null)));
    assertThat(texts(written.store()))
        .contains(
            "! chunks/"
                + id(7)
                + ": it has 16 bytes, and needs at least 17: chunk (1) of /a in"
                + " manifest "
                + id(100),
            "? manifests/"
                + id(100)
                + ": 2 references of /a, such as that of chunk (5), have an"
                + " index outside of the grid: the array was made smaller",
            "! manifests/"
                + id(101)
                + ": a reference of /b, that of chunk (2), has an index"
                + " outside of the extents in the snapshot, where no reader finds it",
            "? manifests/"
                + id(101)
                + ": it has 2 references, and the list of snapshot "
                + WrittenRepository.SNAPSHOT
                + " says 1",
            "! manifests/"
                + id(102)
                + ": a reference of /c, that of chunk (1), has more than one"
                + " place of its bytes",
            "! manifests/" + id(102) + ": a reference of /c, that of chunk (2), has no bytes")
        .anyMatch(
            text -> text.contains("that of chunk (0), has a fault: ") && text.contains("0 bytes"));
  }

  @Test
  void nodes_are_checked_against_their_documents_and_the_list_of_manifests() {
    Store store =
        new WrittenRepository()
            .group("/", "{\"zarr_format\":3,\"node_type\":\"array\"}")
            .group("/g", "no JSON")
            .array("/a", ARRAY, new int[] {2, 2}, List.of(Ref.inline(new byte[3], 1, 1)))
            .store();
    String snapshot = "! snapshots/" + WrittenRepository.SNAPSHOT + ": ";
    assertThat(texts(store))
        .hasSize(4)
        .contains(
            snapshot
                + "its list of manifests lacks 1 manifest that its arrays name, such as "
                + id(100)
                + ": garbage collection will remove what is in no list",
            snapshot + "the document of /a has a shape of 1 dimension, and the snapshot says 2")
        .anyMatch(text -> text.startsWith(snapshot + "the document of /: "))
        .anyMatch(text -> text.startsWith(snapshot + "the document of /g: "));
  }

  @Test
  void virtual_chunks_are_resolved_and_not_asked_for() {
    WrittenRepository written =
        new WrittenRepository()
            .listed()
            .group("/", GROUP)
            .array(
                "/a",
                ARRAY,
                new int[] {4},
                List.of(
                    Ref.virtual("s3://allowed/key", 0, 4, 0),
                    Ref.virtual("s3://other/key?secret=yes", 0, 4, 1),
                    Ref.virtual("s3://other/key", 0, 4, 2),
                    Ref.virtual("vcc://unknown/key", 0, 4, 3)));
    InstrumentedStore allowed = InstrumentedStore.of(MemoryStore.create());
    IcechunkOptions options =
        IcechunkOptions.defaults()
            .withContainers(VirtualContainers.builder().allow("s3://allowed/", allowed).build());
    IcechunkRepository repository = await(Icechunk.open(written.store(), options));
    List<String> found = texts(await(repository.check(IcechunkVersion.MAIN)));
    assertThat(found)
        .hasSize(2)
        .contains(
            "? manifests/"
                + id(100)
                + ": 2 references of /a, such as that of chunk (1), have a"
                + " location outside of every container that was allowed, and were not checked")
        .anyMatch(text -> text.contains("that of chunk (3), has a location that cannot be read"));
    assertThat(found.toString()).doesNotContain("secret");
    assertThat(allowed.counts().requests()).isEmpty();
  }

  @Test
  void one_listing_looks_after_all_chunks() {
    InstrumentedStore store = InstrumentedStore.of(new PythonAnswers(directory).place("split-v2"));
    IcechunkRepository repository = await(Icechunk.open(store));
    assertThat(await(repository.checkHistory())).isEmpty();
    List<String> targets =
        store.counts().requests().stream()
            .map(StoreRequest::target)
            .filter(target -> target.startsWith("chunks"))
            .toList();
    assertThat(targets).hasSize(1);
  }

  @Test
  void a_store_that_cannot_list_is_told_of() throws IOException {
    delete(first("basic-v2/chunks"));
    Store store = new Unlisted(new PythonAnswers(directory).place("basic-v2"));
    assertThat(texts(store))
        .containsExactly(
            "? chunks/: the store cannot list, so nobody has looked whether every chunk is there");
  }

  @Test
  void a_version_that_is_not_there_is_an_error() {
    IcechunkRepository repository =
        await(Icechunk.open(new PythonAnswers(directory).place("basic-v2")));
    assertThat(errorOf(repository.check(IcechunkVersion.branch("none")).then()))
        .hasMessageContaining("has no branch \"none\"");
  }

  @Test
  void a_store_tells_the_version_that_it_shows() {
    Store place = new PythonAnswers(directory).place("basic-v2");
    IcechunkRepository repository = await(Icechunk.open(place));
    Store store = await(repository.store(IcechunkVersion.tag("v 1")));
    IcechunkOrigin origin = IcechunkOrigin.of(InstrumentedStore.of(store)).orElseThrow();
    assertThat(origin.repository()).isSameAs(repository);
    assertThat(origin.version()).isEqualTo(IcechunkVersion.tag("v 1"));
    assertThat(origin.snapshot().message()).isEqualTo("arrays");
    assertThat(IcechunkOrigin.of(place)).isEmpty();
  }

  /** A store such as HTTP, which has no listings. */
  private static final class Unlisted extends DelegatingStore {
    Unlisted(Store delegate) {
      super(delegate);
    }

    @Override
    public Set<StoreCapability> capabilities() {
      Set<StoreCapability> capabilities = EnumSet.copyOf(super.capabilities());
      capabilities.remove(StoreCapability.LIST);
      return capabilities;
    }
  }

  private static List<String> texts(Store store) {
    return texts(await(Icechunk.open(store).flatMapMany(it -> it.check(IcechunkVersion.MAIN))));
  }

  private static List<String> texts(List<IcechunkFinding> findings) {
    return findings.stream().map(found -> (found.isFault() ? "! " : "? ") + found).toList();
  }

  private List<IcechunkFinding> checked(String name) {
    PythonAnswers answers = new PythonAnswers(directory);
    return await(
        Icechunk.open(answers.place(name), answers.options())
            .flatMapMany(IcechunkRepository::checkHistory));
  }

  /** The file whose size tells it apart from the others. */
  private Path largest(String place) throws IOException {
    return files(place).stream().max(Comparator.comparing(file -> file.toFile().length())).get();
  }

  private Path first(String place) throws IOException {
    return files(place).get(0);
  }

  private List<Path> files(String place) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(place))) {
      return files.sorted().toList();
    }
  }
}
