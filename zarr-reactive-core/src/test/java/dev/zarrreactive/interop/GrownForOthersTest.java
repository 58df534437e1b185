package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.GrowthSequence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Arrays that were created, written in parts, appended to and resized here, in random sequences,
 * are read by other implementations bit for bit. Needs a Python, as {@link WrittenForOthersTest}.
 */
class GrownForOthersTest {
  private static final int SEQUENCES = 120;
  private static final int STEPS = 8;
  private static final List<String> READERS = List.of("tensorstore", "zarr", "zarrista");

  @Test
  void every_program_that_knows_the_codecs_reads_what_is_read_here(@TempDir Path directory)
      throws IOException {
    Map<String, String> digests = new TreeMap<>();
    Map<String, String> histories = new TreeMap<>();
    List<JsonValue> manifest = new ArrayList<>();
    for (int seed = 0; seed < SEQUENCES; seed++) {
      Path place = directory.resolve("s" + seed);
      GrowthSequence sequence = GrowthSequence.run(FileSystemStore.open(place), seed, STEPS);
      ZarrArray array = sequence.opened();
      String name = name(array.metadata(), seed);
      digests.put(name, WrittenElements.sha256(array.read().block()));
      histories.put(name, sequence.toString());
      manifest.add(
          JsonObject.EMPTY
              .with("name", name)
              .with("path", place.resolve(GrowthSequence.PATH).toString())
              .with("format", array.metadata().zarrFormat()));
    }
    JsonObject cases =
        JsonObject.EMPTY.with("arrays", new JsonArray(manifest)).with("groups", JsonArray.of());
    PythonPeers peers =
        PythonPeers.read(Files.writeString(directory.resolve("manifest.json"), cases.toString()));
    assumeTrue(!peers.versions().isEmpty(), WrittenForOthersTest.NO_PEER);

    Map<String, Integer> right = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    digests.forEach(
        (name, digest) ->
            peers
                .results(name)
                .forEach(
                    (reader, result) -> {
                      if (new JsonString(digest).equals(result.get("sha256"))) {
                        right.merge(reader, 1, Integer::sum);
                      } else if (READERS.contains(reader)
                          && PeerFaults.of(reader, name).isEmpty()) {
                        wrong.add(result + "\n" + histories.get(name));
                      }
                    }));
    System.out.println("arrays that have grown here, read by " + peers.versions() + ": " + right);
    assertThat(wrong).isEmpty();
    assertThat(right.values()).allMatch(count -> count > SEQUENCES / 4);
  }

  /** The sequences have each way of changing an array, sharded and not. */
  @Test
  void the_sequences_append_resize_and_write_parts(@TempDir Path directory) {
    StringBuilder all = new StringBuilder();
    for (int seed = 0; seed < SEQUENCES; seed++) {
      FileSystemStore store = FileSystemStore.open(directory.resolve("s" + seed));
      String history = GrowthSequence.run(store, seed, STEPS).toString();
      all.append(
          history.contains("sharding_indexed") ? history.replace("\n", "\nsharded: ") : history);
    }
    for (String change : List.of("append [", "resize ", "write ", "fill ", "create ")) {
      assertThat(all).contains("\n" + change).contains("\nsharded: " + change);
    }
    assertThat(all).contains(" in blocks ", "write the chunks of", "TRIM", "ERASE", "KEEP");
  }

  private static String name(ArrayMetadata metadata, int seed) {
    boolean isSharded = metadata.document().toString().contains("sharding_indexed");
    String grid = metadata.chunkGrid().name();
    int rank = metadata.shape().rank();
    return String.join(
        "-",
        "grown",
        "v" + metadata.zarrFormat(),
        rank + "d",
        metadata.dataType().name(),
        isSharded ? "sharded" : "plain",
        grid,
        "" + seed);
  }
}
