package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.ListEntry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/** An interrupt that is no cancel is an error: it must never look like a missing value. */
class FileThreadsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void a_read_that_is_interrupted_is_an_error_and_no_missing_value() throws IOException {
    Path file = Files.writeString(directory.resolve("a"), "value");
    Mono<Integer> read =
        FileThreads.call(
            () -> {
              Thread.currentThread().interrupt();
              try (FileChannel channel = FileChannel.open(file)) {
                return channel.read(ByteBuffer.allocate(5));
              }
            },
            FileErrors.during("read", "a"));
    assertThatThrownBy(() -> read.block(TIMEOUT))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("interrupted")
        .hasMessageContaining("key a");
  }

  @Test
  void a_listing_that_is_interrupted_is_an_error_and_does_not_end_early() throws IOException {
    Files.writeString(directory.resolve("a"), "value");
    FileWalk walk = new FileWalk(new FileKeys(directory), StorePrefix.ROOT, true);
    FileThreads.Pull<ListEntry.Key> interrupted =
        new FileThreads.Pull<>() {
          @Override
          public ListEntry.Key next() throws IOException {
            Thread.currentThread().interrupt();
            return walk.next();
          }

          @Override
          public void close() throws IOException {
            walk.close();
          }
        };
    assertThatThrownBy(
            () ->
                FileThreads.pull(() -> interrupted, FileErrors.during("list", "a/"))
                    .collectList()
                    .block(TIMEOUT))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("interrupted");
  }

  @Test
  void an_interrupted_erasure_is_an_error_and_not_done() throws IOException {
    Files.writeString(directory.resolve("a"), "value");
    FileErasePrefix erasure = new FileErasePrefix(new FileKeys(directory), StorePrefix.ROOT);
    assertThatThrownBy(
            () ->
                FileThreads.call(
                        () -> {
                          Thread.currentThread().interrupt();
                          return erasure.attempt();
                        },
                        FileErrors.during("erase", "a/"))
                    .block(TIMEOUT))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("interrupted");
    assertThat(directory.resolve("a")).exists();
  }

  @Test
  void an_exhausted_heap_ends_the_call_in_an_error_that_is_located() {
    Mono<Integer> call =
        FileThreads.call(
            () -> {
              throw new OutOfMemoryError("of a test");
            },
            FileErrors.during("read", "a/b"));
    assertThatThrownBy(() -> call.block(TIMEOUT))
        .isInstanceOf(MemoryExhaustedException.class)
        .hasMessageContaining("to read files")
        .hasMessageContaining("key a/b");
  }

  @Test
  void a_value_that_the_heap_cannot_hold_is_an_error_and_the_next_one_is_read() throws Exception {
    Files.createDirectories(directory.resolve("c"));
    Files.writeString(directory.resolve("c/0"), "small");
    try (RandomAccessFile sparse = new RandomAccessFile(directory.resolve("c/1").toFile(), "rw")) {
      sparse.setLength(500_000_000);
    }
    try (OtherProcess small = OtherProcess.reading(directory)) {
      assertThat(small.line()).contains("MemoryExhaustedException", "500000000 bytes", "key c/1");
      assertThat(small.line()).isEqualTo("5 bytes");
    }
  }

  @Test
  void a_cancel_interrupts_and_drops_no_error() throws InterruptedException {
    List<Throwable> dropped = new java.util.concurrent.CopyOnWriteArrayList<>();
    Hooks.onErrorDropped(dropped::add);
    try {
      CountDownLatch running = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      ConcurrentLinkedQueue<Boolean> interrupted = new ConcurrentLinkedQueue<>();
      Disposable read =
          FileThreads.call(
                  () -> {
                    running.countDown();
                    while (!Thread.currentThread().isInterrupted()) {
                      Thread.onSpinWait();
                    }
                    interrupted.add(true);
                    ended.countDown();
                    FileThreads.checkInterrupt();
                    return "never";
                  },
                  FileErrors.during("read", "a"))
              .subscribe();
      assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
      read.dispose();
      assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(interrupted).containsExactly(true);
      assertThat(dropped).isEmpty();
    } finally {
      Hooks.resetOnErrorDropped();
    }
  }

  /** The thread may go on with work of other subscribers, such as a listing that is demanded. */
  @Test
  void a_cancel_interrupts_no_work_behind_the_call() throws InterruptedException {
    FileThreads.Errors errors = FileErrors.during("read", "a");
    assertThat(isInterruptedBehind(FileThreads.pull(() -> endless(() -> "a"), errors))).isFalse();
    Callable<String> failing =
        () -> {
          throw new IOException("of a test");
        };
    assertThat(isInterruptedBehind(FileThreads.pull(() -> endless(failing), errors))).isFalse();
    assertThat(isInterruptedBehind(FileThreads.call(() -> "a", errors))).isFalse();
    Mono<String> failed = FileThreads.call(() -> endless(failing).next(), errors);
    assertThat(isInterruptedBehind(failed)).isFalse();
  }

  @Test
  void a_cancel_interrupts_a_listing_that_looks_for_its_next_value() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Callable<String> waiting =
        () -> {
          running.countDown();
          while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
          }
          ended.countDown();
          FileThreads.checkInterrupt();
          return "never";
        };
    Disposable listing =
        FileThreads.pull(() -> endless(waiting), FileErrors.during("list", "a")).subscribe();
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
    listing.dispose();
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
  }

  private static FileThreads.Pull<String> endless(Callable<String> value) {
    return new FileThreads.Pull<>() {
      @Override
      public String next() throws IOException {
        try {
          return value.call();
        } catch (IOException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public void close() {}
    };
  }

  /** Cancels while the thread handles the first signal, and returns what the thread sees then. */
  private static boolean isInterruptedBehind(Publisher<String> call) throws InterruptedException {
    CountDownLatch handling = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    AtomicReference<Subscription> subscription = new AtomicReference<>();
    Runnable work =
        () -> {
          handling.countDown();
          while (cancelled.getCount() > 0) {
            Thread.onSpinWait();
          }
          interrupted.complete(Thread.currentThread().isInterrupted());
        };
    call.subscribe(
        new Subscriber<>() {
          @Override
          public void onSubscribe(Subscription s) {
            subscription.set(s);
            s.request(1);
          }

          @Override
          public void onNext(String value) {
            work.run();
          }

          @Override
          public void onError(Throwable error) {
            work.run();
          }

          @Override
          public void onComplete() {}
        });
    assertThat(handling.await(60, TimeUnit.SECONDS)).isTrue();
    subscription.get().cancel();
    cancelled.countDown();
    return interrupted.join();
  }

  @Test
  void the_threads_are_in_no_group_that_a_container_interrupts() throws InterruptedException {
    ThreadGroup[] found = new ThreadGroup[1];
    Thread container =
        new Thread(
            new ThreadGroup("container"),
            () -> found[0] = Daemons.daemon(() -> {}, "zarr-test").getThreadGroup());
    container.start();
    container.join();
    assertThat(found[0].getParent()).isNull();
  }
}
