package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.gcs.XmlApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CleanCommandTest {
  @TempDir Path directory;

  private Path old(String name, int size) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[size]);
    Instant longAgo = Instant.now().minus(3, ChronoUnit.DAYS);
    return Files.setLastModifiedTime(file, FileTime.from(longAgo));
  }

  @Test
  void files_of_dead_writers_are_listed_then_removed_and_others_stay() throws IOException {
    Path array = directory.resolve("a");
    TestArrays.create(array, Shape.of(4), DataTypes.INT8, settings -> settings);
    Path one = old("a/c/.zarr-partial-0123456789abcdef", 1000);
    Path other = old(".zarr-partial-00000001-fedcba9876543210", 24);
    Path foreign = old("a/c/.other", 7);

    CommandRun dry = zarr("clean", directory.toString(), "--dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains("a/c/.zarr-partial-0123456789abcdef  1,000 bytes\n")
        .endsWith("Would remove 2 files of dead writers, 1.0 KiB.\n");
    assertThat(one).exists();

    CommandRun run = zarr("clean", directory.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("Removed 2 files of dead writers, 1.0 KiB.\n");
    assertThat(one).doesNotExist();
    assertThat(other).doesNotExist();
    assertThat(foreign).exists();
    assertThat(array.resolve("zarr.json")).exists();
    assertThat(zarr("clean", directory.toString()).out())
        .isEqualTo("Removed 0 files of dead writers, 0 bytes.\n");
  }

  @Test
  void a_directory_that_is_missing_and_a_store_without_leftovers_are_refused() {
    CommandRun missing = zarr("clean", directory + "/none");
    assertThat(missing.exitCode()).isOne();
    assertThat(missing.err()).endsWith("/none: no such directory\n");
    assertThat(zarr("clean", "memory:nothing").err())
        .isEqualTo("zarr: error: memory:nothing: in this store writers that died leave nothing\n");
    assertThat(zarr("clean", "https://example.org/a").err())
        .endsWith("in this store writers that died leave nothing\n");
  }

  @Test
  void uploads_of_other_programs_in_a_bucket_of_google_are_listed_then_aborted() {
    try (XmlApiServer google = XmlApiServer.start()) {
      String bucket = google.newBucket();
      String place = "gs://" + bucket + "/data";
      String endpoint = "--endpoint=" + google.uri();
      Instant old = Instant.now().minus(Duration.ofDays(2));
      google.beginMultipart(bucket, "data/a/c/0", old, 2000, 1000);
      google.beginMultipart(bucket, "data/a/c/1", Instant.now(), 10);
      google.beginMultipart(bucket, "other", old, 10);
      CommandRun dry = zarr("clean", place, "--anonymous", endpoint, "--dry-run");
      assertThat(dry.out())
          .as(dry.err())
          .isEqualTo("a/c/0  2.9 KiB\nWould remove 1 upload of dead writers, 2.9 KiB.\n");
      assertThat(zarr("clean", place, "--anonymous", endpoint).out())
          .isEqualTo("Removed 1 upload of dead writers, 2.9 KiB.\n");
      assertThat(google.multiparts()).containsExactly("data/a/c/1", "other");
    }
  }
}
