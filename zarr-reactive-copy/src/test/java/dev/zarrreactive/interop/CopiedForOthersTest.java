package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What others wrote in Zarr v2, copied here to Zarr v3, others read again, and find the same
 * elements. Needs a Python, as {@link WrittenForOthersTest} does.
 */
class CopiedForOthersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Its blosc is built without snappy, and base64 it only knows in Zarr v2. */
  private static final Pattern KNOWN =
      Pattern.compile(
          "blosc-snappy.*decompression: -5|filter-base64.*numcodecs.base64. is not available");

  @TempDir static Path directory;

  private final Map<String, String> digests = new TreeMap<>();

  @Test
  void a_copy_from_format_2_to_3_is_read_right_by_zarr_python_and_by_all_others()
      throws IOException {
    List<JsonValue> manifest = new ArrayList<>();
    for (Fixture fixture : Fixtures.good()) {
      if (fixture.text("format").equals("2") && fixture.isDirectory() && !fixture.isHierarchy()) {
        copy(fixture, manifest);
      }
    }
    assertThat(manifest).hasSizeGreaterThan(300);
    Path file =
        Files.writeString(
            directory.resolve("manifest.json"),
            JsonObject.EMPTY
                .with("arrays", new JsonArray(manifest))
                .with("groups", JsonArray.of())
                .toString());
    PythonPeers peers = PythonPeers.read(file);
    assumeTrue(peers.versions().containsKey("zarr"), "no Python with zarr 3 was found");

    List<String> wrong = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    digests.forEach(
        (name, digest) ->
            peers
                .results(name)
                .forEach(
                    (reader, result) -> {
                      JsonValue found = result.get("sha256");
                      if (found == null) {
                        refused.add(name + " " + result);
                      } else if (!found.equals(new JsonString(digest))) {
                        wrong.add(name + " " + result);
                      }
                    }));
    ResultTable.write("copied-and-refused.txt", String.join("\n", refused));
    assertThat(wrong).isEmpty();
    assertThat(refused)
        .as("what zarr-python cannot read")
        .noneMatch(line -> line.contains("\"reader\":\"zarr\"") && !KNOWN.matcher(line).find());
  }

  private void copy(Fixture fixture, List<JsonValue> manifest) {
    Store store = fixture.inMemory();
    ZarrArray source = Zarr.hierarchy(store).openArray(fixture.text("path")).block(PATIENCE);
    if (source.dataType() instanceof ListType || source.dataType() instanceof JsonType) {
      return; // Zarr v3 has no name for them
    }
    NdArray elements = source.read(Selection.all()).block(PATIENCE);
    Path path = directory.resolve(fixture.name());
    ZarrCopy.of(Zarr.hierarchy(store), Zarr.hierarchy(FileSystemStore.open(path)))
        .from(fixture.text("path"))
        .zarrFormat(3)
        .run()
        .blockLast(PATIENCE);
    digests.put(fixture.name(), sha256(elements));
    manifest.add(
        JsonObject.EMPTY
            .with("name", fixture.name())
            .with("path", path.toString())
            .with("format", 3));
  }

  private static String sha256(NdArray elements) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(WrittenElements.digested(elements)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
