package dev.zarrreactive.metadata;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The metadata of a node. Immutable. */
public sealed interface NodeMetadata permits StoredMetadata, UnreadableMetadata {
  /** The version of Zarr of the node's documents: 2 or 3. */
  int zarrFormat();

  /**
   * The document that the store has, or will have. It keeps the order of its members, unknown
   * members and the spelling of its numbers. For a node of Zarr v2 it is the {@code .zarray} or
   * {@code .zgroup}, without the attributes.
   */
  JsonObject document();

  /** Returns the key of {@link #document} for a node at {@code path}. */
  default StoreKey documentKey(NodePath path) {
    EntryPoint entryPoint = entryPoint();
    if (entryPoint != null) {
      return this instanceof ArrayMetadata
          ? entryPoint.arrayDocument(path)
          : entryPoint.groupDocument(path);
    }
    return path.key(
        zarrFormat() == 3
            ? NodePath.DOCUMENT
            : this instanceof ArrayMetadata ? NodePath.V2_ARRAY : NodePath.V2_GROUP);
  }

  /** The draft of Zarr v3 that the node follows, which makes it read-only, or null. */
  default @Nullable Draft draft() {
    return null;
  }

  /** The entry point of the node's hierarchy, or null if its keys are those of Zarr v3 or v2. */
  default @Nullable EntryPoint entryPoint() {
    return null;
  }

  /** The accepted deviations from the specification, empty for most nodes. */
  default List<MetadataWarning> warnings() {
    return List.of();
  }

  /**
   * Returns this metadata with other attributes.
   *
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if it follows a draft
   */
  NodeMetadata withAttributes(JsonObject attributes);

  /** The user's attributes in their order, an empty object by default. */
  JsonObject attributes();
}
