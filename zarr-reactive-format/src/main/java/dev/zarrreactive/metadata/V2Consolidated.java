package dev.zarrreactive.metadata;

import dev.zarrreactive.internal.metadata.Tokens;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.metadata.ConsolidatedMetadata.Entry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes a {@code .zmetadata} of Zarr v2: the documents of a group and of all nodes below
 * it, by their keys relative to the group.
 */
final class V2Consolidated {
  private static final String FORMAT = "zarr_consolidated_format";
  private static final JsonNumber KNOWN_FORMAT = JsonNumber.of(1);

  /** The documents of one node. */
  private static final class Documents {
    private @Nullable LocatedJson array;
    private @Nullable LocatedJson group;
    private @Nullable LocatedJson attributes;

    void add(String name, LocatedJson document) {
      switch (name) {
        case NodePath.V2_ARRAY -> array = document;
        case NodePath.V2_GROUP -> group = document;
        case NodePath.V2_ATTRIBUTES -> attributes = document;
        default -> {} // members of other programs
      }
    }

    /** Returns null for attributes alone, which do not make a node. */
    @Nullable Entry entry(boolean hasTokens, MetadataLimits limits) {
      LocatedJson zarray = array;
      LocatedJson zgroup = group;
      if (zarray != null) {
        return entry(
            NodePath.V2_ARRAY,
            zarray,
            () -> {
              if (hasTokens) {
                Tokens.check(zarray);
              }
              return MetadataReader.readV2Array(
                  zarray, userAttributes(), zgroup != null, Leniencies.ofV2(), limits);
            });
      }
      return zgroup == null
          ? null
          : entry(
              NodePath.V2_GROUP,
              zgroup,
              () -> GroupMetadata.readV2(zgroup, userAttributes(), Leniencies.ofV2()));
    }

    private Entry entry(String name, LocatedJson document, Supplier<NodeMetadata> metadata) {
      return new Entry(
          document,
          name.equals(NodePath.V2_GROUP),
          metadata,
          error ->
              UnreadableMetadata.ofV2(
                  name, objectOrEmpty(document), objectOrEmpty(attributes), error));
    }

    private static JsonObject objectOrEmpty(@Nullable LocatedJson json) {
      return json != null && json.value() instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    private JsonObject userAttributes() {
      return attributes == null ? JsonObject.EMPTY : attributes.object();
    }
  }

  private V2Consolidated() {}

  /**
   * Returns the nodes below the group by path.
   *
   * @param hasTokens whether the document has tokens that JSON lacks
   */
  static Map<String, Entry> read(LocatedJson zmetadata, boolean hasTokens, MetadataLimits limits) {
    LocatedJson format = zmetadata.member(FORMAT);
    if (!format.value().equals(KNOWN_FORMAT)) {
      throw format.expected("the integer 1");
    }
    Map<String, Documents> nodes = new LinkedHashMap<>();
    zmetadata
        .member("metadata")
        .forEachMember(
            (key, document) -> {
              int end = key.lastIndexOf('/');
              if (end >= 0) { // the group's own documents have keys of their own in the store
                String path = key.substring(0, end);
                nodes
                    .computeIfAbsent(path, p -> new Documents())
                    .add(key.substring(end + 1), ConsolidatedMetadata.ofNode(path, document));
              }
            });
    limits.checkNodes(zmetadata.member("metadata"), nodes.size());
    Map<String, Entry> entries = new LinkedHashMap<>();
    nodes.forEach(
        (path, documents) -> {
          Entry entry = documents.entry(hasTokens, limits);
          if (entry != null) {
            entries.put(path, entry);
          }
        });
    return entries;
  }

  /** Returns the document of a group with these nodes below it. */
  static JsonObject write(GroupMetadata group, Map<String, NodeMetadata> nodes) {
    Map<String, JsonValue> documents = new LinkedHashMap<>();
    add(documents, NodePath.ROOT, group);
    nodes.forEach((path, node) -> add(documents, NodePath.of(path), node));
    return JsonObject.EMPTY.with("metadata", new JsonObject(documents)).with(FORMAT, KNOWN_FORMAT);
  }

  private static void add(Map<String, JsonValue> documents, NodePath path, NodeMetadata node) {
    documents.put(path.key(NodePath.V2_ATTRIBUTES).value(), node.attributes());
    documents.put(node.documentKey(path).value(), node.document());
  }
}
