package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.internal.partial.PartialFile;
import dev.zarrreactive.internal.partial.PartialNames;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** What is special about files; the rest is in the contract. */
class FileSystemStoreTest {
  private static final StoreKey KEY = StoreKey.of("a/b/c");

  @TempDir Path temp;
  Path base;
  FileSystemStore store;

  @BeforeEach
  void open() {
    base = temp.resolve("base");
    store = FileSystemStore.open(base);
  }

  @Test
  void a_bounded_read_of_a_file_larger_than_any_heap_is_refused_by_its_size() throws IOException {
    Files.createDirectories(base);
    long size = 1L << 40;
    try (RandomAccessFile sparse = new RandomAccessFile(base.resolve("huge").toFile(), "rw")) {
      sparse.setLength(size);
    }
    StoreKey huge = StoreKey.of("huge");
    for (Mono<?> read :
        List.of(
            store.get(huge, ByteRange.whole(1000)),
            store.getVersioned(huge, ByteRange.whole(1000), ReadCondition.ALWAYS))) {
      assertThatThrownBy(read::block)
          .isInstanceOf(ValueTooLargeException.class)
          .hasMessage(
              "the value has 1099511627776 bytes, and at most 1000 were expected (key huge)");
    }
  }

  @Test
  void opening_touches_nothing_and_the_first_write_makes_the_directories() {
    assertThat(store.list().collectList().block()).isEmpty();
    assertThat(store.get(KEY).block()).isNull();
    store.erasePrefix(StorePrefix.ROOT).block();
    assertThat(base).doesNotExist();
    store.set(KEY, Bytes.utf8("value")).block();
    assertThat(base.resolve("a/b/c")).hasContent("value");
    assertThat(filesBelow(base.resolve("a/b"))).containsExactly("c");
  }

  @Test
  void signals_come_on_daemon_threads_of_its_own() {
    store.set(KEY, Bytes.EMPTY).block();
    for (Mono<?> request :
        List.of(store.get(KEY), store.list().next(), store.listDir(StorePrefix.ROOT).next())) {
      Thread thread = request.map(any -> Thread.currentThread()).block();
      assertThat(thread.getName()).startsWith("zarr-file-");
      assertThat(thread.isDaemon()).isTrue();
    }
  }

  @Test
  void files_that_are_being_written_are_hidden_and_stay() throws IOException {
    store.set(KEY, Bytes.EMPTY).block();
    try (PartialFile written = PartialFile.create(base.resolve("a/b"))) {
      assertThat(store.list().collectList().block()).containsExactly(KEY);
      assertThat(store.listDir(StorePrefix.of("a/b/")).map(ListEntry::name).collectList().block())
          .containsExactly("c");
      store.erasePrefix(StorePrefix.of("a/")).block();
      assertThat(store.clean().block()).isZero();
      assertThat(written.path()).exists();
      assertThat(store.list().collectList().block()).isEmpty();
    }
  }

  @Test
  void files_of_a_writer_of_unknown_state_stay_for_a_day() throws IOException {
    Path unknown = Files.createDirectories(base).resolve(".zarr-partial-0123456789abcdef");
    Files.writeString(unknown, "half");
    assertThat(store.clean().block()).isZero();
    Files.setLastModifiedTime(unknown, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
    assertThat(store.leftovers().collectList().block())
        .containsExactly(new Leftover(unknown.getFileName().toString(), 4));
    assertThat(store.clean().block()).isEqualTo(1);
    assertThat(base).isEmptyDirectory();
    assertThat(FileSystemStore.open(base.resolve("missing")).clean().block()).isZero();
  }

  @Test
  void what_a_dead_process_left_half_written_is_removed_with_its_prefix() throws IOException {
    store.set(KEY, Bytes.EMPTY).block();
    Files.writeString(base.resolve("a/b/" + PartialNames.next()), "half");
    store.erasePrefix(StorePrefix.of("a/")).block();
    assertThat(base).isEmptyDirectory();
  }

  @Test
  void a_failed_write_leaves_nothing_behind() {
    store.set(KEY, Bytes.utf8("old")).block();
    assertThatThrownBy(() -> store.set(KEY, Bytes.utf8("new"), Precondition.ABSENT).block())
        .isInstanceOf(PreconditionFailedException.class);
    assertThatThrownBy(() -> store.set(StoreKey.of("a/b"), Bytes.utf8("new")).block())
        .isInstanceOf(StoreException.class);
    assertThat(filesBelow(base)).containsExactly("a", "a/b", "a/b/c");
    assertThat(base.resolve("a/b/c")).hasContent("old");
  }

  @Test
  void a_value_and_values_below_it_are_refused_with_the_reason() {
    store.set(KEY, Bytes.EMPTY).block();
    for (Precondition precondition : List.of(Precondition.NONE, Precondition.ABSENT)) {
      assertThatThrownBy(() -> store.set(StoreKey.of("a/b"), Bytes.EMPTY, precondition).block())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("cannot hold a value at the key and others below it")
          .hasMessageContaining("key a/b)");
      assertThatThrownBy(
              () -> store.set(StoreKey.of("a/b/c/d/e"), Bytes.EMPTY, precondition).block())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("cannot hold a value below another")
          .hasMessageContaining("key a/b/c/d/e)");
    }
  }

  @Test
  void an_empty_directory_does_not_stand_in_the_way_of_a_value() throws IOException {
    Files.createDirectories(base.resolve("a/b/c"));
    store.set(KEY, Bytes.utf8("1")).block();
    Files.createDirectories(base.resolve("a/b/d"));
    store.set(StoreKey.of("a/b/d"), Bytes.utf8("2"), Precondition.ABSENT).block();
    assertThat(base.resolve("a/b/c")).hasContent("1");
    assertThat(base.resolve("a/b/d")).hasContent("2");
  }

  @Test
  void erasing_removes_the_directories_that_became_empty_but_never_the_base() throws IOException {
    store.set(KEY, Bytes.EMPTY).block();
    store.set(StoreKey.of("a/d"), Bytes.EMPTY).block();
    store.erase(KEY).block();
    assertThat(filesBelow(base)).containsExactly("a", "a/d");
    Files.createDirectories(base.resolve("empty/below"));
    store.erasePrefix(StorePrefix.ROOT).block();
    assertThat(base).isEmptyDirectory();
  }

  @Test
  void a_file_in_the_place_of_the_base_is_an_error_and_not_an_empty_store() throws IOException {
    Files.writeString(base, "not a directory");
    for (Mono<?> request :
        List.<Mono<?>>of(
            store.get(KEY),
            store.list().next(),
            store.listPrefix(StorePrefix.of("a/")).next(),
            store.listDir(StorePrefix.ROOT).next(),
            store.set(KEY, Bytes.EMPTY))) {
      assertThatThrownBy(request::block)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(base.toString());
    }
  }

  @Test
  void a_value_larger_than_an_array_is_read_by_ranges() throws IOException {
    Files.createDirectories(base);
    long size = 3L << 30;
    try (RandomAccessFile sparse = new RandomAccessFile(base.resolve("huge").toFile(), "rw")) {
      sparse.setLength(size);
      sparse.seek(size - 3);
      sparse.write(new byte[] {1, 2, 3});
    }
    StoreKey huge = StoreKey.of("huge");
    assertThatThrownBy(() -> store.get(huge).block())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(
            "3221225472 bytes do not fit into one array; read the value by ranges");
    assertThat(store.get(huge, new ByteRange.Suffix(3)).block())
        .isEqualTo(Bytes.wrap(new byte[] {1, 2, 3}));
    assertThat(store.get(huge, new ByteRange.Slice(size - 2, 1)).block())
        .isEqualTo(Bytes.wrap(new byte[] {2}));
    assertThatThrownBy(() -> store.get(huge, new ByteRange.Slice(size - 2, 3)).block())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("3221225472");
  }

  @Test
  void the_array_of_a_range_holds_that_range_and_no_more() {
    store.set(KEY, Bytes.wrap(new byte[1 << 16])).block();
    assertThat(store.get(KEY, new ByteRange.Slice(100, 50)).block().unsafeArray()).hasSize(50);
  }

  @Test
  void a_name_too_long_for_the_file_system_is_a_located_error() {
    StoreKey longName = StoreKey.of("a/" + "x".repeat(300));
    assertThatThrownBy(() -> store.set(longName, Bytes.EMPTY).block())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("key a/xxx");
  }

  private static List<String> filesBelow(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .skip(1)
          .map(file -> directory.relativize(file).toString().replace('\\', '/'))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
