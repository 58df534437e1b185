package dev.zarrreactive;

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
  private final NodePath path;
  private final GroupMetadata metadata;

  ZarrGroup(ZarrHierarchy hierarchy, NodePath path, GroupMetadata metadata) {
    this.hierarchy = hierarchy;
    this.path = path;
    this.metadata = metadata;
  }

  @Override
  public Store store() {
    return hierarchy.store();
  }

  @Override
  public NodePath path() {
    return path;
  }

  @Override
  public GroupMetadata metadata() {
    return metadata;
  }

  /**
   * The nodes directly in this group, in the order in which the store lists them; empty where there
   * are none. Prefixes without a metadata document are no nodes, unless {@link
   * ZarrOptions#withDrafts} says so. Under demand; on a thread of the codec scheduler; a cancel
   * ends the listing and all look-ups. A child whose metadata is broken is an error.
   */
  public Flux<ZarrNode> children() {
    return hierarchy.children(path, metadata);
  }

  /** Every node below this group, level by level; otherwise as {@link #children()}. */
  public Flux<ZarrNode> tree() {
    return hierarchy.tree(path, metadata);
  }

  /** Opens the node at {@code relative}, such as {@code a/b}, below this group. */
  public Mono<ZarrNode> open(String relative) {
    return hierarchy.open(below(relative));
  }

  /** Opens the array at {@code relative} below this group. */
  public Mono<ZarrArray> openArray(String relative) {
    return hierarchy.openArray(below(relative));
  }

  /** Opens the group at {@code relative} below this group. */
  public Mono<ZarrGroup> openGroup(String relative) {
    return hierarchy.openGroup(below(relative));
  }

  /** True where there is a node at {@code relative} below this group. */
  public Mono<Boolean> exists(String relative) {
    return hierarchy.exists(below(relative));
  }

  /** Creates an array below this group; as {@link ZarrHierarchy#createArray}. */
  public Mono<ZarrArray> createArray(String relative, ArrayMetadata array) {
    return hierarchy.createArray(below(relative), array);
  }

  /**
   * Creates a group of this group's format below this group; as {@link ZarrHierarchy#createGroup}.
   */
  public Mono<ZarrGroup> createGroup(String relative, JsonObject attributes) {
    return hierarchy.createGroup(
        below(relative), GroupMetadata.of(metadata.zarrFormat(), attributes));
  }

  /** Erases the node at {@code relative} and everything below it; no error where there is none. */
  public Mono<Void> erase(String relative) {
    return hierarchy.erase(below(relative));
  }

  private String below(String relative) {
    return path.resolve(relative).value();
  }

  @Override
  public Mono<ZarrGroup> updateAttributes(UnaryOperator<JsonObject> change) {
    return hierarchy.updateAttributes(path, change).map(hierarchy::group);
  }

  @Override
  public String toString() {
    return "group " + path + " in " + store();
  }
}
