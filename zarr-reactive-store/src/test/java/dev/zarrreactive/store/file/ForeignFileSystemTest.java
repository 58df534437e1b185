package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.NotAValueException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.partial.PartialNames;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.VersionedBytes;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The store on file systems in memory that have the names, the case and the links of Windows and of
 * macOS; what Jimfs does not imitate is listed in docs/platforms.md.
 */
class ForeignFileSystemTest {
  private static final StoreKey LOWER = StoreKey.of("temperature/zarr.json");
  private static final StoreKey UPPER = StoreKey.of("Temperature/zarr.json");

  private FileSystem files = Jimfs.newFileSystem(Configuration.windows());
  private Path base = files.getPath("earth.zarr").toAbsolutePath();
  private FileSystemStore store = FileSystemStore.open(base);

  private void use(Configuration configuration) throws IOException {
    files.close();
    files = Jimfs.newFileSystem(configuration);
    base = files.getPath("earth.zarr").toAbsolutePath();
    store = FileSystemStore.open(base);
  }

  @AfterEach
  void close() throws IOException {
    files.close();
  }

  static List<Arguments> folding() {
    return List.of(
        arguments("Windows", Configuration.windows()), arguments("macOS", Configuration.osX()));
  }

  static List<Arguments> all() {
    return Stream.concat(folding().stream(), Stream.of(arguments("Unix", Configuration.unix())))
        .toList();
  }

  private static Bytes text(String text) {
    return Bytes.utf8(text);
  }

  private static void assertOtherCase(Mono<?> access) {
    assertThatThrownBy(access::block)
        .isInstanceOf(NotAValueException.class)
        .hasMessageContaining("it holds \"temperature\" where the key has \"Temperature\"")
        .hasMessageContaining("use the name that is there")
        .hasMessageContaining("(key Temperature");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("folding")
  void a_key_in_another_case_is_refused_and_nothing_is_merged(
      String name, Configuration configuration) throws IOException {
    use(configuration);
    store.set(LOWER, text("small")).block();
    for (FileSystemStore each : List.of(store, FileSystemStore.open(base))) { // one that knows
      for (Precondition precondition : List.of(Precondition.NONE, Precondition.ABSENT)) {
        assertOtherCase(each.set(UPPER, text("capital"), precondition));
      }
      assertOtherCase(each.set(UPPER, Flux.just(text("capital")), Precondition.NONE));
      assertOtherCase(each.set(StoreKey.of("Temperature/c/0/0"), text("chunk")));
      assertOtherCase(each.get(UPPER));
      assertOtherCase(each.get(UPPER, ByteRange.whole(9)));
      assertOtherCase(each.getVersioned(UPPER, null, ReadCondition.ALWAYS));
      assertOtherCase(each.erase(UPPER));
      assertOtherCase(each.erasePrefix(StorePrefix.of("Temperature/")));
      assertOtherCase(each.listPrefix(StorePrefix.of("Temperature/")).collectList());
      assertOtherCase(each.listDir(StorePrefix.of("Temperature/")).collectList());
      assertOtherCase(each.move(StorePrefix.of("Temperature/"), StorePrefix.of("t/")));
      assertOtherCase(each.move(StorePrefix.of("temperature/"), StorePrefix.of("Temperature/")));
    }
    assertThat(store.list().collectList().block()).containsExactly(LOWER);
    assertThat(store.get(LOWER).block()).isEqualTo(text("small"));
    assertThat(hiddenFiles()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("folding")
  void the_case_of_the_last_name_counts_too(String name, Configuration configuration)
      throws IOException {
    use(configuration);
    store.set(StoreKey.of("a/readme"), text("small")).block();
    assertThatThrownBy(() -> store.set(StoreKey.of("a/README"), text("capital")).block())
        .isInstanceOf(NotAValueException.class)
        .hasMessageContaining("holds \"readme\" where the key has \"README\"");
    assertThatThrownBy(() -> store.get(StoreKey.of("a/Readme")).block())
        .isInstanceOf(NotAValueException.class);
    assertThat(store.get(StoreKey.of("a/readme")).block()).isEqualTo(text("small"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("folding")
  void a_name_is_free_again_in_any_case_after_its_erasure(String name, Configuration configuration)
      throws IOException {
    use(configuration);
    store.set(LOWER, text("small")).block();
    store.get(LOWER).block();
    store.erase(LOWER).block();
    store.set(UPPER, text("capital")).block();
    assertThat(store.get(UPPER).block()).isEqualTo(text("capital"));
    assertThatThrownBy(() -> store.get(LOWER).block()).isInstanceOf(NotAValueException.class);
    store.erasePrefix(StorePrefix.of("Temperature/")).block();
    store.set(LOWER, text("small")).block();
    store.move(StorePrefix.of("temperature/"), StorePrefix.of("t/")).block();
    store.set(UPPER, text("capital")).block();
    assertThat(store.list().map(StoreKey::value).collectSortedList().block())
        .containsExactly("Temperature/zarr.json", "t/zarr.json");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("folding")
  void a_file_that_appears_in_another_case_while_a_value_is_written_stays(
      String name, Configuration configuration) throws IOException {
    use(configuration);
    store.set(StoreKey.of("a/b"), text("b")).block();
    Flux<Bytes> slow =
        Flux.just(text("capital"))
            .doOnComplete(
                () -> FileSystemStore.open(base).set(StoreKey.of("a/x"), text("small")).block());
    assertThatThrownBy(() -> store.set(StoreKey.of("a/X"), slow, Precondition.NONE).block())
        .isInstanceOf(NotAValueException.class)
        .hasMessageContaining("holds \"x\" where the key has \"X\"");
    assertThat(store.get(StoreKey.of("a/x")).block()).isEqualTo(text("small"));
    assertThat(hiddenFiles()).isEmpty();
  }

  @Test
  void keys_that_differ_in_case_are_two_where_the_file_system_tells_them_apart()
      throws IOException {
    use(Configuration.unix());
    store.set(LOWER, text("small")).block();
    store.set(UPPER, text("capital")).block();
    assertThat(store.get(LOWER).block()).isEqualTo(text("small"));
    assertThat(store.get(UPPER).block()).isEqualTo(text("capital"));
    store.erase(UPPER).block();
    assertThat(store.list().collectList().block()).containsExactly(LOWER);
  }

  @Test
  void names_that_differ_in_normalisation_alone_are_one_key_on_macos() throws IOException {
    use(Configuration.osX());
    store.set(StoreKey.of("caf\u00e9/x"), text("composed")).block();
    assertThat(store.get(StoreKey.of("cafe\u0301/x")).block()).isEqualTo(text("composed"));
    assertThat(store.list().map(StoreKey::value).collectList().block())
        .containsExactly("caf\u00e9/x");
  }

  @Test
  void names_of_devices_and_streams_are_refused_on_windows_before_anything_is_written() {
    for (String key :
        List.of("NUL", "a/con.txt", "a/b:stream", "a\\b", "..\\out", "a./x", "a /x")) {
      assertThatThrownBy(() -> store.set(StoreKey.of(key), text("x")).block())
          .isInstanceOf(NotAValueException.class)
          .hasMessageContaining("Windows has no file of the name")
          .hasMessageContaining("(key " + key + ")");
      assertThatThrownBy(() -> store.get(StoreKey.of(key)).block())
          .isInstanceOf(NotAValueException.class);
    }
    assertThat(base).doesNotExist();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void a_value_is_replaced_in_one_step_and_leaves_no_hidden_file(
      String name, Configuration configuration) throws IOException {
    use(configuration);
    store.set(LOWER, text("old")).block();
    VersionedBytes old = store.getVersioned(LOWER, null, ReadCondition.ALWAYS).block();
    store.set(LOWER, text("new"), Precondition.matches(old.version())).block();
    assertThatThrownBy(
            () -> store.set(LOWER, text("more"), Precondition.matches(old.version())).block())
        .isInstanceOf(PreconditionFailedException.class);
    assertThatThrownBy(() -> store.set(LOWER, text("more"), Precondition.ABSENT).block())
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(store.get(LOWER).block()).isEqualTo(text("new"));
    assertThat(hiddenFiles()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void a_value_is_created_once_without_hard_links(String name, Configuration configuration)
      throws IOException {
    use(configuration.toBuilder().setSupportedFeatures(Feature.FILE_CHANNEL).build());
    store.set(LOWER, text("first"), Precondition.ABSENT).block();
    assertThatThrownBy(() -> store.set(LOWER, text("second"), Precondition.ABSENT).block())
        .isInstanceOf(PreconditionFailedException.class);
    store.set(LOWER, text("third")).block();
    assertThat(store.get(LOWER).block()).isEqualTo(text("third"));
    store.erasePrefix(StorePrefix.ROOT).block();
    assertThat(base).isEmptyDirectory();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void links_are_followed_by_reads_and_removed_by_erasures(String name, Configuration configuration)
      throws IOException {
    use(configuration);
    Path precious = Files.createDirectories(base.resolveSibling("precious"));
    Files.writeString(precious.resolve("thesis"), "thesis");
    store.set(LOWER, text("value")).block();
    Files.createSymbolicLink(base.resolve("link"), precious);
    Files.createSymbolicLink(base.resolve("loop"), base);
    assertThat(store.get(StoreKey.of("link/thesis")).block()).isEqualTo(text("thesis"));
    assertThat(store.list().map(StoreKey::value).collectSortedList().block())
        .containsExactly("link/thesis", "temperature/zarr.json");
    FileSystemStore within = store.withoutLinksOut();
    assertThatThrownBy(() -> within.get(StoreKey.of("link/thesis")).block())
        .isInstanceOf(AccessDeniedException.class);
    assertThat(within.get(LOWER).block()).isEqualTo(text("value"));
    store.erasePrefix(StorePrefix.ROOT).block();
    assertThat(base).isEmptyDirectory();
    assertThat(precious.resolve("thesis")).hasContent("thesis");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("folding")
  void a_link_is_reached_by_its_own_name_in_its_own_case(String name, Configuration configuration)
      throws IOException {
    use(configuration);
    Path target = Files.createDirectories(base.resolveSibling("TARGET"));
    Files.writeString(target.resolve("x"), "x");
    Files.createDirectories(base);
    Files.createSymbolicLink(base.resolve("link"), target);
    assertThat(store.get(StoreKey.of("link/x")).block()).isEqualTo(text("x"));
    assertThatThrownBy(() -> store.get(StoreKey.of("Link/x")).block())
        .isInstanceOf(NotAValueException.class)
        .hasMessageContaining("holds \"link\" where the key has \"Link\"");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void a_value_and_values_below_it_are_refused(String name, Configuration configuration)
      throws IOException {
    use(configuration);
    store.set(LOWER, text("value")).block();
    assertThatThrownBy(() -> store.set(StoreKey.of("temperature"), text("x")).block())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot hold a value at the key and others below it");
    assertThatThrownBy(() -> store.set(StoreKey.of(LOWER.value() + "/x"), text("x")).block())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot hold a value below another");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void paths_longer_than_the_260_characters_of_old_windows_are_usual_ones(
      String name, Configuration configuration) throws IOException {
    use(configuration);
    StoreKey deep = StoreKey.of("a-name-of-twenty-cha/".repeat(40) + "x");
    store.set(deep, text("deep")).block();
    assertThat(store.list().collectList().block()).containsExactly(deep);
    assertThat(store.get(deep).block()).isEqualTo(text("deep"));
  }

  @Test
  void listings_have_slashes_and_leftovers_too() throws IOException {
    store.set(LOWER, text("value")).block();
    assertThat(store.listDir(StorePrefix.ROOT).map(ListEntry::name).collectList().block())
        .containsExactly("temperature");
    Path left = base.resolve("temperature").resolve(PartialNames.START + "0123456789abcdef");
    Files.writeString(left, "half");
    Files.setLastModifiedTime(left, FileTime.fromMillis(System.currentTimeMillis() - 90_000_000));
    assertThat(store.leftovers().map(each -> each.path()).collectList().block())
        .containsExactly("temperature/" + left.getFileName());
    assertThat(store.clean().block()).isEqualTo(1);
  }

  @Test
  void a_store_names_the_file_system_that_it_is_in() {
    assertThat(store.uri().getScheme()).isEqualTo("jimfs");
    assertThat(store).hasToString("FileSystemStore[" + base.toUri() + "]");
    assertThat(store.directory()).isEqualTo(base);
  }

  /** Returns a write of a system that refuses to replace the file some times. */
  private FileWrite refusedWrite(Bytes value, int times) {
    int[] left = {times};
    return new FileWrite(
        new FileKeys(base),
        LOWER,
        value,
        Precondition.NONE,
        Files::createLink,
        (held, file) -> {
          if (left[0]-- > 0) {
            throw new java.nio.file.AccessDeniedException(file.toString());
          }
          held.replace(file);
        });
  }

  @Test
  void a_file_that_a_program_has_open_on_windows_is_replaced_as_soon_as_it_is_closed()
      throws IOException {
    store.set(LOWER, text("old")).block();
    FileWrite write = refusedWrite(text("new"), 3);
    for (int refused = 0; refused < 3; refused++) {
      assertThat(write.attempt()).isFalse();
      assertThat(store.get(LOWER).block()).isEqualTo(text("old"));
    }
    assertThat(write.attempt()).isTrue();
    assertThat(store.get(LOWER).block()).isEqualTo(text("new"));
    assertThat(hiddenFiles()).isEmpty();
  }

  @Test
  void a_file_that_stays_open_is_an_error_in_the_end_and_keeps_its_value() throws IOException {
    store.set(LOWER, text("old")).block();
    FileWrite write = refusedWrite(text("new"), Integer.MAX_VALUE);
    for (int refused = 0; refused < 100; refused++) {
      assertThat(write.attempt()).isFalse();
    }
    assertThatThrownBy(write::attempt).isInstanceOf(java.nio.file.AccessDeniedException.class);
    assertThat(store.get(LOWER).block()).isEqualTo(text("old"));
    assertThat(hiddenFiles()).isEmpty();
  }

  @Test
  void a_refusal_without_a_file_or_on_another_system_is_an_error_at_once() throws IOException {
    FileWrite first = refusedWrite(text("new"), 1);
    assertThatThrownBy(first::attempt).isInstanceOf(java.nio.file.AccessDeniedException.class);
    use(Configuration.unix());
    store.set(LOWER, text("old")).block();
    FileWrite write = refusedWrite(text("new"), 1);
    assertThatThrownBy(write::attempt).isInstanceOf(java.nio.file.AccessDeniedException.class);
    assertThat(hiddenFiles()).isEmpty();
  }

  private List<String> hiddenFiles() throws IOException {
    try (Stream<Path> below = Files.walk(base)) {
      return below
          .map(path -> String.valueOf(path.getFileName()))
          .filter(PartialNames::isHidden)
          .toList();
    }
  }
}
