package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrateCommandTest {
  @TempDir Path directory;

  private String old = "";

  @BeforeEach
  void copy() {
    old = directory.resolve("old.zarr").toString();
    assertThat(zarr("copy", EARTH + "/earth", old, "--format", "2", "--consolidate").exitCode())
        .isZero();
  }

  @Test
  void chunks_stay_and_the_documents_are_of_zarr_v3() throws IOException {
    byte[] chunk = Files.readAllBytes(Path.of(old, "relief/0/0"));
    assertThat(zarr("migrate", old, "--dry-run").out())
        .endsWith("Would write 5 documents of Zarr v3, and no chunk.\n");
    assertThat(zarr("info", old).out()).contains("Zarr v2");
    CommandRun run = zarr("migrate", old);
    assertThat(run.err()).doesNotContain("error");
    assertThat(run.out()).contains("Wrote 5 documents of Zarr v3, consolidated; those of Zarr v2");
    assertThat(zarr("info", old).out()).contains("Zarr v3", "consolidated metadata of 4 nodes");
    assertThat(Files.readAllBytes(Path.of(old, "relief/0/0"))).isEqualTo(chunk);
    assertThat(zarr("diff", EARTH + "/earth", old).out()).isEmpty();
    assertThat(zarr("info", old, "--zarr-format", "2").out()).contains("Zarr v2");
  }

  @Test
  void the_old_documents_are_erased_on_demand() throws IOException {
    assertThat(zarr("migrate", old, "--remove-v2").exitCode()).isZero();
    try (var files = Files.walk(Path.of(old))) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith(".z"))).isEmpty();
    }
    assertThat(zarr("diff", EARTH + "/earth", old).out()).isEmpty();
    assertThat(zarr("validate", old, "--data").out()).contains("no findings");
    CommandRun again = zarr("migrate", old);
    assertThat(again.exitCode()).isOne();
    assertThat(again.err()).contains("Zarr v2");
  }

  @Test
  void a_document_of_zarr_v3_that_has_changed_since_is_not_written_over() throws IOException {
    assertThat(zarr("migrate", old).exitCode()).isZero();
    assertThat(zarr("migrate", old).exitCode()).as("the same documents again").isZero();
    assertThat(zarr("resize", old + "/lat", "400").exitCode()).isZero();
    CommandRun again = zarr("migrate", old, "--remove-v2");
    assertThat(again.exitCode()).isOne();
    assertThat(again.err()).contains("lat/zarr.json is there already, and differs", "nothing was");
    assertThat(zarr("migrate", old, "--dry-run").exitCode()).isOne();
    assertThat(zarr("info", old + "/lat").out()).contains("[400]");
    assertThat(Path.of(old, "lat/.zarray")).exists();
    Files.delete(Path.of(old, "lat/zarr.json"));
    assertThat(zarr("migrate", old, "--remove-v2").exitCode()).isZero();
    assertThat(zarr("info", old + "/lat").out()).contains("[360]");
  }

  @Test
  void groups_above_forget_what_they_knew_of_a_node_that_is_migrated() throws IOException {
    CommandRun run = zarr("migrate", old + "/lat", "--remove-v2");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err())
        .contains(
            "removed the consolidated metadata of " + old, "the group above is still of Zarr v2");
    assertThat(Path.of(old, ".zmetadata")).doesNotExist();
    assertThat(Path.of(old, "lat/.zarray")).doesNotExist();
    assertThat(zarr("info", old + "/lat").out()).contains("Zarr v3");
    assertThat(zarr("tree", old).out()).contains("lat", "lon", "relief", "rgb");
    CommandRun whole = zarr("migrate", old, "--remove-v2");
    assertThat(whole.exitCode()).as(whole.err()).isZero();
    assertThat(zarr("validate", old, "--data").out()).contains("no findings");
    assertThat(zarr("diff", EARTH + "/earth", old).out()).isEmpty();
  }
}
