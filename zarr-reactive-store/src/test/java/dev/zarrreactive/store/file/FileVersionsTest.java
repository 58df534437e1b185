package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** Versions of files, where programs that know nothing of each other change them. */
class FileVersionsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final StoreKey KEY = StoreKey.of("a/b");

  @TempDir Path directory;
  Store store;
  Path file;

  @BeforeEach
  void open() {
    store = FileSystemStore.open(directory);
    file = directory.resolve("a/b");
    put(store, new byte[] {1, 2, 3});
  }

  @Test
  void another_store_sees_the_same_version() {
    assertThat(version(FileSystemStore.open(directory))).isEqualTo(version(store));
  }

  @Test
  void a_file_that_another_program_changes_in_place_has_another_version() throws IOException {
    Version before = version(store);
    Files.write(file, new byte[] {1, 2, 3, 4});
    assertThat(version(store)).isNotEqualTo(before);
    Version longer = version(store);
    Files.write(file, new byte[] {4, 3, 2, 1});
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(1)));
    assertThat(version(store)).isNotEqualTo(longer);
  }

  @Test
  void each_file_that_is_written_has_a_time_of_its_own() throws IOException {
    Set<FileTime> times = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      FileVersions.stamp(file);
      times.add(Files.getLastModifiedTime(file));
    }
    assertThat(times).hasSize(200);
  }

  @Test
  void a_file_is_later_than_the_one_that_it_replaces_whatever_the_clock_says() throws IOException {
    FileTime future = FileTime.from(Instant.now().plusSeconds(3600));
    Files.setLastModifiedTime(file, future);
    put(store, new byte[] {3, 2, 1});
    FileTime next = Files.getLastModifiedTime(file);
    assertThat(next).isGreaterThan(future);
    put(FileSystemStore.open(directory), new byte[] {1, 2, 3});
    assertThat(Files.getLastModifiedTime(file)).isGreaterThan(next);
  }

  @Test
  void a_file_that_another_program_replaced_is_not_overwritten() throws IOException {
    Version before = version(store);
    Files.move(
        Files.write(directory.resolve("other"), new byte[] {9, 9, 9}),
        file,
        StandardCopyOption.ATOMIC_MOVE);
    assertThatThrownBy(
            () -> store.set(KEY, Bytes.utf8("mine"), Precondition.matches(before)).block(TIMEOUT))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("key a/b");
    assertThat(file).hasBinaryContent(new byte[] {9, 9, 9});
    try (var files = Files.list(directory.resolve("a"))) {
      assertThat(files).as("no temporary file is left").hasSize(1);
    }
  }

  @Test
  void a_version_never_comes_with_bytes_of_another_one() {
    Map<Version, Bytes> seen = new ConcurrentHashMap<>();
    Mono<Void> reading =
        Flux.merge(reads(null), reads(new ByteRange.Suffix(1)))
            .doOnNext(
                answer -> {
                  Bytes bytes = Objects.requireNonNull(answer.bytes());
                  Bytes last = bytes.slice(bytes.size() - 1, 1); // the rest is alike
                  Bytes earlier = seen.putIfAbsent(Objects.requireNonNull(answer.version()), last);
                  assertThat(earlier == null || earlier.equals(last)).isTrue();
                })
            .takeUntil(answer -> seen.size() > 10)
            .then();
    Flux.range(0, Integer.MAX_VALUE)
        .concatMap(
            i -> {
              byte[] value = new byte[100_000];
              Arrays.fill(value, i.byteValue());
              return store.set(KEY, Bytes.wrap(value));
            })
        .takeUntilOther(reading.subscribeOn(Schedulers.parallel()))
        .subscribeOn(Schedulers.parallel())
        .blockLast(TIMEOUT);
    assertThat(seen).as("states that were met").hasSizeGreaterThan(10);
  }

  /** Answers again and again; a file that is replaced each time that it is read gives none. */
  private Flux<VersionedBytes> reads(@Nullable ByteRange range) {
    return store.getVersioned(KEY, range, ReadCondition.ALWAYS).onErrorComplete().repeat();
  }

  @Test
  void writers_through_two_stores_of_one_directory_lose_nothing() {
    put(store, new byte[] {0});
    Flux.range(0, 4)
        .flatMap(
            writer ->
                Flux.range(0, 25)
                    .concatMap(turn -> countUp(FileSystemStore.open(directory)))
                    .subscribeOn(Schedulers.parallel()))
        .blockLast(TIMEOUT);
    assertThat(file).hasBinaryContent(new byte[] {100});
  }

  private static Mono<Void> countUp(Store store) {
    return store
        .getVersioned(KEY, null, ReadCondition.ALWAYS)
        .flatMap(
            old ->
                store.set(
                    KEY,
                    Bytes.wrap(new byte[] {(byte) (old.bytes().get(0) + 1)}),
                    Precondition.matches(old.version())))
        .retryWhen(Retry.max(10_000).filter(PreconditionFailedException.class::isInstance));
  }

  private static void put(Store store, byte[] value) {
    store.set(KEY, Bytes.wrap(value)).block(TIMEOUT);
  }

  private static Version version(Store store) {
    return store.getVersioned(KEY, null, ReadCondition.ALWAYS).block(TIMEOUT).version();
  }
}
