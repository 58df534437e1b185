package dev.zarrreactive.cli.location;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.List;
import java.util.Locale;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The place of a new node: the root of its own store, or a node of a hierarchy, which may be new.
 *
 * @param store the store of the hierarchy
 * @param node the path of the new node in it; empty at the root
 * @param hierarchy the root of the hierarchy in the user's words
 * @param isNewHierarchy whether the root of the hierarchy is made with the node, as a group
 */
public record CopyPlace(Store store, String node, String hierarchy, boolean isNewHierarchy) {
  /** Creates a place at a root, or in a hierarchy that exists. */
  public CopyPlace(Store store, String node, String hierarchy) {
    this(store, node, hierarchy, false);
  }

  /**
   * Returns the sentence of what was made here.
   *
   * @param verb for example {@code created}
   * @param node what was made, with its article
   */
  public String made(String verb, String node) {
    String upper = verb.substring(0, 1).toUpperCase(Locale.ROOT) + verb.substring(1);
    if (!isNewHierarchy) {
      return upper + " " + node + ".";
    }
    String and = verb.equals("created") ? " and " : " and " + verb + " ";
    return "Created the group " + hierarchy + and + node + ".";
  }

  /** Returns whether the copy becomes a node of an existing hierarchy. */
  boolean isInside() {
    return !node.isEmpty();
  }

  /**
   * Returns the groups above the copy that have consolidated metadata, in the user's words. The
   * copy removes these metadata, which do not list it.
   */
  public Mono<List<String>> consolidatedGroupsAbove() {
    return consolidatedPathsAbove()
        .map(
            paths ->
                paths.stream()
                    .map(path -> path.isRoot() ? hierarchy : hierarchy + path.value())
                    .toList());
  }

  /** Emits the paths of the groups above that have consolidated metadata. */
  public Mono<List<NodePath>> consolidatedPathsAbove() {
    return isInside()
        ? Flux.fromIterable(NodePath.of(node).ancestors())
            .concatMap(this::ifConsolidated, 0)
            .collectList()
        : Mono.just(List.of());
  }

  private Mono<NodePath> ifConsolidated(NodePath path) {
    return Zarr.hierarchy(store)
        .inspect(path.value())
        .filter(
            found ->
                found.metadata() instanceof GroupMetadata group && group.consolidated() != null)
        .map(found -> path)
        .onErrorResume(NodeNotFoundException.class, error -> Mono.empty());
  }
}
