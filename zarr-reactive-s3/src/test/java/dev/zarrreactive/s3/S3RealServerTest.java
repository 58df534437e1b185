package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The differences of servers, at one that was started elsewhere; see {@link RealServer}. */
@EnabledIfSystemProperty(named = RealServer.ENDPOINT, matches = ".+")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class S3RealServerTest {
  private static final int LARGE = 90 << 20;

  private final String bucket = RealServer.bucket();
  private final S3Store store = RealServer.at(bucket).open();

  @AfterEach
  void close() {
    await(store.close());
  }

  private static <T> @Nullable T await(Mono<T> mono) {
    return mono.block(Duration.ofMinutes(2));
  }

  private Version version() {
    return Objects.requireNonNull(
        Objects.requireNonNull(
                await(store.getVersioned(KEY, new ByteRange.Slice(0, 1), ReadCondition.ALWAYS)))
            .version());
  }

  @Test
  void conditions_on_a_value_above_the_multipart_threshold_hold() {
    Bytes first = Bytes.wrap(new byte[LARGE]);
    Bytes second = Bytes.wrap(new byte[LARGE + 1]);
    await(store.set(KEY, first, Precondition.ABSENT));
    Version version = version();
    assertThat(errorOf(store.set(KEY, second, Precondition.ABSENT)))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(version()).isEqualTo(version);
    await(store.set(KEY, second, Precondition.matches(version)));
    assertThat(errorOf(store.set(KEY, first, Precondition.matches(version))))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(Objects.requireNonNull(await(store.get(KEY))).size()).isEqualTo(LARGE + 1);
  }

  @Test
  void a_key_with_a_control_character_is_listed_and_erased_beside_others() {
    List<String> keys = List.of("p/\u0001", "p/a+b c%20", "p/\u00fc", "p/d/x", "q");
    await(Flux.fromIterable(keys).flatMap(key -> store.set(StoreKey.of(key), Bytes.EMPTY)).then());
    List<String> listed =
        Objects.requireNonNull(await(store.list().map(StoreKey::value).collectList()));
    if (listed.contains("p/\uFFFD")) { // as versitygw does; nothing tells the key
      assertThat(errorOf(store.erasePrefix(StorePrefix.of("p/"))))
          .hasMessageContaining("erase that value by its own key");
      return;
    }
    assertThat(listed).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(await(store.listDir(StorePrefix.of("p/")).collectList())).hasSize(4);
    await(store.erasePrefix(StorePrefix.of("p/")));
    assertThat(await(store.list().map(StoreKey::value).collectList())).containsExactly("q");
  }

  @Test
  void the_last_bytes_of_an_empty_value_are_none() {
    await(store.set(KEY, Bytes.EMPTY));
    assertThat(await(store.get(KEY, new ByteRange.Suffix(8)))).isEqualTo(Bytes.EMPTY);
  }

  /** Each half of one chunk of 80 MiB is another process's, which checks it before each write. */
  @Test
  void two_processes_that_write_halves_of_one_large_chunk_lose_nothing() throws Exception {
    HalfWriter.create(store);
    List<Process> writers = new ArrayList<>();
    for (int half = 0; half < 2; half++) {
      writers.add(start(half));
    }
    for (Process writer : writers) {
      String said = new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(writer.waitFor()).as(said).isZero();
      System.out.println(said);
    }
  }

  private Process start(int half) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1200m");
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("zarr.s3."))
        .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(HalfWriter.class.getName(), bucket, "" + half));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.to(new File("/dev/null")))
        .start();
  }
}
