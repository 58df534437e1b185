package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Virtual chunks that lie side by side in one object are read together. */
class VirtualChunksTogetherTest {
  @TempDir static Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    RepositoriesByPythonTest.unpackInto(directory);
  }

  @Test
  void two_thousand_chunks_in_one_file_take_few_requests() {
    InstrumentedStore data = InstrumentedStore.of(FileSystemStore.open(directory.resolve("data")));
    IcechunkOptions options =
        IcechunkOptions.defaults()
            .withContainers(
                VirtualContainers.builder()
                    .allow("file:///tmp/icechunk-virtual-data/", data)
                    .build());
    InstrumentedStore repository =
        InstrumentedStore.of(new PythonAnswers(directory).place("virtual-v2"));
    NdArray values =
        await(
            Icechunk.open(repository, options)
                .flatMap(found -> found.store(IcechunkVersion.MAIN))
                .flatMap(store -> Zarr.hierarchy(store).openArray("many"))
                .flatMap(array -> array.read()));
    for (int i = 0; i < 4000; i++) {
      assertThat(values.getDouble(i)).isEqualTo(i);
    }
    assertThat(data.counts().total()).as("requests of 2,000 chunks").isLessThanOrEqualTo(20);
    assertThat(repository.counts().requests().stream().map(request -> request.target()))
        .filteredOn(key -> key.startsWith("manifests/"))
        .hasSize(1);
  }
}
