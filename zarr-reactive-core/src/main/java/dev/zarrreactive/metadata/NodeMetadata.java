package dev.zarrreactive.metadata;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.StoreKey;

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
    return path.key(
        zarrFormat() == 3
            ? NodePath.DOCUMENT
            : this instanceof ArrayMetadata ? NodePath.V2_ARRAY : NodePath.V2_GROUP);
  }

  /** This metadata with other attributes; everything else stays. */
  NodeMetadata withAttributes(JsonObject attributes);

  /** The user's attributes, in their order; empty where there are none. */
  JsonObject attributes();
}
