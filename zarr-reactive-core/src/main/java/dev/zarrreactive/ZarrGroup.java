package dev.zarrreactive;

import dev.zarrreactive.internal.hierarchy.FoundNode;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A group: a node that holds other nodes by name (specification: "Group"). */
public final class ZarrGroup implements ZarrNode {
  private final ZarrHierarchy hierarchy;
  private final FoundNode found;
  private final GroupMetadata metadata;

  ZarrGroup(ZarrHierarchy hierarchy, FoundNode found, GroupMetadata metadata) {
    this.hierarchy = hierarchy;
    this.found = found;
    this.metadata = metadata;
  }

  @Override
  public Store store() {
    return hierarchy.store();
  }

  @Override
  public NodePath path() {
    return found.path();
  }

  @Override
  public GroupMetadata metadata() {
    return metadata;
  }

  /**
   * Lists the nodes directly in this group, in the order of the store. If the group has
   * consolidated metadata, the nodes are sorted by name and the store is not asked. A node has a
   * metadata document, unless {@link ZarrOptions#withDrafts} says otherwise. A child that cannot be
   * opened is an {@link UnreadableNode}; only a failure of the store is an error. Nodes are read on
   * demand, and emitted on a thread of the codec scheduler. A cancel ends the listing and all
   * look-ups.
   */
  public Flux<ZarrNode> children() {
    return hierarchy.children(found);
  }

  /** Every node below this group, level by level; otherwise as {@link #children()}. */
  public Flux<ZarrNode> tree() {
    return hierarchy.tree(found);
  }

  /**
   * Opens the node at {@code relative}, such as {@code a/b}, below this group. The store is not
   * asked where the group has consolidated metadata that tell of the node.
   */
  public Mono<ZarrNode> open(String relative) {
    return hierarchy.open(found, path().resolve(relative));
  }

  /** Opens the array at {@code relative} below this group; otherwise as {@link #open}. */
  public Mono<ZarrArray> openArray(String relative) {
    return hierarchy.openArray(found, path().resolve(relative));
  }

  /** Opens the group at {@code relative} below this group; otherwise as {@link #open}. */
  public Mono<ZarrGroup> openGroup(String relative) {
    return hierarchy.openGroup(found, path().resolve(relative));
  }

  /**
   * Returns true if there is a node at {@code relative} below this group; looked up as by {@link
   * #open}.
   */
  public Mono<Boolean> exists(String relative) {
    return hierarchy.exists(found, path().resolve(relative));
  }

  /**
   * Writes the metadata of all nodes below into one document, so that a reader which opens this
   * group knows the whole tree: of Zarr v3 into the group's own document (specification:
   * "Consolidated metadata"), of Zarr v2 into a {@code .zmetadata}. Everything is read afresh. Any
   * change that this library makes to a node below takes them away again, also from groups above.
   *
   * @return the group with its consolidated metadata; fails before the write if a group below is
   *     unreadable or a node is of another format. The metadata of arrays are copied unchecked
   */
  public Mono<ZarrGroup> consolidate() {
    return hierarchy.consolidate(found);
  }

  /** Creates an array below this group; as {@link ZarrHierarchy#createArray}. */
  public Mono<ZarrArray> createArray(String relative, ArrayMetadata array) {
    return hierarchy.createArray(below(relative), array);
  }

  /**
   * Creates a group of this group's format, without attributes, below this group; otherwise as
   * {@link ZarrHierarchy#createArray}.
   */
  public Mono<ZarrGroup> createGroup(String relative) {
    return createGroup(relative, GroupMetadata.of(metadata.zarrFormat(), JsonObject.EMPTY));
  }

  /** Creates a group below this group; otherwise as {@link ZarrHierarchy#createArray}. */
  public Mono<ZarrGroup> createGroup(String relative, GroupMetadata group) {
    return hierarchy.createGroup(below(relative), group);
  }

  /** Erases the node at {@code relative} and everything below it; completes if it is missing. */
  public Mono<Void> erase(String relative) {
    return hierarchy.erase(below(relative));
  }

  private String below(String relative) {
    return path().resolve(relative).value();
  }

  @Override
  public Mono<ZarrGroup> updateAttributes(UnaryOperator<JsonObject> change) {
    return hierarchy.updateAttributes(path(), metadata(), change).map(hierarchy::group);
  }

  @Override
  public String toString() {
    return "group " + path() + " in " + store();
  }
}
