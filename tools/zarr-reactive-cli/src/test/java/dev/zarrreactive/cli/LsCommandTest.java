package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LsCommandTest {
  @TempDir Path directory;

  @BeforeEach
  void files_of_any_kind() throws IOException {
    Files.createDirectories(directory.resolve("d/e"));
    Files.writeString(directory.resolve("d/e/two"), "x".repeat(2048));
    Files.writeString(directory.resolve("d/one"), "x");
    Files.writeString(directory.resolve("none"), "");
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("d/one"));
    Files.createSymbolicLink(directory.resolve("lost"), directory.resolve("nowhere"));
  }

  @Test
  void a_directory_is_listed_by_name_with_the_sizes_of_its_files() {
    CommandRun run = zarr("ls", directory.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
                         d/
                 1 byte  link
                      ?  lost
                0 bytes  none
            """);
    assertThat(run.err()).isEmpty();
    assertThat(zarr("ls", directory + "/d").out()).isEqualTo("             e/\n     1 byte  one\n");
  }

  @Test
  void everything_below_is_listed_and_counted() {
    CommandRun run = zarr("ls", "-r", directory + "/d");
    assertThat(run.out()).isEqualTo("    2.0 KiB  e/two\n     1 byte  one\n");
    assertThat(run.err()).isEqualTo("2 values, 2.0 KiB\n");
    assertThat(zarr("ls", "--recursive", directory.toString()).err()).isEqualTo("5 values\n");
  }

  @Test
  void an_archive_is_listed_and_a_path_into_it() {
    Path archive = directory.resolve("a.zip");
    assertThat(zarr("copy", CommandRun.EARTH + "/earth", archive.toString(), "-q").exitCode())
        .isZero();
    assertThat(zarr("ls", archive.toString()).out())
        .startsWith("             lat/\n             lon/\n")
        .containsPattern(" bytes  zarr\\.json\n");
    assertThat(zarr("ls", archive + "/lat").out())
        .isEqualTo("             c/\n  684 bytes  zarr.json\n");
    CommandRun nothing = zarr("ls", archive + "/sea");
    assertThat(nothing.exitCode()).isOne();
    assertThat(nothing.err()).isEqualTo("zarr: error: " + archive + "/sea: nothing is here\n");
  }

  @Test
  void an_empty_directory_is_nothing_and_no_failure() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    CommandRun run = zarr("ls", empty.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEmpty();
  }

  @Test
  void a_store_that_cannot_list_says_so() {
    try (FaultyServer server = FaultyServer.of(FileSystemStore.open(directory))) {
      CommandRun run = zarr("ls", server.uri() + "/d");
      assertThat(run.exitCode()).isOne();
      assertThat(run.err())
          .isEqualTo(
              "zarr: error: "
                  + server.uri()
                  + "/d: this store cannot list; zarr tree shows what consolidated metadata"
                  + " name\n");
    }
  }

  @Test
  void a_place_that_is_not_there_is_a_failure_and_no_place_wrong_usage() {
    CommandRun run = zarr("ls", directory + "/gone");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).isEqualTo("zarr: error: " + directory + "/gone: no such directory\n");
    assertThat(zarr("ls").exitCode()).isEqualTo(2);
    assertThat(zarr("ls", "--depth=1", directory.toString()).exitCode()).isEqualTo(2);
  }

  @Test
  void control_characters_of_a_name_are_escaped() throws IOException {
    Files.writeString(directory.resolve("d/\u001b[2J"), "");
    assertThat(zarr("ls", directory + "/d").out()).contains("0 bytes  \\u001b[2J\n");
  }
}
