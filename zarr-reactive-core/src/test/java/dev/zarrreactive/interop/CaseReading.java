package dev.zarrreactive.interop;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import reactor.core.publisher.Mono;

/** Reads a case and compares everything with what the case says. */
final class CaseReading {
  private static final ZarrOptions OPTIONS =
      ZarrOptions.defaults().withDrafts(Drafts.of(Draft.OF_2022));

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Fixture fixture;
  private final ZarrHierarchy hierarchy;

  /** Where a store cannot list, only consolidated metadata with a node in them tell of children. */
  private final boolean lists;

  private CaseReading(Fixture fixture, Store store) {
    this.fixture = fixture;
    this.hierarchy = Zarr.hierarchy(store, OPTIONS);
    this.lists = store.capabilities().contains(StoreCapability.LIST);
  }

  static Outcome of(Fixture fixture, Store store) {
    CaseReading reading = new CaseReading(fixture, store);
    return Outcome.of(fixture.isHierarchy() ? reading::hierarchy : reading::array);
  }

  private void array() {
    ZarrArray array = await(hierarchy.openArray(fixture.text("path")));
    checkArray(array, fixture.description());
  }

  /** One node that is refused does not excuse what is wrong with another. */
  private void hierarchy() {
    List<Runnable> checks = new ArrayList<>();
    for (JsonValue node : ((JsonArray) fixture.description().get("nodes")).elements()) {
      checks.add(() -> checkNode((JsonObject) node));
    }
    if (lists || (fixture.isTrue("consolidated") && checks.size() > 1)) {
      checks.add(this::checkTree);
    }
    RuntimeException refusal = null;
    for (Runnable check : checks) {
      try {
        check.run();
      } catch (RuntimeException e) {
        if (!Outcome.of(
                () -> {
                  throw e;
                })
            .is(Outcome.Kind.REFUSED)) {
          throw e;
        }
        refusal = refusal == null ? e : refusal;
      }
    }
    if (refusal != null) {
      throw refusal;
    }
  }

  private void checkNode(JsonObject expected) {
    ZarrNode node = await(hierarchy.open(Fixture.textOf(expected.get("path"))));
    same("node type of " + node.path(), expected.get("type"), new JsonString(typeOf(node)));
    if (node instanceof ZarrArray array) {
      checkArray(array, expected);
    } else {
      checkAttributes(node, expected);
    }
  }

  private static String typeOf(ZarrNode node) {
    return node instanceof ZarrArray ? "array" : "group";
  }

  private void checkTree() {
    Map<String, JsonObject> expected = new TreeMap<>();
    for (JsonValue node : ((JsonArray) fixture.description().get("nodes")).elements()) {
      String path = Fixture.textOf(((JsonObject) node).get("path"));
      if (!path.isEmpty()) {
        expected.put(path, (JsonObject) node);
      }
    }
    ZarrGroup root = await(hierarchy.openGroup(fixture.text("path")));
    List<String> found =
        await(root.tree().map(node -> node.path().value().substring(1)).collectList());
    same("nodes of the tree", new ArrayList<>(expected.keySet()), found.stream().sorted().toList());
    if (fixture.isTrue("consolidated")) {
      checkConsolidated(root, expected);
      checkTreeWithoutTheStore(root, expected);
    }
  }

  private void checkConsolidated(ZarrGroup root, Map<String, JsonObject> expected) {
    ConsolidatedMetadata consolidated =
        Objects.requireNonNull(root.metadata().consolidated(), "no consolidated metadata");
    same("consolidated nodes", expected.keySet(), consolidated.paths());
    for (String path : expected.keySet()) {
      NodeMetadata kept = Objects.requireNonNull(consolidated.get(path));
      ZarrNode node = await(hierarchy.open(path));
      same(
          "consolidated metadata of " + path,
          node.metadata().document().without("consolidated_metadata"),
          kept.document().without("consolidated_metadata"));
    }
  }

  /** Nodes that are known need not be there; nobody looks. */
  private static void checkTreeWithoutTheStore(ZarrGroup root, Map<String, JsonObject> expected) {
    MemoryStore onlyTheRoot = MemoryStore.create();
    for (String document : List.of("zarr.json", ".zgroup", ".zattrs", ".zmetadata")) {
      Bytes bytes = root.store().get(StoreKey.of(document)).block(PATIENCE);
      if (bytes != null) {
        onlyTheRoot.set(StoreKey.of(document), bytes).block(PATIENCE);
      }
    }
    ZarrGroup known = await(Zarr.hierarchy(onlyTheRoot).openGroup(""));
    List<String> found = await(known.tree().map(n -> n.path().value().substring(1)).collectList());
    same(
        "nodes that are known",
        new ArrayList<>(expected.keySet()),
        found.stream().sorted().toList());
  }

  private void checkArray(ZarrArray array, JsonObject expected) {
    checkMetadata(array, expected);
    List<?> content = content(array, expected);

    NdArray all = await(array.read(Selection.all()));
    same("shape of read(all)", array.shape(), all.shape());
    same("data type of read(all)", array.dataType(), all.dataType());
    same("content of read(all)", content, NaiveModel.elements(all));

    List<Chunk> chunks = await(array.chunks(Selection.all()).collectList());
    same("content of chunks(all)", content, NaiveModel.assemble(array.shape(), chunks));

    NaiveModel model = new NaiveModel(array.shape(), content);
    for (var random : new RandomSelections(model, fixture.name().hashCode()).three()) {
      NdArray part = await(array.read(random.selection()));
      same("shape of " + random.selection(), random.shape(), part.shape());
      same("content of " + random.selection(), random.elements(), NaiveModel.elements(part));
    }
  }

  /** The elements that the case says the array has. */
  private List<?> content(ZarrArray array, JsonObject expected) {
    byte[] file = fixture.file(Fixture.textOf(expected.get("expected")));
    String encoding = Fixture.textOf(expected.get("encoding"));
    if (encoding.equals("bin")) {
      return NaiveModel.of(array.shape(), array.dataType(), file).elements();
    }
    LocatedJson list = JsonDocument.parseAttributes(ByteBuffer.wrap(file), Location.UNKNOWN);
    VariableLengthType type = (VariableLengthType) array.dataType();
    return list.elements().stream()
        .map(
            element ->
                type instanceof JsonType ? element.value() : type.parseFillValue(element).value())
        .toList();
  }

  private void checkMetadata(ZarrArray array, JsonObject expected) {
    long[] shape = LocatedJson.of(expected.get("shape")).integers(0, Long.MAX_VALUE);
    same("shape", Shape.of(shape), array.shape());
    boolean version2 = array.metadata().zarrFormat() == 2;
    if (isPresent(expected.get("dtype"))) {
      if (array.metadata().draft() == Draft.OF_2022) {
        checkDraftsDataType(array, expected.get("dtype"));
      } else if (version2) {
        same("data type", expected.get("dtype"), array.metadata().document().get("dtype"));
      } else {
        checkDataType(array, expected.get("dtype"));
      }
    }
    if (isPresent(expected.get("chunk_shape"))) {
      long[] chunk = LocatedJson.of(expected.get("chunk_shape")).integers(0, Long.MAX_VALUE);
      same("chunk shape", Shape.of(chunk), array.chunkGrid().largestChunkShape());
    }
    if (version2 && expected.get("fill_value") != null) {
      JsonValue fill = array.metadata().document().get("fill_value");
      same("fill value", expected.get("fill_value"), fill);
    } else if (expected.get("fill_value") != null) {
      same("fill value", fillValue(array.dataType(), expected), array.fillValue());
    }
    checkAttributes(array, expected);
    if (expected.get("dimension_names") instanceof JsonArray names) {
      List<JsonValue> found = new ArrayList<>();
      for (String name : array.metadata().dimensionNames()) {
        found.add(name == null ? JsonNull.NULL : new JsonString(name));
      }
      same("dimension names", names.elements(), found);
    }
  }

  /** The description has NumPy's name, the document one that is like it. */
  private static void checkDraftsDataType(ZarrArray array, JsonValue expected) {
    String written = Fixture.textOf(array.metadata().document().get("data_type"));
    same("data type", Fixture.textOf(expected).replace("|b1", "bool").replace("|", ""), written);
  }

  /** The description may call a type by the name that its writer was given. */
  private static void checkDataType(ZarrArray array, JsonValue expected) {
    DataType type = DataTypes.parse(NamedConfiguration.parse(LocatedJson.of(expected)));
    same("data type", type, array.dataType());
    if (!(type instanceof StructType || type instanceof BytesType)) {
      same("data type in metadata", expected, array.dataType().toMetadata());
    }
  }

  /** Of a struct, the description gives the packed bytes. */
  private static FillValue fillValue(DataType type, JsonObject expected) {
    JsonValue fill = expected.get("fill_value");
    return type instanceof StructType && fill instanceof JsonString base64
        ? FillValue.of(type, Base64.getDecoder().decode(base64.value()))
        : type.parseFillValue(LocatedJson.of(fill));
  }

  private static void checkAttributes(ZarrNode node, JsonObject expected) {
    if (isPresent(expected.get("attributes"))) {
      same("attributes of " + node.path(), expected.get("attributes"), node.attributes());
    }
  }

  private static boolean isPresent(JsonValue value) {
    return value != null && value != JsonNull.NULL;
  }

  private static void same(String what, Object expected, Object found) {
    if (!Objects.deepEquals(expected, found)) {
      throw new AssertionError(what + ": expected " + show(expected) + ", found " + show(found));
    }
  }

  private static String show(Object value) {
    String text = value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
    return text.length() <= 200 ? text : text.substring(0, 200) + "...";
  }

  private static <T> T await(Mono<T> mono) {
    return mono.block(PATIENCE);
  }
}
