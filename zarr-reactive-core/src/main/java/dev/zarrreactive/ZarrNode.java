package dev.zarrreactive;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.MetadataWarning;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.List;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * A node of a hierarchy: an array, a group, or in listings an unreadable one. A node holds a
 * snapshot of its metadata; the data of an array are read on demand.
 */
public sealed interface ZarrNode permits ZarrArray, ZarrGroup, UnreadableNode {
  /** The store that holds the node. */
  Store store();

  /** The node's path in the store. */
  NodePath path();

  /** The node's metadata. */
  NodeMetadata metadata();

  /** The user's attributes. */
  default JsonObject attributes() {
    return metadata().attributes();
  }

  /**
   * The parts of the metadata that belong to drafts instead of the specification, read because
   * {@link ZarrOptions#withDrafts} allows it; empty for most nodes. A program that opens nodes of
   * drafts should show these warnings to its user.
   */
  default List<MetadataWarning> warnings() {
    return metadata().warnings();
  }

  /**
   * Changes the attributes: reads them afresh, applies {@code change} and stores the result; all
   * else in the metadata stays as it is. If another program changes an array of Zarr v3 meanwhile,
   * {@code change} is applied again, in stores with versions and conditional writes.
   *
   * @return the node with its new metadata; the same signals as {@link ZarrHierarchy#open}
   */
  Mono<? extends ZarrNode> updateAttributes(UnaryOperator<JsonObject> change);
}
