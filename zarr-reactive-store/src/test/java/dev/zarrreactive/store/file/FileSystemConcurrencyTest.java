package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.partial.PartialNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Many at the same time, and some who give up. */
class FileSystemConcurrencyTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final StoreKey KEY = StoreKey.of("a/value");

  @TempDir Path base;
  FileSystemStore store;

  @BeforeEach
  void open() {
    store = FileSystemStore.open(base);
  }

  @Test
  void a_reader_sees_the_old_value_or_the_new_one_and_nothing_between() {
    store.set(KEY, filled(0)).block(TIMEOUT);
    Mono<Void> writing = Flux.range(1, 150).concatMap(i -> store.set(KEY, filled(i))).then();
    AtomicInteger reads = new AtomicInteger();
    Flux<Bytes> reading =
        Mono.defer(() -> store.get(KEY)).repeat().doOnNext(value -> reads.incrementAndGet());
    List<Bytes> broken =
        reading
            .filter(value -> !isWhole(value))
            .takeUntilOther(writing)
            .collectList()
            .block(TIMEOUT);
    assertThat(broken).isEmpty();
    assertThat(reads).hasPositiveValue();
  }

  @Test
  void writing_and_erasing_in_the_same_directories_lose_nothing() {
    Flux<Void> work =
        Flux.range(0, 150)
            .flatMap(
                i ->
                    store
                        .set(StoreKey.of("race/" + i % 5 + "/" + i), Bytes.utf8("" + i))
                        .then(store.erase(StoreKey.of("race/" + i % 5 + "/" + i)))
                        .then(
                            i % 7 == 0
                                ? store.erasePrefix(StorePrefix.of("race/" + i % 5 + "/"))
                                : Mono.empty())
                        .then(store.set(StoreKey.of("kept/" + i), Bytes.EMPTY)),
                16);
    work.then().block(TIMEOUT);
    assertThat(store.listPrefix(StorePrefix.of("kept/")).count().block(TIMEOUT)).isEqualTo(150);
    assertThat(store.listPrefix(StorePrefix.of("race/")).count().block(TIMEOUT)).isZero();
    assertThat(base.resolve("race")).doesNotExist();
  }

  @Test
  void requests_that_are_given_up_leave_no_half_written_file_and_no_open_one() {
    Path descriptors = Path.of("/proc/self/fd");
    Bytes large = Bytes.wrap(new byte[8 << 20]);
    store.set(KEY, large).block(TIMEOUT);
    for (int i = 0; i < 300; i++) {
      store.set(StoreKey.of("a/" + i), Bytes.EMPTY).block(TIMEOUT);
    }
    long openBefore = Files.isDirectory(descriptors) ? openFilesBelow(descriptors) : 0;
    for (int i = 0; i < 40; i++) {
      Disposable write = store.set(KEY, large).subscribe();
      Disposable read = store.get(KEY).subscribe();
      StepVerifier.create(store.list(), 5).expectNextCount(5).thenCancel().verify(TIMEOUT);
      write.dispose();
      read.dispose();
    }
    assertThat(isWhole(store.get(KEY).block(TIMEOUT))).isTrue();
    await(() -> temporaryFiles() == 0);
    assumeTrue(Files.isDirectory(descriptors), "open files are counted on Linux");
    await(() -> openFilesBelow(descriptors) <= openBefore);
  }

  @Test
  void a_listing_of_many_keys_is_read_as_it_is_demanded() throws IOException {
    for (int i = 0; i < 20; i++) {
      Path directory = Files.createDirectories(base.resolve("d" + i));
      for (int j = 0; j < 40; j++) {
        Files.createFile(directory.resolve("f" + j));
      }
    }
    AtomicInteger listed = new AtomicInteger();
    StepVerifier.create(store.list().doOnNext(key -> listed.incrementAndGet()), 0)
        .thenRequest(10)
        .expectNextCount(10)
        .then(this::removeAllButOneDirectory)
        .thenRequest(Long.MAX_VALUE)
        .thenConsumeWhile(key -> true)
        .expectComplete()
        .verify(TIMEOUT);
    assertThat(listed).as("of 800 keys before 760 were erased").hasValueLessThan(90);
  }

  @Test
  void virtual_time_in_a_test_does_not_touch_its_threads() {
    VirtualTimeScheduler.getOrSet();
    try {
      store.set(KEY, Bytes.EMPTY).block(TIMEOUT);
      assertThat(store.get(KEY).block(TIMEOUT)).isEqualTo(Bytes.EMPTY);
    } finally {
      VirtualTimeScheduler.reset();
    }
  }

  @Test
  void a_thousand_requests_at_once_wait_for_a_few_threads() {
    store.set(KEY, filled(3)).block(TIMEOUT);
    List<Thread> threads =
        Flux.range(0, 1000)
            .flatMap(
                i ->
                    store
                        .get(KEY)
                        .map(value -> Thread.currentThread())
                        .subscribeOn(Schedulers.parallel()),
                1000)
            .distinct()
            .collectList()
            .block(TIMEOUT);
    assertThat(threads)
        .hasSizeLessThanOrEqualTo(Math.max(4, Runtime.getRuntime().availableProcessors()));
  }

  private void removeAllButOneDirectory() {
    for (int i = 1; i < 20; i++) {
      store.erasePrefix(StorePrefix.of("d" + i + "/")).block(TIMEOUT);
    }
  }

  /** Looks at names only: files come and go meanwhile. */
  private long temporaryFiles() {
    try (Stream<Path> files = Files.list(base.resolve("a"))) {
      return files.filter(file -> PartialNames.isHidden(file.getFileName().toString())).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long openFilesBelow(Path descriptors) {
    try (Stream<Path> files = Files.list(descriptors)) {
      return files.filter(this::isOfTheStore).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isOfTheStore(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(base.toRealPath());
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.yield();
    }
  }

  private static Bytes filled(int with) {
    byte[] bytes = new byte[100_000 + with * 997];
    Arrays.fill(bytes, (byte) with);
    return Bytes.wrap(bytes);
  }

  private static boolean isWhole(Bytes value) {
    if (value.size() == 8 << 20) {
      return true;
    }
    byte first = value.get(0);
    for (int i = 0; i < value.size(); i += 101) {
      if (value.get(i) != first) {
        return false;
      }
    }
    return value.size() == 100_000 + (first & 0xff) * 997;
  }
}
