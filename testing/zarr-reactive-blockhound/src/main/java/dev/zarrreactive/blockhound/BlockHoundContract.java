package dev.zarrreactive.blockhound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Proves that BlockHound is on in the JVM that runs it. Extend it with an empty class in the tests
 * of a module: JUnit then runs the methods below.
 */
public abstract class BlockHoundContract {

  /** For subclasses. */
  protected BlockHoundContract() {}

  @Test
  void a_sleep_on_a_parallel_scheduler_is_detected() {
    assertDetected(
        () -> {
          Thread.sleep(1);
          return "slept";
        });
  }

  @Test
  void a_read_of_a_file_channel_is_detected(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("key"), "value");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      assertDetected(() -> channel.read(ByteBuffer.allocate(5)));
      assertDetected(() -> channel.read(ByteBuffer.allocate(5), 0));
    }
  }

  @Test
  void opening_a_file_channel_is_detected(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("key"), "value");
    assertDetected(() -> FileChannel.open(file, StandardOpenOption.READ));
  }

  @Test
  void reading_and_writing_a_whole_file_is_detected(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("key"), "value");
    assertDetected(() -> Files.readAllBytes(file));
    assertDetected(() -> Files.readString(file));
    assertDetected(() -> Files.write(file, new byte[5]));
  }

  @Test
  void looking_at_the_file_system_is_detected(@TempDir Path directory) {
    assertDetected(() -> Files.exists(directory));
    assertDetected(() -> Files.isDirectory(directory));
    assertDetected(() -> Files.size(directory));
    assertDetected(
        () -> {
          try (Stream<Path> children = Files.list(directory)) {
            return children.count();
          }
        });
  }

  @Test
  void changing_the_file_system_is_detected(@TempDir Path directory) {
    Path child = directory.resolve("child");
    assertDetected(() -> Files.createDirectories(child));
    assertDetected(() -> Files.createTempFile(directory, "key", ".partial"));
    assertDetected(() -> Files.move(child, directory.resolve("other")));
    assertDetected(() -> Files.deleteIfExists(child));
  }

  @Test
  void the_look_up_of_a_host_name_is_detected() {
    assertDetected(() -> InetAddress.getAllByName("store.invalid"));
  }

  @Test
  void the_same_calls_on_a_thread_that_may_block_are_let_through(@TempDir Path directory)
      throws Exception {
    Path file = Files.writeString(directory.resolve("key"), "value");
    Scheduler mayBlock = Schedulers.newBoundedElastic(1, 8, "may-block", 10, true);
    try {
      assertThat(
              Mono.fromCallable(() -> Files.readString(file))
                  .subscribeOn(mayBlock)
                  .block(Duration.ofSeconds(30)))
          .isEqualTo("value");
    } finally {
      mayBlock.dispose();
    }
  }

  private static void assertDetected(Callable<?> blockingCall) {
    Scheduler parallel = Schedulers.newParallel("must-not-block", 1, true);
    try {
      Mono<?> call = Mono.fromCallable(blockingCall).subscribeOn(parallel);
      assertThatThrownBy(() -> call.block(Duration.ofSeconds(30)))
          .hasRootCauseInstanceOf(BlockingOperationError.class);
    } finally {
      parallel.dispose();
    }
  }
}
