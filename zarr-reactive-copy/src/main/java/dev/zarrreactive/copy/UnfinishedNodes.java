package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.StagedStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The nodes of a copy or of a filling that are not complete. Their documents are stored under
 * another name, {@code zarr.json.partial}: readers do not take them for nodes, and a resumed copy
 * learns which metadata the chunks belong to. A complete node gets its documents in one step, the
 * decisive one last.
 */
final class UnfinishedNodes {
  static final String SUFFIX = ".partial";

  private final Store store;

  /**
   * Whether unfinished nodes are marked. A store that cannot erase would keep the marks; a staged
   * one is there only when all of its nodes are complete.
   */
  private final boolean marks;

  UnfinishedNodes(ZarrHierarchy hierarchy) {
    this.store = HierarchyRequests.of(hierarchy);
    this.marks =
        store.capabilities().contains(StoreCapability.ERASE)
            && !StagedStore.isOne(hierarchy.store());
  }

  /** Stores the metadata of a node that is begun. */
  Mono<Void> begin(NodePath path, NodeMetadata metadata) {
    return marks
        ? Flux.fromIterable(documents(path, metadata))
            .concatMap(document -> set(partial(document.getKey()), document.getValue()), 0)
            .then()
        : Mono.empty();
  }

  /** Stores the documents of a complete node. */
  Mono<Void> finish(NodePath path, NodeMetadata metadata) {
    return Flux.fromIterable(documents(path, metadata))
        .concatMap(document -> set(document.getKey(), document.getValue()), 0)
        .then(forget(path, metadata));
  }

  /** Removes the mark of an unfinished node. */
  Mono<Void> forget(NodePath path, NodeMetadata metadata) {
    return marks
        ? Flux.fromIterable(documents(path, metadata))
            .concatMap(document -> store.erase(partial(document.getKey())), 0)
            .then()
        : Mono.empty();
  }

  /** Emits whether an unfinished node of any format is at {@code path}. */
  Mono<Boolean> exists(NodePath path) {
    return Flux.just(NodePath.DOCUMENT, NodePath.V2_ARRAY, NodePath.V2_GROUP)
        .concatMap(name -> store.get(partial(path.key(name))), 0)
        .hasElements();
  }

  /**
   * Emits whether the node at {@code path} was begun with this metadata; empty if it was not begun.
   */
  Mono<Boolean> compare(NodePath path, NodeMetadata metadata) {
    return Flux.fromIterable(documents(path, metadata))
        .concatMap(
            document ->
                store
                    .get(partial(document.getKey()))
                    .map(bytes -> bytes.equals(text(document.getValue()))),
            0)
        .reduce((one, other) -> one && other);
  }

  /** Returns the documents of a node, the one that readers look for last. */
  private static List<Map.Entry<StoreKey, JsonObject>> documents(
      NodePath path, NodeMetadata metadata) {
    Map.Entry<StoreKey, JsonObject> document =
        Map.entry(metadata.documentKey(path), metadata.document());
    return metadata.zarrFormat() == 2
        ? List.of(Map.entry(path.key(NodePath.V2_ATTRIBUTES), metadata.attributes()), document)
        : List.of(document);
  }

  private static StoreKey partial(StoreKey document) {
    return StoreKey.of(document.value() + SUFFIX);
  }

  private Mono<Void> set(StoreKey key, JsonObject document) {
    return store.set(key, text(document));
  }

  private static Bytes text(JsonObject document) {
    return Bytes.utf8(document.toPrettyString());
  }
}
