package dev.zarrreactive.cli.location;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The place of a copy: the root of its own store, or a node of an existing hierarchy.
 *
 * @param store the store of the hierarchy
 * @param node the path of the copy in it; empty at the root
 * @param hierarchy the root of the hierarchy in the user's words
 */
public record CopyPlace(Store store, String node, String hierarchy) {
  /** Returns whether the copy becomes a node of an existing hierarchy. */
  boolean isInside() {
    return !node.isEmpty();
  }

  /**
   * Returns the groups above the copy that have consolidated metadata, in the user's words. The
   * copy removes these metadata, which do not list it.
   */
  public Mono<List<String>> consolidatedAbove() {
    return isInside()
        ? Flux.fromIterable(NodePath.of(node).ancestors())
            .concatMap(this::consolidated, 0)
            .collectList()
        : Mono.just(List.of());
  }

  private Mono<String> consolidated(NodePath path) {
    return Zarr.hierarchy(store)
        .inspect(path.value())
        .filter(
            found ->
                found.metadata() instanceof GroupMetadata group && group.consolidated() != null)
        .map(found -> path.isRoot() ? hierarchy : hierarchy + path.value())
        .onErrorResume(NodeNotFoundException.class, error -> Mono.empty());
  }
}
