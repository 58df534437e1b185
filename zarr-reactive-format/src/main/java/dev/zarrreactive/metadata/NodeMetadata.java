package dev.zarrreactive.metadata;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The metadata of a node. Immutable. */
public sealed interface NodeMetadata permits StoredMetadata, UnreadableMetadata {
  /**
   * Reads the {@code zarr.json} of a node of Zarr v3, such as for {@code ZarrHierarchy.array}.
   *
   * @param document the stored bytes
   * @param path the node's path, for errors
   * @throws dev.zarrreactive.error.MetadataException if the document breaks a rule
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if it is of another version of Zarr
   */
  static NodeMetadata parse(Bytes document, NodePath path) {
    return parse(document, path, Drafts.none(), MetadataLimits.defaults());
  }

  /**
   * Reads the document of a node, otherwise as {@link #parse(Bytes, NodePath)}. The entry point of
   * a hierarchy of the 2022 draft is read as a group without a document, if that draft is accepted.
   *
   * @param drafts the drafts that the document may follow
   * @param limits the limits of its size
   */
  static NodeMetadata parse(Bytes document, NodePath path, Drafts drafts, MetadataLimits limits) {
    return MetadataReader.read(document, path, drafts, limits);
  }

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
