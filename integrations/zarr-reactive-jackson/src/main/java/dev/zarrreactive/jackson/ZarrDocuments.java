package dev.zarrreactive.jackson;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The JSON of each type that the modules of both Jacksons write, and the types that they read. */
final class ZarrDocuments {
  private static final int V2 = 2;

  private ZarrDocuments() {}

  /** Calls {@code type} with each type to write, and its JSON. Subtypes are written the same. */
  static void each(Written type) {
    type.add(NodeMetadata.class, NodeMetadata::document);
    type.add(JsonValue.class, json -> json);
    type.add(Shape.class, shape -> JsonArray.ofIntegers(shape.toArray()));
    type.add(DataType.class, DataType::toMetadata);
    type.add(FillValue.class, FillValue::toJson);
    type.add(NdArray.class, ChunkDocument::values);
    type.add(Chunk.class, ChunkDocument::of);
  }

  /** Receives the types to write. */
  interface Written {
    <T> void add(Class<T> type, Function<T, JsonValue> json);
  }

  /** Returns the types to read, each with the meaning of its JSON. */
  static Map<Class<?>, Function<JsonValue, Object>> read() {
    Map<Class<?>, Function<JsonValue, Object>> types = new LinkedHashMap<>();
    types.put(NodeMetadata.class, json -> metadata(json, false));
    types.put(ArrayMetadata.class, json -> metadata(json, false));
    types.put(GroupMetadata.class, json -> metadata(json, true));
    types.put(JsonValue.class, json -> json);
    types.put(JsonObject.class, json -> json);
    types.put(JsonArray.class, json -> json);
    return types;
  }

  /** Reads a document of Zarr v3, or one of v2 without its attributes. */
  private static NodeMetadata metadata(JsonValue json, boolean isGroup) {
    Bytes document = Bytes.utf8(json.toString());
    if (!(json instanceof JsonObject members) || members.integer("zarr_format").orElse(0) != V2) {
      return NodeMetadata.parse(document, NodePath.of(""));
    }
    MetadataLimits limits = MetadataLimits.defaults();
    return isGroup
        ? GroupMetadata.parseV2(document, null, null, NodePath.of(""), limits)
        : ArrayMetadata.parseV2(document, null, NodePath.of(""), limits);
  }
}
