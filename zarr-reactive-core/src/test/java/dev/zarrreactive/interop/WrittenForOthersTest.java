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
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/**
 * What is written here, other implementations read, bit for bit: every data type and codec, in Zarr
 * v3 and v2, that one of them knows. Needs a Python with tensorstore, zarr, zarrista or numcodecs:
 * {@code -DZARR_PYTHON=/path/to/python}, the environment variable of this name, or else the one on
 * the path.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WrittenForOthersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String GROUP = "hierarchy-v";

  /** Why a test is skipped. */
  static final String NO_PEER =
      "no Python with tensorstore or zarr 3 was found, so that no other program reads what is"
          + " written here; name one with -DZARR_PYTHON=/path/to/python";

  @TempDir static Path directory;

  private final ResultTable results = new ResultTable("right", "cannot", "known fault", "failed");
  private final StringBuilder notes = new StringBuilder();
  private final Map<String, String> expectedDigests = new TreeMap<>();
  private final Map<Integer, Map<String, JsonValue>> expectedNodes = new TreeMap<>();
  private PythonPeers peers = PythonPeers.NOBODY;

  static List<Written> arrays() {
    return WrittenArrays.all();
  }

  @BeforeAll
  void write_everything_and_have_it_read() throws IOException {
    List<JsonValue> manifest = new ArrayList<>();
    for (Written array : arrays()) {
      Path path = directory.resolve(array.name());
      expectedDigests.put(
          array.name(), WrittenElements.sha256(write(FileSystemStore.open(path), array)));
      manifest.add(entry(array.name(), path, array.metadata().zarrFormat()));
    }
    List<JsonValue> groups = new ArrayList<>();
    for (int format : new int[] {2, 3}) {
      Path group = directory.resolve(GROUP + format);
      writeHierarchy(FileSystemStore.open(group), format);
      groups.add(entry(GROUP + format, group, format));
    }
    Path file =
        Files.writeString(
            directory.resolve("manifest.json"),
            JsonObject.EMPTY
                .with("arrays", new JsonArray(manifest))
                .with("groups", new JsonArray(groups))
                .toString());
    peers = PythonPeers.read(file);
  }

  private static JsonObject entry(String name, Path path, int zarrFormat) {
    return JsonObject.EMPTY
        .with("name", name)
        .with("path", path.toString())
        .with("format", zarrFormat);
  }

  /** Writes the array, and gives what is read here then. */
  private static NdArray write(Store store, Written written) {
    ZarrArray array = await(Zarr.hierarchy(store).createArray("", written.metadata()));
    Selection rows =
        written.isWhole()
            ? Selection.all()
            : Selection.parse(written.from() + ":" + written.to() + ",...");
    array.write(rows, written.part()).block(PATIENCE);
    NdArray readBack = await(array.read(Selection.all()));
    if (written.isExact()) {
      assertThat(readBack).as("%s, read back here", written).isEqualTo(written.content());
    }
    ArrayMetadata metadata = written.metadata();
    if (metadata.zarrFormat() == 3 && metadata.dataType() instanceof RawType raw) {
      renameRaw(store, metadata, raw);
    }
    return readBack;
  }

  /** Others know {@code r16} by another name only, with another form of the fill value. */
  private static void renameRaw(Store store, ArrayMetadata metadata, RawType raw) {
    JsonObject document =
        metadata
            .document()
            .with(
                "data_type",
                JsonObject.EMPTY
                    .with("name", "raw_bytes")
                    .with("configuration", JsonObject.EMPTY.with("length_bytes", raw.itemSize())))
            .with("fill_value", Base64.getEncoder().encodeToString(metadata.fillValue().image()));
    store.set(StoreKey.of("zarr.json"), Bytes.utf8(document.toString())).block(PATIENCE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("arrays")
  void every_array_is_read_right_by_one_program_and_wrong_by_none(Written array) {
    assumeTrue(!peers.versions().isEmpty(), NO_PEER);
    String expected = expectedDigests.get(array.name());
    boolean passed = false;
    int right = 0;
    int able = 0;
    try {
      for (var result : peers.results(array.name()).entrySet()) {
        String reader = result.getKey();
        JsonValue sha256 = result.getValue().get("sha256");
        boolean isRight = new JsonString(expected).equals(sha256);
        var fault = PeerFaults.of(reader, array.name());
        if (fault.isEmpty()) {
          able++;
          assertThat(sha256 == null || isRight)
              .as("%s read %s wrong: %s", reader, array, array.metadata())
              .isTrue();
        } else if (sha256 != null && !isRight) {
          assertThat(fault.get().wrong())
              .as("%s reads %s wrong, and not only refuses it", reader, array)
              .isTrue();
        }
        note(array.name(), reader, isRight, fault.isPresent(), result.getValue());
        right += isRight ? 1 : 0;
      }
      if (able > 0) {
        assertThat(right)
            .as("read right by someone: %s", peers.results(array.name()))
            .isGreaterThan(0);
      }
      passed = true;
    } finally {
      int column = !passed ? 3 : right > 0 ? 0 : able == 0 ? 2 : 1;
      results.count(array.name().split("-", 2)[0], column);
    }
  }

  @Test
  void every_codec_and_data_type_is_written_for_someone() {
    Set<String> known = new TreeSet<>(CodecRegistry.standard().names());
    DataTypes.named().forEach(type -> known.add(type.name()));
    DataTypes.ofVariableLength().forEach(type -> known.add(type.name()));
    Set<String> unwritten = new TreeSet<>(known);
    for (Written array : arrays()) {
      if (PeerFaults.isReadBySomeone(array)) {
        unwritten.remove(array.metadata().dataType().name());
        removeCodecs(array.metadata().codecs(), unwritten);
      }
    }
    known.removeIf(name -> !PeerFaults.isReadByNobody(name));
    assertThat(unwritten).isEqualTo(known);
  }

  private static void removeCodecs(List<NamedConfiguration> codecs, Set<String> names) {
    for (NamedConfiguration codec : codecs) {
      names.remove(codec.name());
      for (String inner : List.of("codecs", "index_codecs")) {
        LocatedJson chain = codec.optional(inner);
        if (chain != null) {
          removeCodecs(chain.elements().stream().map(NamedConfiguration::parse).toList(), names);
        }
      }
    }
  }

  private void note(
      String name, String reader, boolean isRight, boolean isKnown, JsonObject result) {
    if (!isRight || isKnown) {
      notes
          .append(name)
          .append(isKnown ? " (known)" : "")
          .append(isRight ? " is right: " : ": ")
          .append(result)
          .append('\n');
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void groups_their_attributes_and_their_names_are_read_by_others(int format) {
    assumeTrue(!peers.versions().isEmpty(), NO_PEER);
    assumeTrue(peers.versions().containsKey("zarr"), "no Python with zarr 3, which reads groups");
    peers
        .results(GROUP + format)
        .forEach(
            (reader, result) ->
                assertThat(result.get("nodes"))
                    .as("%s: %s", reader, result)
                    .isEqualTo(new JsonObject(expectedNodes.get(format))));
  }

  private void writeHierarchy(Store store, int format) {
    JsonObject attributes =
        JsonObject.EMPTY
            .with("title", "Ünïcode \"quoted\" \\ 日本 😀 \u0001")
            .with("nested", JsonObject.EMPTY.with("list", JsonArray.of(JsonNull.NULL)))
            .with("yes", new JsonBoolean(true))
            .with("half", new JsonNumber("0.5"))
            .with("big", new JsonNumber("12345678901234567890"));
    boolean unicode = encodes("данные 😀 ö");
    String deep = unicode ? "данные/naïve name 😀" : "data/plain name";
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    ZarrGroup root = await(hierarchy.createGroup("", GroupMetadata.of(format, attributes)));
    ArrayMetadataBuilder builder =
        ArrayMetadata.v3(Shape.of(3, 4), DataTypes.UINT16)
            .uncompressed()
            .chunkShape(2, 2)
            .attributes(attributes)
            .zarrFormat(format);
    if (format == 3) {
      builder.dimensionNames("y", null);
    }
    Written written = Written.whole("deep array", builder.build());
    ZarrArray array = await(root.createArray(deep + "/c/0", written.metadata()));
    array.write(Selection.all(), written.content()).block(PATIENCE);
    await(root.createGroup("empty"));
    await(await(root.openGroup(deep)).updateAttributes(old -> old.with("later", 1)));

    JsonValue names =
        format == 3 ? JsonArray.of(new JsonString("y"), JsonNull.NULL) : JsonNull.NULL;
    Map<String, JsonValue> nodes = new TreeMap<>();
    nodes.put("", node("group", attributes));
    nodes.put("empty", node("group", JsonObject.EMPTY));
    nodes.put(deep.split("/")[0], node("group", JsonObject.EMPTY));
    nodes.put(deep, node("group", JsonObject.EMPTY.with("later", 1)));
    nodes.put(deep + "/c", node("group", JsonObject.EMPTY));
    nodes.put(
        deep + "/c/0",
        node("array", attributes)
            .with("sha256", WrittenElements.sha256(written.content()))
            .with("dimension_names", names));
    expectedNodes.put(format, nodes);
  }

  private static JsonObject node(String type, JsonObject attributes) {
    return JsonObject.EMPTY.with("type", type).with("attributes", attributes);
  }

  private static boolean encodes(String name) {
    return Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder().canEncode(name);
  }

  private static <T> T await(Mono<T> mono) {
    return mono.block(PATIENCE);
  }

  @AfterAll
  void print() {
    if (peers.versions().isEmpty()) {
      System.out.println("Skipped: " + NO_PEER);
      return;
    }
    Path file = ResultTable.write("written.txt", results + "\n" + notes);
    System.out.println(
        "What is written here, read by " + peers.versions() + " (details: " + file + ")");
    System.out.println(results);
  }
}
