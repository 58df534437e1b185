package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.partial.NameLock;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import java.io.IOException;
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

/** Several processes on one directory, also such that die. */
class FileSystemProcessesTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final StoreKey KEY = OtherProcess.KEY;

  @TempDir Path directory;
  FileSystemStore store;
  FileSystemStore impatient;
  Path file;

  @BeforeEach
  void open() {
    store = FileSystemStore.open(directory);
    impatient = new FileSystemStore(directory, 3);
    file = directory.resolve(KEY.value());
    store.set(KEY, Bytes.wrap(new byte[2])).block(TIMEOUT);
  }

  @Test
  void two_processes_that_change_parts_of_one_value_lose_no_write() throws Exception {
    int times = 1500;
    try (OtherProcess one = OtherProcess.counting(directory, 0, times);
        OtherProcess other = OtherProcess.counting(directory, 1, times)) {
      assertThat(one.line()).isEqualTo(OtherProcess.READY);
      assertThat(other.line()).isEqualTo(OtherProcess.READY);
      one.go();
      other.go();
      assertThat(one.line()).as("writes that one lost").isEqualTo("0");
      assertThat(other.line()).as("writes that the other lost").isEqualTo("0");
    }
    assertThat(file).hasBinaryContent(new byte[] {(byte) times, (byte) times});
    assertThat(filesBeside()).containsExactly("0");
  }

  @Test
  void no_change_passes_the_lock_of_a_live_process() throws Exception {
    Version version = version();
    try (OtherProcess live = OtherProcess.holding(directory)) {
      assertThat(live.line()).isEqualTo(OtherProcess.READY);
      for (Mono<Void> change :
          List.of(
              impatient.set(KEY, Bytes.utf8("x")),
              impatient.set(KEY, Bytes.utf8("x"), Precondition.matches(version)),
              impatient.erase(KEY),
              impatient.erase(KEY, version),
              impatient.erasePrefix(StorePrefix.of("c/")))) {
        assertThatThrownBy(() -> change.block(TIMEOUT))
            .isInstanceOf(TransientStoreException.class)
            .hasMessageContaining("other processes have held the lock")
            .hasMessageContaining("key c/");
      }
      assertThat(store.clean().block(TIMEOUT)).isZero();
      assertThat(store.leftovers().collectList().block(TIMEOUT)).isEmpty();
      assertThat(store.list().collectList().block(TIMEOUT)).containsExactly(KEY);
      assertThat(file).hasBinaryContent(new byte[2]);
      assertThat(filesBeside()).as("the value, the lock, the half-written value").hasSize(3);
    }
  }

  @Test
  void a_change_waits_for_a_live_process_and_goes_on_when_it_lets_go() throws Exception {
    try (OtherProcess live = OtherProcess.holding(directory)) {
      assertThat(live.line()).isEqualTo(OtherProcess.READY);
      Mono<Void> change = store.set(KEY, Bytes.utf8("x")).cache();
      change.subscribe();
      live.go();
      change.block(TIMEOUT);
    }
    assertThat(file).hasContent("x");
  }

  @Test
  void the_lock_of_a_dead_process_stops_nothing() throws Exception {
    dies();
    store.set(KEY, Bytes.utf8("x"), Precondition.matches(version())).block(TIMEOUT);
    assertThat(file).hasContent("x");
    dies();
    store.erase(KEY).block(TIMEOUT);
    assertThat(directory).as("nor do its files keep the directory").isEmptyDirectory();
  }

  @Test
  void leftovers_of_dead_processes_are_reported_and_removed() throws Exception {
    dies();
    assertThat(store.leftovers().map(Leftover::size).collectList().block(TIMEOUT))
        .containsExactly(3L, 3L);
    assertThat(store.leftovers().map(Leftover::path).collectList().block(TIMEOUT))
        .allMatch(path -> path.startsWith("c/.zarr-partial-"));
    assertThat(store.clean().block(TIMEOUT)).isEqualTo(2);
    assertThat(filesBeside()).containsExactly("0");
    dies();
    store.erasePrefix(StorePrefix.of("c/")).block(TIMEOUT);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void an_empty_lock_is_that_of_a_dead_process_after_a_day_only() throws IOException {
    Path lock = Files.createFile(NameLock.of(file));
    assertThatThrownBy(() -> impatient.set(KEY, Bytes.EMPTY).block(TIMEOUT))
        .isInstanceOf(TransientStoreException.class);
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
    impatient.set(KEY, Bytes.utf8("x")).block(TIMEOUT);
    assertThat(file).hasContent("x");
    assertThat(filesBeside()).containsExactly("0");
  }

  @Test
  void a_cancelled_wait_leaves_no_file() throws Exception {
    try (OtherProcess live = OtherProcess.holding(directory)) {
      assertThat(live.line()).isEqualTo(OtherProcess.READY);
      store.set(KEY, Bytes.utf8("x")).timeout(Duration.ofMillis(50), Mono.empty()).block(TIMEOUT);
      await(() -> filesBeside().size() == 3);
    }
  }

  @Test
  void a_value_that_another_process_has_replaced_is_not_overwritten() {
    Version before = version();
    FileSystemStore.open(directory.resolve("c")).set(StoreKey.of("0"), Bytes.EMPTY).block(TIMEOUT);
    assertThatThrownBy(
            () -> store.set(KEY, Bytes.utf8("x"), Precondition.matches(before)).block(TIMEOUT))
        .isInstanceOf(PreconditionFailedException.class);
  }

  private void dies() throws IOException {
    try (OtherProcess live = OtherProcess.holding(directory)) {
      assertThat(live.line()).isEqualTo(OtherProcess.READY);
      live.kill();
    }
  }

  private Version version() {
    return store.getVersioned(KEY, null, ReadCondition.ALWAYS).block(TIMEOUT).version();
  }

  private List<String> filesBeside() {
    try (Stream<Path> files = Files.list(file.getParent())) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void await(java.util.function.BooleanSupplier condition) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.yield();
    }
  }
}
