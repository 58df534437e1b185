package dev.zarrreactive.metadata;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.StoreKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The metadata of a node. Immutable. */
public sealed interface NodeMetadata permits ArrayMetadata, GroupMetadata, UnreadableMetadata {
  /** The version of Zarr whose documents the node has: 2 or 3. */
  int zarrFormat();

  /**
   * The document as it stands, or will stand, in the store: what was read keeps its member order,
   * its unknown members and the spelling of its numbers. Of a node of Zarr v2 it is the {@code
   * .zarray} or {@code .zgroup}, without the attributes.
   */
  JsonObject document();

  /** The key of {@link #document} where the node is at {@code path}. */
  default StoreKey documentKey(NodePath path) {
    Draft2022Hierarchy draft = draft2022();
    if (draft != null) {
      return this instanceof ArrayMetadata
          ? draft.layout().arrayDocument(path)
          : draft.layout().groupDocument(path);
    }
    return path.key(
        zarrFormat() == 3
            ? NodePath.DOCUMENT
            : this instanceof ArrayMetadata ? NodePath.V2_ARRAY : NodePath.V2_GROUP);
  }

  /** The draft of Zarr v3 that the node is written to, so that it can only be read; else null. */
  default @Nullable Draft draft() {
    return null;
  }

  /** The hierarchy of the 2022 draft that the node is in; null for all others. */
  default @Nullable Draft2022Hierarchy draft2022() {
    return null;
  }

  /** What was read although the specification does not have it; empty for most nodes. */
  default List<MetadataWarning> warnings() {
    return List.of();
  }

  /**
   * This metadata with other attributes; everything else stays.
   *
   * @throws dev.zarrreactive.error.UnsupportedFeatureException where it is written to a draft
   */
  NodeMetadata withAttributes(JsonObject attributes);

  /** The user's attributes, in their order; empty where there are none. */
  JsonObject attributes();
}
