package dev.zarrreactive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.azure.Azurite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a container of Azure, with a signature in a file, over an emulator. */
class AzureCommandTest {
  private static final String AT_ONCE = "--older-than=0.001ms";

  @TempDir Path directory;

  private final Azurite server = Azurite.shared();
  private final String container = server.newContainer();
  private Path signature;

  @BeforeEach
  void sign() throws IOException {
    signature =
        Files.writeString(
            directory.resolve("signature"),
            server.signature(container, "rwdl", Duration.ofHours(1)));
  }

  private CommandRun signed(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--endpoint=" + server.uri());
    all.add("--store-option=account=" + server.account());
    all.add("--credentials=file;as=query;path=" + signature);
    return CommandRun.zarr(all.toArray(String[]::new));
  }

  @Test
  void blocks_of_dead_writers_are_listed_then_removed_and_values_stay() {
    server.beginUpload(container, "data/a/c/0", 3, 1000);
    server.beginUpload(container, "other/c/0", 1, 10);
    server.put(container, "data/a/c/1", new byte[] {7});
    server.put(container, "data/empty", new byte[0]);
    server.beginUpload(container, "data/a/c/1", 1, 50); // they go with the value
    String place = "az://" + container + "/data";
    CommandRun young = signed("clean", place);
    assertThat(young.exitCode()).as(young.err()).isZero();
    assertThat(young.out()).isEqualTo("Removed 0 uploads of dead writers, 0 bytes.\n");
    CommandRun dry = signed("clean", place, "--dry-run", AT_ONCE);
    assertThat(dry.out())
        .as(dry.err())
        .isEqualTo("a/c/0  2.9 KiB\nWould remove 1 upload of dead writers, 2.9 KiB.\n");
    assertThat(signed("clean", place, AT_ONCE).out())
        .isEqualTo("Removed 1 upload of dead writers, 2.9 KiB.\n");
    assertThat(signed("clean", place, AT_ONCE).out()).startsWith("Removed 0 uploads");
    assertThat(signed("ls", place, "--recursive").out())
        .contains("a/c/1")
        .contains("empty")
        .doesNotContain("a/c/0");
    assertThat(signed("clean", "az://" + container, "--dry-run", AT_ONCE).out())
        .startsWith("other/c/0  10 bytes\n");
  }

  @Test
  void a_signature_that_may_not_list_is_refused_and_the_error_names_its_file() throws IOException {
    Files.writeString(signature, server.signature(container, "rw", Duration.ofHours(1)));
    CommandRun run = signed("clean", "az://" + container, AT_ONCE);
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .contains("403 AuthorizationPermissionMismatch")
        .contains("the credential of the file " + signature)
        .doesNotContain("sig=");
  }

  @Test
  void a_container_that_is_missing_is_an_error_and_nothing_to_clean() {
    CommandRun run = signed("clean", "az://no-such-container");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).startsWith("zarr: error: az://no-such-container: ");
  }
}
