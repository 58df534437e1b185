package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {
  private static final Pattern HALF_A_SHARD =
      Pattern.compile(
          "\nhalf a shard (\\d+\\.\\d+) merged, 1[89]\\.0 unmerged, (\\d+\\.\\d+) cheapest\n");

  @TempDir Path directory;

  @Test
  void a_store_over_http_is_measured() {
    try (FaultyServer server = FaultyServer.of(FileSystemStore.open(EARTH))) {
      CommandRun run = zarr("bench", server.uri() + "/earth/relief", "--requests=60");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out())
          .containsPattern("latency      median [0-9.]+ ms, 95 % within [0-9.]+ ms \\(12 small")
          .containsPattern("chunks       \\d+ reads, 0 missing, the largest of [0-9.]+ KiB")
          .containsPattern("bandwidth      1 at a time  #* +[0-9.]+ \\w+/s")
          .containsPattern("\n               2 at a time  #* +[0-9.]+ \\w+/s")
          .containsPattern("\nbest         \\d+ at a time\n")
          .containsPattern(
              "\noptions      ZarrOptions.defaults\\(\\).withMaxConcurrency\\(\\d+\\)\n$")
          .doesNotContain("merged", "price");
    }
  }

  @Test
  void what_merging_saves_is_measured_for_shards() {
    String sharded = directory.resolve("s.zarr").toString();
    zarr("copy", EARTH + "/earth/relief", sharded, "--chunks=60,60", "--shards=360,360", "-q");
    CommandRun run = zarr("bench", sharded, "--json", "--requests=200");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .startsWith("{\"latency_median_microseconds\":")
        .containsPattern("\"best_concurrency\":[1-9]")
        .containsPattern("\"merged\":\\{\"requests\":[1-9]\\d?,\"bytes\":\\d+,\"micros")
        .containsPattern("\"unmerged\":\\{\"requests\":(1[89]|2\\d),");
    assertThat(zarr("bench", sharded).out())
        .as("by what was measured")
        .containsAnyOf(
            "for half of a shard\nunmerged     ", "merging      saves nothing here: half");
  }

  @Test
  void a_price_is_measured_and_the_cheapest_options_are_proposed() {
    String sharded = directory.resolve("s.zarr").toString();
    zarr("copy", EARTH + "/earth/relief", sharded, "--chunks=60,60", "--shards=360,360", "-q");
    CommandRun run = zarr("bench", sharded, "--requests=200", "--price=1e6,0,0");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .as("a request costs 1")
        .contains("\nprice        1.00e+03 for 1,000 chunks\n");
    Matcher costs = HALF_A_SHARD.matcher(run.out());
    assertThat(costs.find()).as(run.out()).isTrue();
    double merged = Double.parseDouble(costs.group(1));
    double cheapest = Double.parseDouble(costs.group(2));
    assertThat(cheapest).as(run.out()).isBetween(1.0, 2.0);
    assertThat(run.out())
        .as("of two ways at the same price, the one that knows it")
        .contains(
            merged < cheapest
                ? "withCoalescing(Coalescing.adaptive()))\n"
                : "withCoalescing(Coalescing.cheapest(Price.of(1000000, 0, 0))))\n");
    assertThat(zarr("bench", sharded, "--requests=200", "--price=0.4,0.09,0.1", "--json").out())
        .containsPattern("\"cheapest\":\\{\"requests\":\\d+,\"bytes\":\\d+,.*?,\"price\":\\d")
        .contains("\"price_of_1000_chunks\":")
        .contains("\"options\":\"ZarrOptions.defaults().withMaxConcurrency(");
  }

  @Test
  void missing_chunks_and_empty_arrays_are_reported_and_nothing_is_written() throws Exception {
    TestArrays.create(directory, Shape.of(9), DataTypes.INT8, array -> array.chunkShape(2));
    List<Path> before = files();
    CommandRun run = zarr("bench", directory.toString(), "--requests=10", "--seconds=5");
    assertThat(run.out()).contains("missing, the largest of").doesNotContain("best");
    assertThat(files()).isEqualTo(before);
    TestArrays.create(directory.resolve("e"), Shape.of(0), DataTypes.INT8, array -> array);
    assertThat(zarr("bench", directory + "/e", "--json").out())
        .contains("\"chunk_requests\":0,", "\"best_concurrency\":0,");
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.sorted().toList();
    }
  }

  @Test
  void wrong_arguments_and_failures_are_reported() {
    assertThat(zarr("bench", directory.toString(), "--requests=2").exitCode()).isEqualTo(2);
    assertThat(zarr("bench", directory.toString(), "--seconds=x").exitCode()).isEqualTo(2);
    for (String price : List.of("1", "1,2", "1,2,-3", "1,2,3,4", "a,b,c")) {
      assertThat(zarr("bench", directory.toString(), "--price=" + price).exitCode()).isEqualTo(2);
    }
    assertThat(zarr("bench", EARTH.toString()).err()).contains("expected an array, found a group");
    assertThat(zarr("bench", directory.toString()).exitCode()).isOne();
    try (FaultyServer server = FaultyServer.of(FileSystemStore.open(EARTH))) {
      server.misbehave(Fault.status(500, null));
      CommandRun run = zarr("bench", server.uri() + "/earth/relief", "--no-retry");
      assertThat(run.exitCode()).isOne();
      assertThat(run.err()).contains("500");
    }
  }
}
