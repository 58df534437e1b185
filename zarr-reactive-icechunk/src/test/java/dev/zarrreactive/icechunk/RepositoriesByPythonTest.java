package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Every snapshot of repositories by Python's icechunk is read as it reads them. */
class RepositoriesByPythonTest {
  /** Repositories as they are when they have just been created. */
  private static final Set<String> WITHOUT_NODES = Set.of("empty-v1", "empty-v2", "empty-by-1");

  @TempDir static Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    unpackInto(directory);
  }

  static void unpackInto(Path directory) throws IOException {
    try (InputStream in = RepositoriesByPythonTest.class.getResourceAsStream("repositories.zip");
        ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = directory.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
        }
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> a_repository_is_read_as_python_reads_it() {
    PythonAnswers answers = new PythonAnswers(directory);
    return answers.names().stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () ->
                        assertThat(answers.check(name) > 0)
                            .as("values are read")
                            .isEqualTo(!WITHOUT_NODES.contains(name))));
  }

  @Test
  void there_are_repositories_of_every_version_and_writer() {
    List<String> names = new PythonAnswers(directory).names();
    assertThat(names).hasSizeGreaterThanOrEqualTo(40);
    for (String kind : List.of("-v1", "-v2", "-migrated", "-by-1")) {
      assertThat(names).filteredOn(name -> name.endsWith(kind)).hasSizeGreaterThanOrEqualTo(8);
    }
  }

  @Test
  void the_manifests_of_coordinates_come_with_the_store_where_the_reader_wants_it() {
    PythonAnswers answers = new PythonAnswers(directory);
    InstrumentedStore place = InstrumentedStore.of(answers.place("basic-v2"));
    for (boolean preloads : new boolean[] {true, false}) {
      IcechunkOptions options = answers.options().withPreloadedCoordinates(preloads);
      Store store =
          await(Icechunk.open(place, options).flatMap(found -> found.store(IcechunkVersion.MAIN)));
      assertThat(manifests(place)).as("one, of the coordinate y").hasSize(preloads ? 1 : 0);
      assertThat(await(store.get(StoreKey.of("y/c/0")))).isNotNull();
      assertThat(manifests(place)).hasSize(preloads ? 0 : 1);
    }
  }

  @Test
  void an_array_is_opened_cold_by_two_requests_in_version_2_and_by_three_in_version_1() {
    PythonAnswers answers = new PythonAnswers(directory);
    for (String name : List.of("basic-v2", "basic-v1")) {
      InstrumentedStore place = InstrumentedStore.of(answers.place(name));
      Mono<ZarrArray> array =
          Icechunk.open(place)
              .flatMap(repository -> repository.store(IcechunkVersion.MAIN))
              .flatMap(version -> Zarr.hierarchy(version).openArray("g/plane"));
      assertThat(await(array).shape()).hasToString("[12, 7]");
      assertThat(place.counts().total()).as(name).isEqualTo(name.equals("basic-v2") ? 2 : 3);
    }
  }

  private static List<String> manifests(InstrumentedStore place) {
    List<String> asked =
        place.counts().requests().stream()
            .map(StoreRequest::target)
            .filter(key -> key.startsWith("manifests/"))
            .toList();
    place.counts().reset();
    return asked;
  }
}
