package dev.zarrreactive.copy;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonText;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.zip.NewZipStore;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Nodes that are not all there yet. Their documents stand under another name, {@code
 * zarr.json.partial}, so that nobody takes them for nodes, and whoever goes on with the copy knows
 * what the chunks below were meant to be. A node that is complete gets its documents in one step,
 * the one that makes it a node last.
 */
final class UnfinishedNodes {
  static final String SUFFIX = ".partial";

  private final Store store;

  /** False where nothing can be left behind, or not be removed again. */
  private final boolean marked;

  UnfinishedNodes(Store store) {
    this.store = store;
    this.marked =
        store.capabilities().contains(StoreCapability.ERASE) && !(store instanceof NewZipStore);
  }

  /** Says what will be here. */
  Mono<Void> begin(NodePath path, NodeMetadata metadata) {
    return marked
        ? Flux.fromIterable(documents(path, metadata))
            .concatMap(document -> set(partial(document.getKey()), document.getValue()), 0)
            .then()
        : Mono.empty();
  }

  /** Makes it a node. */
  Mono<Void> finish(NodePath path, NodeMetadata metadata) {
    return Flux.fromIterable(documents(path, metadata))
        .concatMap(document -> set(document.getKey(), document.getValue()), 0)
        .then(forget(path, metadata));
  }

  /** Removes what was said of a node. */
  Mono<Void> forget(NodePath path, NodeMetadata metadata) {
    return marked
        ? Flux.fromIterable(documents(path, metadata))
            .concatMap(document -> store.erase(partial(document.getKey())), 0)
            .then()
        : Mono.empty();
  }

  /** True where an unfinished node is at {@code path}, of whatever format. */
  Mono<Boolean> exists(NodePath path) {
    return Flux.just(NodePath.DOCUMENT, NodePath.V2_ARRAY, NodePath.V2_GROUP)
        .concatMap(name -> store.get(partial(path.key(name))), 0)
        .hasElements();
  }

  /** True where just this was said of the node at {@code path}; empty where nothing was. */
  Mono<Boolean> isBegunAs(NodePath path, NodeMetadata metadata) {
    return Flux.fromIterable(documents(path, metadata))
        .concatMap(
            document ->
                store
                    .get(partial(document.getKey()))
                    .map(bytes -> bytes.equals(text(document.getValue()))),
            0)
        .reduce((one, other) -> one && other);
  }

  /** The one that makes it a node is the last. */
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
    return Bytes.utf8(JsonText.writePretty(document));
  }
}
