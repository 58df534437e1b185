package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
  @TempDir Path directory;
  private Path earth;

  @BeforeEach
  void a_hierarchy() {
    earth = directory.resolve("earth.zarr");
    assertThat(zarr("demo", "--save", earth.toString()).exitCode()).isZero();
  }

  private CommandRun validate(String... options) {
    String[] line = new String[options.length + 2];
    line[0] = "validate";
    line[1] = earth.toString();
    System.arraycopy(options, 0, line, 2, options.length);
    return zarr(line);
  }

  private static void change(Path file, String from, String to) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(from);
    Files.writeString(file, text.replace(from, to));
  }

  /** Turns bits of a file around. */
  private static void damage(Path file, int... places) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int place : places) {
      bytes[place] ^= 0x55;
    }
    Files.write(file, bytes);
  }

  @Test
  void a_sound_hierarchy_has_no_findings() {
    CommandRun run = validate();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("Checked 6 nodes: no findings.\n");
    assertThat(run.err()).isEmpty();
    assertThat(validate("--data").out())
        .isEqualTo("Checked 6 nodes and 58 stored chunks: no findings.\n");
    assertThat(zarr("validate", EARTH + "/earth/lat", "--data").exitCode()).isZero();
  }

  @Test
  void every_node_is_read_also_after_a_finding() throws IOException {
    change(earth.resolve("earth/lat/zarr.json"), "float64", "float63");
    Files.writeString(earth.resolve("earth/rgb/zarr.json"), "{");
    CommandRun run = validate("--data");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines())
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).startsWith("/earth/lat: ").contains("float63"))
        .anySatisfy(line -> assertThat(line).startsWith("/earth/rgb: not JSON"))
        .contains("Checked 6 nodes and 9 stored chunks: 2 findings.");
  }

  @Test
  void every_bad_chunk_is_found_and_only_with_data() throws IOException {
    damage(earth.resolve("earth/relief/c/0/1"), 500);
    damage(earth.resolve("earth/relief/c/1/3"), 500);
    Files.write(earth.resolve("earth/lat/c/0"), new byte[3]);
    assertThat(validate().exitCode()).isZero();
    CommandRun run = validate("--data");
    assertThat(run.exitCode()).isOne();
    assertThat(run.out())
        .contains("/earth/relief: ", "chunk [0, 1], key earth/relief/c/0/1, codec crc32c)\n")
        .contains("chunk [1, 3], key earth/relief/c/1/3, codec crc32c)\n")
        .contains("chunk [0], key earth/lat/c/0")
        .endsWith("Checked 6 nodes and 58 stored chunks: 3 findings.\n");
  }

  @Test
  void every_bad_chunk_of_a_shard_is_found_and_a_bad_index_once() throws IOException {
    Path shards = directory.resolve("shards.zarr");
    assertThat(
            zarr(
                    "copy",
                    earth + "/earth/relief",
                    shards.toString(),
                    "--chunks=60,60",
                    "--shards=360,360",
                    "--codecs=zstd:9,crc32c",
                    "-q")
                .exitCode())
        .isZero();
    Path shard = shards.resolve("c/0/0");
    int size = (int) Files.size(shard);
    damage(shard, 100, size / 2);
    CommandRun two = zarr("validate", shards.toString(), "--data");
    assertThat(two.exitCode()).isOne();
    assertThat(two.out().lines()).hasSize(3);
    assertThat(two.out()).contains("chunk [0, 0], inner chunk [0, 0], key c/0/0, codec crc32c)");
    damage(shard, size - 20);
    CommandRun index = zarr("validate", shards.toString(), "--data");
    assertThat(index.out()).endsWith("Checked 1 node and 2 stored chunks: 1 finding.\n");
  }

  @Test
  void consolidated_metadata_are_compared_with_the_nodes() throws IOException {
    assertThat(zarr("consolidate", earth.toString()).exitCode()).isZero();
    assertThat(validate().out()).isEqualTo("Checked 6 nodes: no findings.\n");
    change(earth.resolve("earth/lat/zarr.json"), "degrees_north", "degrees_south");
    Files.delete(earth.resolve("earth/lon/zarr.json"));
    TestArrays.create(earth.resolve("more"), Shape.of(3), DataTypes.INT8, array -> array);
    CommandRun run = validate();
    assertThat(run.exitCode()).isOne();
    assertThat(run.out())
        .isEqualTo(
            """
            /: consolidated metadata lack more
            /: consolidated metadata of earth/lat are out of date
            /: consolidated metadata have earth/lon, which is not there
            Checked 6 nodes: 3 findings.
            """);
  }

  @Test
  void files_that_programs_left_are_found() throws IOException {
    Files.writeString(earth.resolve("earth/zarr.json.partial"), "{}");
    assertThat(validate().out())
        .startsWith(
            "earth/zarr.json.partial: left by an unfinished copy, import or append; the command that");
    assertThat(validate().exitCode()).isOne();
  }

  @Test
  void a_store_that_cannot_list_is_checked_by_its_consolidated_metadata() throws IOException {
    assertThat(zarr("consolidate", earth.toString()).exitCode()).isZero();
    damage(earth.resolve("earth/relief/c/0/1"), 500);
    try (FaultyServer server = FaultyServer.of(FileSystemStore.open(earth))) {
      CommandRun run = zarr("validate", server.uri().toString(), "--data");
      assertThat(run.exitCode()).as(run.err()).isOne();
      assertThat(run.out()).endsWith("Checked 6 nodes and 58 stored chunks: 1 finding.\n");
    }
  }

  @Test
  void no_node_is_a_failure_and_no_path_wrong_usage() {
    CommandRun run = zarr("validate", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("not a Zarr directory");
    assertThat(zarr("validate").exitCode()).isEqualTo(2);
    assertThat(validate("--dta").exitCode()).isEqualTo(2);
  }
}
