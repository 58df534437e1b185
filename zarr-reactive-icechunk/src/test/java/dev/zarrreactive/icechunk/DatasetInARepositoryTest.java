package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.dataset.Dataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dataset in a repository is read as it was at each commit. */
class DatasetInARepositoryTest {
  @TempDir static Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    RepositoriesByPythonTest.unpackInto(directory);
  }

  private static Dataset open(String segment) {
    String repository = directory.resolve("dataset-v2").toUri().toString();
    return await(Dataset.open(Zarr.at(repository + segment)));
  }

  @Test
  void values_are_selected_by_labels_and_decoded() {
    NdArray day = await(open("|icechunk:").sel("time", "2020-01-05").sel("lat", 20).read("t2m"));
    assertThat(day.getDouble()).isEqualTo(200 + 41 * 0.5);
  }

  @Test
  void an_earlier_commit_has_the_dataset_of_then() {
    IcechunkRepository repository =
        await(Icechunk.open(new PythonAnswers(directory).place("dataset-v2")));
    List<IcechunkSnapshot> history = await(repository.history(IcechunkVersion.MAIN));
    assertThat(open("|icechunk:").toString()).contains("time: 5");
    assertThat(open("|icechunk://" + history.get(1).id()).toString()).contains("time: 3");
  }
}
