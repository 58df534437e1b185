package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuCommandTest {
  @TempDir Path directory;

  private static List<String> lines(String... line) {
    CommandRun run = zarr(line);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out().lines().toList();
  }

  @Test
  void each_array_has_its_stored_bytes_and_chunks() throws IOException {
    String copy = directory.resolve("copy.zarr").toString();
    zarr("copy", EARTH.toString(), copy, "-q");
    Files.delete(Path.of(copy, "earth/relief/c/0/1"));
    Files.writeString(Path.of(copy, "earth/notes.txt"), "hello");
    List<String> lines = lines("du", copy);
    assertThat(lines.get(0)).matches("/earth/lat +1\\.[12] KiB  1 of 1 chunk +ratio 6\\.09");
    assertThat(lines.get(2)).matches("/earth/relief .* 7 of 8 chunks +ratio .*");
    assertThat(lines.get(4)).matches("other files +.* 3 files");
    long all;
    try (var files = Files.walk(Path.of(copy))) {
      all = files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
    assertThat(lines.get(5)).startsWith(all / 1024 + ".").endsWith(" KiB in all");
  }

  @Test
  void an_array_alone_a_choice_and_json() {
    assertThat(lines("du", EARTH + "/earth/lat").get(0)).startsWith("/ ");
    assertThat(lines("du", EARTH.toString(), "--include", "**/l*")).hasSize(2);
    assertThat(lines("du", EARTH + "/earth", "--json"))
        .hasSize(4)
        .first()
        .asString()
        .startsWith("{\"path\":\"/lat\",\"stored_chunks\":1,\"chunks\":1,\"bytes\":");
  }

  @Test
  void a_broken_node_fails_after_the_others() throws IOException {
    String copy = directory.resolve("copy.zarr").toString();
    zarr("copy", EARTH.toString(), copy, "-q", "--no-consolidate");
    Files.writeString(Path.of(copy, "earth/lon/zarr.json"), "{");
    CommandRun run = zarr("du", copy);
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).contains("/earth/lat").contains("/earth/rgb");
    assertThat(run.err()).contains("1 node cannot be opened");
  }

  @Test
  void a_directory_of_hierarchies_has_the_arrays_of_all() throws IOException {
    String one = directory.resolve("one.zarr").toString();
    zarr("copy", EARTH.toString(), one, "-q");
    zarr("copy", EARTH + "/earth/lat", directory.resolve("two.zarr").toString(), "-q");
    Files.writeString(directory.resolve("notes.txt"), "hello");
    List<String> lines = lines("du", directory.toString());
    assertThat(lines).hasSize(7);
    assertThat(lines.get(0)).startsWith("/one.zarr/earth/lat ").contains("1 of 1 chunk");
    assertThat(lines.get(4)).startsWith("/two.zarr ").contains("1 of 1 chunk");
    assertThat(lines.get(5)).startsWith("other files").contains("3 files");
  }
}
