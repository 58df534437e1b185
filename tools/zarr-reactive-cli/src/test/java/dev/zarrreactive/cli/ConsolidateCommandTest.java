package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsolidateCommandTest {
  @TempDir Path directory;

  @Test
  void a_group_is_consolidated_and_info_says_so() {
    FileSystemStore store = FileSystemStore.open(directory);
    Zarr.hierarchy(store).createGroup("a/b").block();
    CommandRun run = zarr("consolidate", directory.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("Consolidated the metadata of 2 nodes.\n");
    assertThat(zarr("info", directory.toString()).out())
        .contains("consolidated metadata of 2 nodes\n");
    assertThat(Zarr.hierarchy(store).openGroup("").block().metadata().consolidated().paths())
        .containsExactly("a", "a/b");
  }

  @Test
  void an_array_is_refused() {
    TestArrays.create(directory, Shape.of(3), DataTypes.INT8, array -> array);
    CommandRun run = zarr("consolidate", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("expected a group, found an array");
  }
}
