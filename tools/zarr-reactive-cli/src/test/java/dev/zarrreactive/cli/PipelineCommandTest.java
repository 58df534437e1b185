package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locations that are pipelines of URLs, on the command line. */
class PipelineCommandTest {
  private static final Path ARCHIVE =
      Path.of("src/test/resources/dev/zarrreactive/cli/foreign/img.ozx").toAbsolutePath();

  @TempDir Path directory;

  @Test
  void a_path_in_an_archive_is_read_here_and_over_http() throws IOException {
    MemoryStore values = MemoryStore.create();
    values.set(StoreKey.of("x y"), Bytes.wrap(Files.readAllBytes(ARCHIVE))).block();
    try (FaultyServer server = FaultyServer.of(values)) {
      for (String root : new String[] {ARCHIVE.toString(), server.uri() + "/x%20y?sig=secret"}) {
        assertThat(good("read", "--format=json", root + "|zip:sub/b")).isEqualTo("1.0\n2.0\n3.0\n");
        assertThat(good("ls", root + " | zip:sub")).contains("b");
      }
      CommandRun missing =
          zarr("info", server.uri() + "/x%20y?sig=secret|zip:none|zarr2:a?t=hidden");
      assertThat(missing.exitCode()).isOne();
      assertThat(missing.err())
          .contains("/x%20y|zip:none|zarr2:a")
          .doesNotContain("secret")
          .doesNotContain("hidden");
    }
  }

  @Test
  void a_copy_goes_out_of_a_pipeline_and_never_into_one() {
    String copy = directory.resolve("copy.zarr").toString();
    good("copy", ARCHIVE + "|zip:sub/b", copy, "-q");
    assertThat(good("read", "--format=json", copy)).isEqualTo("1.0\n2.0\n3.0\n");
    CommandRun into = zarr("copy", copy, ARCHIVE + "|zip:new", "-q");
    assertThat(into.exitCode()).isNotZero();
    assertThat(into.err()).contains("what stands behind a | can only be read");
  }

  @Test
  void what_is_no_adapter_is_told() {
    assertThat(zarr("info", ARCHIVE + "|n5:x").err()).contains("nothing opens |n5:");
    assertThat(zarr("info", ARCHIVE + "|/x").err()).contains("no adapter behind the |");
  }

  private static String good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }
}
