package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is consolidated here, zarr-python takes from the one document: all others are gone when it
 * reads. Needs a Python with zarr 3, as {@link WrittenForOthersTest}.
 */
class ConsolidatedForOthersTest {
  private static final NdArray CONTENT =
      NdArray.ofShorts(DataTypes.INT16, Shape.of(3), new short[] {1, -2, 300});

  @TempDir Path directory;

  @ParameterizedTest(name = "Zarr v{0}")
  @ValueSource(ints = {3, 2})
  void consolidated_metadata_are_read_by_other_programs(int zarrFormat) throws Exception {
    Path root = directory.resolve("root");
    Map<String, JsonValue> expected = write(FileSystemStore.open(root), zarrFormat);
    for (String document : new String[] {"zarr.json", ".zarray", ".zgroup", ".zattrs"}) {
      for (String node : new String[] {"g", "g/empty", "g/a", "b"}) {
        Files.deleteIfExists(root.resolve(node).resolve(document));
      }
    }
    JsonObject group =
        JsonObject.EMPTY
            .with("name", "group")
            .with("path", root.toString())
            .with("format", zarrFormat)
            .with("consolidated", new JsonBoolean(true));
    JsonObject manifest =
        JsonObject.EMPTY.with("arrays", JsonArray.of()).with("groups", JsonArray.of(group));
    PythonPeers peers =
        PythonPeers.read(
            Files.writeString(directory.resolve("manifest.json"), manifest.toString()));
    assumeTrue(peers.versions().containsKey("zarr"), "no Python with zarr 3, which reads groups");
    JsonObject result = peers.results("group").get("zarr");
    assertThat(result.get("nodes")).as("%s", result).isEqualTo(new JsonObject(expected));
  }

  private static Map<String, JsonValue> write(FileSystemStore store, int zarrFormat)
      throws Exception {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    JsonObject attributes = JsonObject.EMPTY.with("title", "é").with("half", JsonNull.NULL);
    ZarrGroup root = hierarchy.createGroup("", GroupMetadata.of(zarrFormat, attributes)).block();
    ArrayMetadata metadata = array(zarrFormat, attributes);
    for (String path : new String[] {"g/a", "b"}) {
      ZarrArray array = root.createArray(path, metadata).block();
      array.write(Selection.all(), CONTENT).block();
    }
    root.createGroup("g/empty").block();
    root.consolidate().block();

    Map<String, JsonValue> expected = new TreeMap<>();
    expected.put("", node("group", attributes));
    expected.put("g", node("group", JsonObject.EMPTY));
    expected.put("g/empty", node("group", JsonObject.EMPTY));
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(CONTENT.bytes().toByteArray());
    JsonObject array =
        node("array", attributes)
            .with("sha256", HexFormat.of().formatHex(sha256))
            .with("dimension_names", JsonNull.NULL);
    expected.put("g/a", array);
    expected.put("b", array);
    assertThat(store.get(StoreKey.of("b/c/0")).hasElement().block()).isEqualTo(zarrFormat == 3);
    return expected;
  }

  private static ArrayMetadata array(int zarrFormat, JsonObject attributes) {
    ArrayMetadataBuilder builder =
        ArrayMetadata.v3(Shape.of(3), DataTypes.INT16)
            .uncompressed()
            .chunkShape(2)
            .attributes(attributes);
    return zarrFormat == 2 ? builder.zarrFormat(2).build() : builder.build();
  }

  private static JsonObject node(String type, JsonObject attributes) {
    return JsonObject.EMPTY.with("type", type).with("attributes", attributes);
  }
}
