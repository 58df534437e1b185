package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.NotAValueException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Symbolic links, and other things in a directory that are no plain files. */
@DisabledOnOs(OS.WINDOWS)
class FileSystemLinksTest {
  @TempDir Path temp;
  Path base;
  Path outside;
  FileSystemStore store;

  @BeforeEach
  void open() throws IOException {
    base = Files.createDirectories(temp.resolve("base"));
    outside = Files.createDirectories(temp.resolve("outside/c"));
    Files.writeString(outside.resolve("0"), "linked");
    store = FileSystemStore.open(base);
  }

  @Test
  void links_to_directories_and_files_are_read_and_listed() throws IOException {
    Files.createSymbolicLink(base.resolve("array"), outside);
    Files.createSymbolicLink(base.resolve("file"), outside.resolve("0"));
    assertThat(store.get(StoreKey.of("array/0")).block()).isEqualTo(Bytes.utf8("linked"));
    assertThat(store.get(StoreKey.of("file")).block()).isEqualTo(Bytes.utf8("linked"));
    assertThat(store.list().map(StoreKey::value).collectList().block())
        .containsExactlyInAnyOrder("array/0", "file");
    assertThat(store.listDir(StorePrefix.ROOT).map(ListEntry::name).collectList().block())
        .containsExactlyInAnyOrder("array", "file");
  }

  private void assertNoValue(FileSystemStore of, String key) {
    assertThatThrownBy(() -> of.get(StoreKey.of(key)).block())
        .isInstanceOf(NotAValueException.class);
    assertThatThrownBy(() -> of.getVersioned(StoreKey.of(key), null, ReadCondition.ALWAYS).block())
        .isInstanceOf(NotAValueException.class);
  }

  @Test
  void links_out_of_the_directory_are_not_followed_where_that_is_asked_for() throws IOException {
    Files.createDirectories(base.resolve("own/c"));
    Files.writeString(base.resolve("own/c/0"), "own");
    Files.createSymbolicLink(base.resolve("array"), outside);
    Files.createSymbolicLink(base.resolve("file"), outside.resolve("0"));
    Files.createSymbolicLink(base.resolve("up"), Path.of(".."));
    Files.createSymbolicLink(base.resolve("inside"), base.resolve("own"));
    Files.createSymbolicLink(base.resolve("twice"), base.resolve("array"));
    FileSystemStore kept = store.withoutLinksOut();
    for (String key : List.of("array/0", "file", "up/outside/c/0", "twice/0", "array/none")) {
      assertThatThrownBy(() -> kept.get(StoreKey.of(key)).block())
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("follows none there");
      assertThatThrownBy(
              () -> kept.getVersioned(StoreKey.of(key), null, ReadCondition.ALWAYS).block())
          .isInstanceOf(AccessDeniedException.class);
    }
    for (String key : List.of("own/c/0", "inside/c/0")) {
      assertThat(kept.get(StoreKey.of(key)).block()).isEqualTo(Bytes.utf8("own"));
    }
    assertThat(kept.get(StoreKey.of("none/at/all")).blockOptional()).isEmpty();
    assertThat(kept.list().map(StoreKey::value).collectList().block())
        .containsExactlyInAnyOrder("own/c/0", "inside/c/0", "array", "file", "up", "twice");
    assertThat(kept.listDir(StorePrefix.ROOT).map(ListEntry::name).collectList().block())
        .containsExactlyInAnyOrder("own", "inside", "array", "file", "up", "twice");
    assertThatThrownBy(() -> kept.listDir(StorePrefix.of("array/")).blockLast())
        .isInstanceOf(AccessDeniedException.class);
    assertThat(FileSystemStore.open(temp.resolve("none")).withoutLinksOut().list().blockFirst())
        .isNull();
  }

  /** What is asked for while a thread makes links lead out and back. */
  private static Set<String> answers(Supplier<@Nullable String> question, Swap swap)
      throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Void> swaps =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; !isOver.get(); i++) {
                swap.turn(i % 2 == 0);
              }
            });
    Set<String> answers = new TreeSet<>();
    try {
      for (int i = 0; i < 3_000; i++) {
        try {
          answers.add(String.valueOf(question.get()));
        } catch (StoreException denied) {
          answers.add("denied");
        }
      }
    } finally {
      isOver.set(true);
      swaps.get(1, TimeUnit.MINUTES);
    }
    return answers;
  }

  /** Makes a link lead out of the base, or back. */
  private interface Swap {
    void turn(boolean isOut);
  }

  private static void link(Path link, Path target) {
    Path beside = link.resolveSibling("beside");
    try {
      Files.createSymbolicLink(beside, target);
      Files.move(beside, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void a_link_that_changes_while_it_is_read_leads_out_of_no_directory() throws Exception {
    Files.createDirectories(base.resolve("own"));
    Files.writeString(base.resolve("own/0"), "own");
    FileSystemStore kept = store.withoutLinksOut();
    Path file = base.resolve("file");
    Swap files = isOut -> link(file, isOut ? outside.resolve("0") : base.resolve("own/0"));
    Path directory = base.resolve("array");
    Swap directories = isOut -> link(directory, isOut ? outside : base.resolve("own"));
    files.turn(false);
    directories.turn(false);
    assertThat(answers(() -> text(kept.get(StoreKey.of("file"))), files))
        .doesNotContain("linked")
        .contains("own");
    assertThat(
            answers(
                () ->
                    text(
                        kept.getVersioned(StoreKey.of("array/0"), null, ReadCondition.ALWAYS)
                            .mapNotNull(VersionedBytes::bytes)),
                directories))
        .doesNotContain("linked")
        .contains("own");
  }

  @Test
  void a_link_that_changes_while_it_is_listed_shows_nothing_beside_the_directory()
      throws Exception {
    Files.createDirectories(base.resolve("own"));
    Files.writeString(base.resolve("own/0"), "own");
    Files.writeString(outside.resolve("secret"), "s");
    FileSystemStore kept = store.withoutLinksOut();
    Path directory = base.resolve("array");
    Swap directories = isOut -> link(directory, isOut ? outside : base.resolve("own"));
    directories.turn(false);
    assertThat(
            answers(
                () ->
                    kept.listDir(StorePrefix.of("array/"))
                        .map(ListEntry::name)
                        .collectList()
                        .map(String::valueOf)
                        .block(),
                directories))
        .contains("[0]")
        .noneMatch(names -> names.contains("secret"));
    assertThat(
            answers(
                () -> kept.list().map(StoreKey::value).collectList().map(String::valueOf).block(),
                directories))
        .noneMatch(names -> names.contains("secret"));
  }

  private static @Nullable String text(Mono<Bytes> value) {
    return value.map(bytes -> new String(bytes.toByteArray(), StandardCharsets.UTF_8)).block();
  }

  @Test
  void a_base_that_is_a_link_is_the_directory_that_it_leads_to() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("link"), outside);
    FileSystemStore kept = FileSystemStore.open(link).withoutLinksOut();
    assertThat(kept.get(StoreKey.of("0")).block()).isEqualTo(Bytes.utf8("linked"));
    assertThat(kept.list().map(StoreKey::value).collectList().block()).containsExactly("0");
  }

  @Test
  void what_cannot_be_a_value_is_distinguished_from_a_failure() throws IOException {
    Files.createDirectories(base.resolve("a/b"));
    Files.writeString(base.resolve("file"), "f");
    String name = "x".repeat(300);
    String deep = ("y".repeat(200) + "/").repeat(25) + "z";
    for (String key :
        List.of("a", "a/b", "file/c", name, "a/" + name, name + "/c", "ä".repeat(150), deep)) {
      assertNoValue(store, key);
    }
    for (String prefix : List.of(name + "/", "a/" + name + "/", deep + "/")) {
      assertThat(store.listDir(StorePrefix.of(prefix)).collectList().block()).isEmpty();
      assertThat(store.listPrefix(StorePrefix.of(prefix)).collectList().block()).isEmpty();
    }
    assertThatThrownBy(() -> store.set(StoreKey.of(name), Bytes.utf8("v")).block())
        .isInstanceOf(StoreException.class);
  }

  @Test
  void a_write_replaces_a_link_and_not_what_it_leads_to() throws IOException {
    Files.createSymbolicLink(base.resolve("file"), outside.resolve("0"));
    store.set(StoreKey.of("file"), Bytes.utf8("new")).block();
    assertThat(outside.resolve("0")).hasContent("linked");
    assertThat(base.resolve("file")).hasContent("new").isRegularFile();
    assertThat(Files.isSymbolicLink(base.resolve("file"))).isFalse();
  }

  @Test
  void erasing_removes_links_and_not_what_they_lead_to() throws IOException {
    Files.createDirectories(base.resolve("a/b"));
    Files.createSymbolicLink(base.resolve("a/b/link"), outside);
    Files.createSymbolicLink(base.resolve("direct"), outside);
    Files.createSymbolicLink(base.resolve("file"), outside.resolve("0"));
    store.erase(StoreKey.of("file")).block();
    store.erase(StoreKey.of("direct")).block();
    assertThat(base.resolve("direct")).exists();
    store.erasePrefix(StorePrefix.of("a/")).block();
    store.erasePrefix(StorePrefix.of("direct/")).block();
    assertThat(base).isEmptyDirectory();
    assertThat(outside.resolve("0")).hasContent("linked");
  }

  /** The tree of a user: a hierarchy with links to what lies beside it. */
  private ZarrHierarchy linkedHierarchy() throws IOException {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    ArrayMetadata array = ArrayMetadata.v3(Shape.of(2), DataTypes.INT8).build();
    hierarchy.createArray("g/a", array).flatMap(made -> made.write(Selection.all(), 1)).block();
    Zarr.hierarchy(FileSystemStore.open(outside))
        .createArray("", array)
        .flatMap(made -> made.write(Selection.all(), 1))
        .block();
    Files.createSymbolicLink(base.resolve("up"), Path.of(".."));
    Files.createSymbolicLink(base.resolve("g/linked"), outside);
    Files.createSymbolicLink(base.resolve("g/a/loop"), base.resolve("g"));
    Files.createSymbolicLink(base.resolve("g/file"), outside.resolve("0"));
    Files.createSymbolicLink(base.resolve("g/dangling"), temp.resolve("missing"));
    return hierarchy;
  }

  private List<String> filesOutside() throws IOException {
    try (Stream<Path> files = Files.walk(temp.resolve("outside"))) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  @Test
  void a_hierarchy_is_erased_without_entering_links() throws IOException {
    for (Function<ZarrHierarchy, Publisher<?>> erasure :
        List.<Function<ZarrHierarchy, Publisher<?>>>of(
            hierarchy -> hierarchy.erase(""),
            hierarchy -> hierarchy.eraseInSteps(""),
            hierarchy ->
                Zarr.hierarchy(Stores.cached(hierarchy.store(), CacheOptions.ofBytes(1 << 20)))
                    .eraseInSteps(""),
            hierarchy -> hierarchy.store().erasePrefix(StorePrefix.ROOT))) {
      ZarrHierarchy hierarchy = linkedHierarchy();
      List<String> before = filesOutside();
      Flux.from(erasure.apply(hierarchy)).blockLast();
      assertThat(base).isEmptyDirectory();
      assertThat(filesOutside()).isEqualTo(before);
      Files.delete(outside.resolve("zarr.json"));
    }
  }

  @Test
  void a_node_that_is_a_link_is_erased_by_removing_the_link() throws IOException {
    for (boolean isPrefixed : new boolean[] {false, true}) {
      linkedHierarchy();
      List<String> before = filesOutside();
      Store whole =
          isPrefixed ? Stores.prefixed(FileSystemStore.open(temp), StorePrefix.of("base/")) : store;
      Zarr.hierarchy(whole).eraseInSteps("g/linked").blockLast();
      assertThat(Files.exists(base.resolve("g/linked"), LinkOption.NOFOLLOW_LINKS)).isFalse();
      Zarr.hierarchy(whole).erase("g/dangling").block();
      assertThat(Files.exists(base.resolve("g/dangling"), LinkOption.NOFOLLOW_LINKS)).isFalse();
      assertThat(filesOutside()).isEqualTo(before);
      store.erasePrefix(StorePrefix.ROOT).block();
      Files.delete(outside.resolve("zarr.json"));
    }
  }

  @Test
  void a_node_that_is_a_link_is_moved_as_a_link_that_leads_to_the_same_place() throws IOException {
    linkedHierarchy();
    Files.delete(base.resolve("g/linked"));
    Files.createSymbolicLink(base.resolve("g/linked"), Path.of("../../outside/c"));
    List<String> before = filesOutside();
    Zarr.hierarchy(store).move("g/linked", "deeper/by/far").block();
    assertThat(base.resolve("deeper/by/far")).isSymbolicLink();
    assertThat(Files.exists(base.resolve("g/linked"), LinkOption.NOFOLLOW_LINKS)).isFalse();
    assertThat(Zarr.hierarchy(store).openArray("deeper/by/far").block().shape())
        .isEqualTo(Shape.of(2));
    Store decorated = Stores.cached(store, CacheOptions.ofBytes(1 << 20));
    Zarr.hierarchy(decorated).move("deeper/by/far", "copied").block();
    assertThat(base.resolve("copied")).isDirectory();
    assertThat(Files.isSymbolicLink(base.resolve("copied"))).isFalse();
    assertThat(filesOutside()).isEqualTo(before);
  }

  @Test
  void a_listing_says_which_values_a_link_leads_to() throws IOException {
    Files.createDirectories(base.resolve("a"));
    Files.writeString(base.resolve("a/own"), "1");
    Files.createSymbolicLink(base.resolve("a/linked"), outside);
    Files.createSymbolicLink(base.resolve("a/file"), outside.resolve("0"));
    assertThat(linked(store.listValues(StorePrefix.of("a/")))).containsExactly("a/linked/0");
    assertThat(linked(store.listValues(StorePrefix.of("a/linked/")))).containsExactly("a/linked/0");
    Store prefixed = Stores.prefixed(store, StorePrefix.of("a/"));
    assertThat(linked(prefixed.listValues(StorePrefix.ROOT))).containsExactly("linked/0");
    assertThat(linked(FileSystemStore.open(base.resolve("a/linked")).listValues(StorePrefix.ROOT)))
        .as("the base of a store is where its user says")
        .isEmpty();
    assertThat(
            store
                .listOwnValues(StorePrefix.ROOT)
                .map(value -> value.key().value())
                .collectList()
                .block())
        .containsExactlyInAnyOrder("a/own", "a/file");
    assertThat(store.listOwnValues(StorePrefix.of("a/linked/")).collectList().block()).isEmpty();
  }

  private static List<String> linked(Flux<ListEntry.Key> listing) {
    return listing
        .filter(ListEntry.Key::isBehindLink)
        .map(value -> value.key().value())
        .collectList()
        .block();
  }

  @Test
  void a_value_behind_a_link_is_written_where_the_link_leads() throws IOException {
    Files.createSymbolicLink(base.resolve("array"), outside);
    store.set(StoreKey.of("array/1"), Bytes.utf8("new")).block();
    assertThat(outside.resolve("1")).hasContent("new");
    assertThat(base.resolve("array")).isSymbolicLink();
  }

  @Test
  void a_move_to_a_place_where_a_link_is_is_refused() throws IOException {
    linkedHierarchy();
    List<String> before = filesOutside();
    for (String link : List.of("g/linked", "g/file", "up")) {
      assertThatThrownBy(
              () -> store.move(StorePrefix.of("g/a/"), StorePrefix.of(link + "/")).block())
          .isInstanceOf(PreconditionFailedException.class)
          .hasMessageContaining("there are files at the new prefix already");
      assertThat(base.resolve(link)).isSymbolicLink();
    }
    assertThat(base.resolve("g/a/zarr.json")).exists();
    assertThat(filesOutside()).isEqualTo(before);
  }

  @Test
  void erasing_the_last_value_behind_a_link_leaves_the_link() throws IOException {
    Files.createSymbolicLink(base.resolve("array"), outside);
    store.erase(StoreKey.of("array/0")).block();
    assertThat(outside.resolve("0")).doesNotExist();
    assertThat(Files.isSymbolicLink(base.resolve("array"))).isTrue();
  }

  @Test
  void a_base_that_is_a_link_stays_when_all_is_erased() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("link"), outside);
    FileSystemStore.open(link).erasePrefix(StorePrefix.ROOT).block();
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void a_link_back_to_a_directory_above_it_is_left_out_of_a_listing() throws IOException {
    Files.createDirectories(base.resolve("a/b"));
    Files.writeString(base.resolve("a/b/0"), "1");
    Files.writeString(base.resolve("a/c"), "2");
    Files.createSymbolicLink(base.resolve("a/b/up"), base.resolve("a"));
    Files.createSymbolicLink(base.resolve("a/b/top"), base);
    assertThat(store.list().map(StoreKey::value).collectList().block())
        .containsExactlyInAnyOrder("a/b/0", "a/c");
    assertThat(store.listDir(StorePrefix.of("a/b/")).map(ListEntry::name).collectList().block())
        .containsExactly("0");
    assertThat(store.get(StoreKey.of("a/b/up/c")).block()).isEqualTo(Bytes.utf8("2"));
    store.erasePrefix(StorePrefix.of("a/")).block();
    assertThat(base).isEmptyDirectory();
  }

  @Test
  void a_link_that_leads_nowhere_is_an_error_and_not_a_missing_value() throws IOException {
    Files.createSymbolicLink(base.resolve("nowhere"), temp.resolve("annex/missing"));
    Files.createSymbolicLink(base.resolve("itself"), base.resolve("itself"));
    assertBroken("nowhere", "symbolic link", "annex/missing", "git-annex");
    assertBroken("nowhere/c/0", "symbolic link", "annex/missing");
    assertBroken("itself", "symbolic link", "cannot be reached");
    assertThatThrownBy(() -> store.listPrefix(StorePrefix.of("nowhere/")).blockLast())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("annex/missing")
        .hasMessageContaining("key nowhere/");
    assertThat(store.list().map(StoreKey::value).collectList().block())
        .as("a copy must not leave it out")
        .containsExactlyInAnyOrder("nowhere", "itself");
    assertThat(store.listDir(StorePrefix.ROOT).map(ListEntry::name).collectList().block())
        .containsExactlyInAnyOrder("nowhere", "itself");
    store.set(StoreKey.of("nowhere"), Bytes.utf8("new")).block();
    assertThat(base.resolve("nowhere")).hasContent("new");
    store.erase(StoreKey.of("itself")).block();
    assertThat(store.list().map(StoreKey::value).collectList().block()).containsExactly("nowhere");
  }

  @Test
  void a_base_that_is_a_link_that_leads_nowhere_is_no_empty_store() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("missing"));
    FileSystemStore unfetched = FileSystemStore.open(link);
    for (Mono<?> request :
        List.<Mono<?>>of(unfetched.get(StoreKey.of("zarr.json")), unfetched.list().next())) {
      assertThatThrownBy(request::block)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("symbolic link");
    }
  }

  @Test
  void a_directory_at_a_key_and_a_file_in_place_of_one_are_errors() throws IOException {
    Files.createDirectories(base.resolve("c/0"));
    Files.writeString(base.resolve("file"), "1");
    assertBroken("c/0", "is a directory");
    assertBroken("c", "is a directory");
    assertBroken("file/0/1", "is a file, and the key needs a directory there");
    assertThat(store.get(StoreKey.of("c/1/2")).block()).isNull();
    assertThat(store.get(StoreKey.of("c/0/1")).block()).isNull();
  }

  private void assertBroken(String key, String... words) {
    StoreKey broken = StoreKey.of(key);
    for (Mono<?> read :
        List.<Mono<?>>of(
            store.get(broken),
            store.get(broken, new ByteRange.Suffix(1)),
            store.getVersioned(broken, null, ReadCondition.ALWAYS))) {
      assertThatThrownBy(read::block)
          .isInstanceOfSatisfying(
              StoreException.class, error -> assertThat(error.location().storeKey()).isEqualTo(key))
          .hasMessageContainingAll(words);
    }
  }

  @Test
  void a_pipe_is_an_error_and_no_thread_waits_for_its_writer() throws Exception {
    Process mkfifo = new ProcessBuilder("mkfifo", base.resolve("pipe").toString()).start();
    assumeTrue(mkfifo.waitFor(60, TimeUnit.SECONDS) && mkfifo.exitValue() == 0);
    assertBroken("pipe", "a pipe, a socket or a device");
    assertThat(store.list().map(StoreKey::value).collectList().block()).containsExactly("pipe");
  }

  @Test
  void what_this_user_may_not_read_is_access_denied() throws IOException {
    Path secret = Files.writeString(base.resolve("secret"), "value");
    Files.setPosixFilePermissions(secret, Set.of());
    assumeTrue(!Files.isReadable(secret), "this user may read everything");
    assertThatThrownBy(() -> store.get(StoreKey.of("secret")).block())
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("key secret");
  }

  @Test
  void denied_access_is_distinguished_from_other_errors() {
    assertThat(
            FileErrors.during("read", "a/b")
                .of(new java.nio.file.AccessDeniedException("/base/a/b")))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessage("cannot read /base/a/b: the file system denies access (key a/b)");
  }

  @Test
  void a_key_cannot_lead_out_of_the_base() {
    for (String out : List.of("..", "../outside/c/0", "a/../../outside/c/0", "/etc", "a//b", ".")) {
      assertThatThrownBy(() -> StoreKey.of(out)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> StorePrefix.of("../")).isInstanceOf(IllegalArgumentException.class);
  }
}
