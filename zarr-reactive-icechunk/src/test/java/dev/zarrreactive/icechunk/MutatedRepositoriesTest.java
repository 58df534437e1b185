package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/**
 * Repositories with one wrong file: all that is there is read, or an error of this library says
 * what is wrong. Nothing outside is asked for.
 */
class MutatedRepositoriesTest {
  private static final int HEADER = 39;
  private static final List<Map<String, byte[]>> REPOSITORIES = new ArrayList<>();

  @TempDir static Path directory;

  @BeforeAll
  static void read_repositories() throws IOException {
    RepositoriesByPythonTest.unpackInto(directory);
    for (String name : new PythonAnswers(directory).names()) {
      Path root = directory.resolve(name);
      Map<String, byte[]> files = new TreeMap<>();
      try (Stream<Path> all = Files.walk(root)) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          String key = root.relativize(file).toString().replace('\\', '/');
          if (!key.startsWith("transactions/") && !key.startsWith("overwritten/")) {
            files.put(key, Files.readAllBytes(file));
          }
        }
      }
      REPOSITORIES.add(files);
    }
  }

  @Sampled
  @Test
  void a_repository_with_a_wrong_file_is_read_or_refused() {
    int refused = 0;
    int count = Cases.some(250, 5_000);
    for (int seed = 0; seed < count; seed++) {
      Random random = new Random(seed);
      Map<String, byte[]> files =
          new TreeMap<>(REPOSITORIES.get(random.nextInt(REPOSITORIES.size())));
      List<String> keys =
          files.keySet().stream().filter(key -> !key.startsWith("chunks/")).toList();
      String key = keys.get(random.nextInt(keys.size()));
      files.put(key, mutant(files.get(key), random));
      Throwable error = errorOf(readAll(store(files)));
      if (error != null) {
        refused++;
        assertThat(error).as("seed %s, %s", seed, key).isInstanceOf(ZarrException.class);
      }
    }
    assertThat(refused).isBetween(count / 10, count - 1);
  }

  @Sampled
  @Test
  void a_check_finds_a_fault_where_a_reader_fails() {
    int faulty = 0;
    int count = Cases.some(250, 5_000);
    for (int seed = 0; seed < count; seed++) {
      Random random = new Random(seed);
      Map<String, byte[]> files =
          new TreeMap<>(REPOSITORIES.get(random.nextInt(REPOSITORIES.size())));
      List<String> keys =
          files.keySet().stream()
              .filter(key -> key.startsWith("snapshots/") || key.startsWith("manifests/"))
              .toList();
      String key = keys.get(random.nextInt(keys.size()));
      files.put(key, mutant(files.get(key), random));
      Store store = store(files);
      Throwable error = errorOf(readAll(store));
      List<IcechunkFinding> faults = new ArrayList<>();
      Throwable failure =
          errorOf(
              Icechunk.open(store)
                  .flatMapMany(IcechunkRepository::checkHistory)
                  .filter(found -> found.isFault() && !found.key().startsWith("transactions/"))
                  .doOnNext(faults::add)
                  .then());
      assertThat(failure).as("seed %s, %s", seed, key).isNull();
      if (error != null) {
        faulty++;
        assertThat(faults).as("seed %s, %s: %s", seed, key, error).isNotEmpty();
      }
    }
    assertThat(faulty).isPositive();
  }

  private static Store store(Map<String, byte[]> files) {
    MemoryStore store = MemoryStore.create();
    files.forEach((key, bytes) -> store.set(StoreKey.of(key), Bytes.wrap(bytes)).block());
    return store;
  }

  private static byte[] mutant(byte[] original, Random random) {
    byte[] bytes = original.clone();
    if (bytes.length > HEADER + 4 && bytes[0] == 'I' && random.nextInt(4) > 0) {
      byte[] payload = Zstd.decompress(Arrays.copyOfRange(bytes, HEADER, bytes.length), 1 << 24);
      bytes = Arrays.copyOf(bytes, HEADER + payload.length);
      System.arraycopy(payload, 0, bytes, HEADER, payload.length);
      bytes[38] = 0;
    }
    if (bytes.length == 0) {
      return new byte[] {1};
    }
    for (int change = random.nextInt(3); change >= 0; change--) {
      int at = random.nextInt(bytes.length);
      if (bytes.length > HEADER && bytes[0] == 'I') {
        at = HEADER + random.nextInt(bytes.length - HEADER);
      }
      bytes[at] = (byte) random.nextInt();
    }
    return random.nextInt(10) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }

  /** Reads branches, tags, histories, and every value at each branch; but no virtual chunk. */
  private static Mono<Void> readAll(Store place) {
    return Icechunk.open(place)
        .flatMap(
            repository ->
                repository
                    .branches()
                    .concatMap(
                        branch ->
                            repository
                                .history(IcechunkVersion.branch(branch.name()))
                                .then(
                                    repository
                                        .store(IcechunkVersion.snapshot(branch.snapshot()))
                                        .flatMap(MutatedRepositoriesTest::readValues)))
                    .then(repository.tags().then())
                    .then(repository.containers().then()));
  }

  private static Mono<Void> readValues(Store store) {
    return store
        .list()
        .take(300)
        .concatMap(
            key -> store.get(key).onErrorResume(AccessDeniedException.class, e -> Mono.empty()))
        .then(store.listDir(StorePrefix.ROOT).then());
  }
}
