package dev.zarrreactive.store.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A new archive is one that every program reads. */
class NewZipStoreTest {
  @TempDir Path directory;

  private Path file() {
    return directory.resolve("new.zip");
  }

  @Test
  void the_archive_is_read_by_the_jdk_and_by_the_library() throws IOException {
    NewZipStore zip = ZipStore.create(file());
    set(zip, "zarr.json", "{}");
    set(zip, "grün/日本/0", "x".repeat(3_000_000));
    set(zip, "empty", "");
    Zips.await(zip.close());
    try (ZipFile jdk = new ZipFile(file().toFile())) {
      assertThat(jdk.stream().map(ZipEntry::getName))
          .containsExactly("empty", "grün/日本/0", "zarr.json");
      assertThat(jdk.getInputStream(jdk.getEntry("grün/日本/0")).readAllBytes())
          .hasSize(3_000_000)
          .containsOnly('x');
    }
    ZipStore read = Zips.await(ZipStore.open(file()));
    assertThat(Zips.keys(read)).containsExactly("empty", "grün/日本/0", "zarr.json");
    assertThat(Zips.get(read, "grün/日本/0")).hasSize(3_000_000);
    assertThat(Zips.get(read, "zarr.json")).asString().isEqualTo("{}");
    assertThat(Zips.get(read, "empty")).isEmpty();
  }

  @Test
  void the_same_values_make_the_same_bytes() throws IOException {
    byte[][] made = new byte[2][];
    for (int i = 0; i < 2; i++) {
      NewZipStore zip = ZipStore.create(file());
      set(zip, "b", "1");
      set(zip, "a", "2");
      Zips.await(zip.close());
      made[i] = Files.readAllBytes(file());
    }
    assertThat(made[0]).isEqualTo(made[1]);
  }

  @Test
  void what_is_not_closed_is_no_archive() throws IOException {
    NewZipStore zip = ZipStore.create(file());
    assertThat(directory).isEmptyDirectory();
    set(zip, "a", "1");
    assertThat(file()).doesNotExist();
    assertThat(Zips.keys(FileSystemStore.open(directory))).isEmpty();
    Zips.await(zip.discard());
    assertThat(directory).isEmptyDirectory();
    Zips.await(zip.close());
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void closing_replaces_an_older_file_and_discarding_keeps_it() throws IOException {
    Files.writeString(file(), "older");
    NewZipStore discarded = ZipStore.create(file());
    set(discarded, "a", "1");
    Zips.await(discarded.discard());
    assertThat(file()).hasContent("older");
    NewZipStore closed = ZipStore.create(file());
    set(closed, "a", "1");
    Zips.await(closed.close());
    Zips.await(closed.close());
    Zips.await(closed.discard());
    assertThat(Zips.keys(Zips.await(ZipStore.open(file())))).containsExactly("a");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file());
    }
  }

  @Test
  void an_archive_of_nothing_is_an_archive() {
    Zips.await(ZipStore.create(directory.resolve("below/it/new.zip")).close());
    assertThat(Zips.keys(Zips.await(ZipStore.open(directory.resolve("below/it/new.zip")))))
        .isEmpty();
    NewZipStore erased = ZipStore.create(file());
    for (int size : new int[] {10, 100_000}) {
      set(erased, "a", "1".repeat(size));
    }
    Zips.await(erased.erase(StoreKey.of("a")));
    Zips.await(erased.close());
    assertThat(Zips.keys(Zips.await(ZipStore.open(file())))).isEmpty();
  }

  @Test
  void replaced_and_erased_values_are_not_in_the_archive() {
    NewZipStore zip = ZipStore.create(file());
    set(zip, "a", "old");
    set(zip, "b", "gone");
    set(zip, "c/0", "gone");
    set(zip, "a", "newer");
    Zips.await(zip.erase(StoreKey.of("b")));
    Zips.await(zip.erasePrefix(StorePrefix.of("c/")));
    Zips.await(zip.close());
    ZipStore read = Zips.await(ZipStore.open(file()));
    assertThat(Zips.keys(read)).containsExactly("a");
    assertThat(Zips.get(read, "a")).asString().isEqualTo("newer");
  }

  @Test
  void after_closing_every_request_is_an_error() {
    NewZipStore zip = ZipStore.create(file());
    set(zip, "a", "1");
    Zips.await(zip.close());
    StoreKey key = StoreKey.of("a");
    for (Flux<?> request :
        List.<Flux<?>>of(
            zip.get(key).flux(),
            zip.get(StoreKey.of("missing")).flux(),
            zip.get(key, new ByteRange.Suffix(1)).flux(),
            zip.set(key, Bytes.EMPTY).flux(),
            zip.erase(key).flux(),
            zip.list(),
            zip.listPrefix(StorePrefix.of("a/")),
            zip.listDir(StorePrefix.ROOT))) {
      StepVerifier.create(request)
          .expectErrorSatisfies(
              error ->
                  assertThat(error)
                      .isInstanceOf(StoreException.class)
                      .hasMessageContaining("is closed; open it with ZipStore.open"))
          .verify(Duration.ofSeconds(60));
    }
  }

  @Test
  void values_are_written_side_by_side_and_each_is_itself() {
    NewZipStore zip = ZipStore.create(file());
    Zips.await(
        Flux.range(0, 300)
            .flatMap(i -> zip.set(StoreKey.of("c/" + i), Bytes.wrap(Zips.random(i * 97, i))), 64)
            .then());
    for (int i = 0; i < 300; i += 7) {
      assertThat(Zips.get(zip, "c/" + i)).isEqualTo(Zips.random(i * 97, i));
    }
    Zips.await(zip.close());
    ZipStore read = Zips.await(ZipStore.open(file()));
    for (int i = 0; i < 300; i++) {
      assertThat(Zips.get(read, "c/" + i)).isEqualTo(Zips.random(i * 97, i));
    }
  }

  @Test
  void giving_up_requests_does_not_close_the_file_for_others() {
    NewZipStore zip = ZipStore.create(file());
    set(zip, "kept", "1");
    Bytes value = Bytes.wrap(Zips.random(200_000, 1));
    for (int i = 0; i < 200; i++) {
      StoreKey key = StoreKey.of("given/up/" + i);
      StepVerifier.create(zip.set(key, value)).thenCancel().verify(Duration.ofSeconds(60));
      StepVerifier.create(zip.get(StoreKey.of("kept"))).thenCancel().verify(Duration.ofSeconds(60));
    }
    assertThat(Zips.get(zip, "kept")).asString().isEqualTo("1");
    Zips.await(zip.close());
    ZipStore read = Zips.await(ZipStore.open(file()));
    for (String key : Zips.keys(read)) {
      assertThat(Zips.get(read, key)).hasSize(key.equals("kept") ? 1 : 200_000);
    }
  }

  @Test
  void names_that_other_programs_would_misread_are_refused() {
    NewZipStore zip = ZipStore.create(file());
    assertThatThrownBy(() -> set(zip, "a\\b", "")).hasMessageContaining("backslash");
    assertThatThrownBy(() -> set(zip, "\uD800", "")).hasMessageContaining("UTF-8");
    assertThatThrownBy(() -> set(zip, "ü".repeat(32_768), "")).hasMessageContaining("65535");
    set(zip, "ü".repeat(32_767), "long");
    Zips.await(zip.close());
    assertThat(Zips.get(Zips.await(ZipStore.open(file())), "ü".repeat(32_767)))
        .asString()
        .isEqualTo("long");
  }

  @Test
  void more_than_65535_entries_are_written() throws IOException {
    ArchiveFile archive = new ArchiveFile(file(), 0);
    for (int i = 0; i < 66_000; i++) {
      archive.write(StoreKey.of("c/" + i), Bytes.EMPTY, Precondition.NONE);
    }
    archive.finish();
    try (ZipFile jdk = new ZipFile(file().toFile())) {
      assertThat(jdk.size()).isEqualTo(66_000);
    }
    assertThat(Zips.keys(Zips.await(ZipStore.open(file())))).hasSize(66_000);
  }

  /** The file has a hole where the first gigabytes would be. */
  @Test
  void entries_beyond_4_gib_are_written() throws IOException {
    ArchiveFile archive = new ArchiveFile(file(), (1L << 32) - 40);
    for (int i = 0; i < 3; i++) {
      archive.write(StoreKey.of("c/" + i), Bytes.utf8("value " + i), Precondition.NONE);
    }
    archive.finish();
    try (ZipFile jdk = new ZipFile(file().toFile())) {
      for (int i = 0; i < 3; i++) {
        assertThat(jdk.getInputStream(jdk.getEntry("c/" + i)).readAllBytes())
            .asString()
            .isEqualTo("value " + i);
      }
    }
    ZipStore read = Zips.await(ZipStore.open(file()));
    for (int i = 0; i < 3; i++) {
      assertThat(Zips.get(read, "c/" + i)).asString().isEqualTo("value " + i);
    }
  }

  @Test
  void what_the_file_system_refuses_is_an_error_with_its_reason() throws IOException {
    Path occupied = Files.writeString(directory.resolve("file"), "");
    NewZipStore below = ZipStore.create(occupied.resolve("new.zip"));
    assertThatThrownBy(() -> set(below, "a", "1"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot write the zip")
        .hasMessageContaining("key a");
    Path full = Files.createDirectories(directory.resolve("full/of/things")).getParent();
    NewZipStore over = ZipStore.create(full);
    set(over, "a", "1");
    assertThatThrownBy(() -> Zips.await(over.close()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot finish the zip");
    try (Stream<Path> files = Files.list(full.getParent())) {
      assertThat(files).containsExactly(full);
    }
  }

  @Test
  void it_says_what_it_is() {
    assertThat(ZipStore.create(file()).toString()).isEqualTo("NewZipStore[" + file() + "]");
  }

  private static void set(NewZipStore zip, String key, String value) {
    Mono<Void> set = zip.set(StoreKey.of(key), Bytes.utf8(value));
    Zips.await(set);
  }
}
