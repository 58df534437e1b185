package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonText;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Creates and erases nodes. What is there is never replaced by accident. */
public final class NodeWriter {
  private final Store store;
  private final NodeReader reader;

  /** A writer of the nodes in {@code store}. */
  public NodeWriter(Store store, NodeReader reader) {
    this.store = store;
    this.reader = reader;
  }

  /**
   * Creates a node and those of its ancestors that are missing, which become groups.
   *
   * @return completes when the documents are stored; {@link NodeExistsException} where a node is
   *     there already, or an ancestor is an array
   */
  public Mono<Void> create(NodePath path, NodeMetadata metadata) {
    GroupMetadata group = GroupMetadata.of(metadata.zarrFormat(), JsonObject.EMPTY);
    return Mono.zip(missingAncestors(path, metadata), reader.exists(path))
        .flatMap(
            found ->
                found.getT2()
                    ? Mono.error(exists(path))
                    : Flux.fromIterable(found.getT1())
                        .concatMap(ancestor -> setIfAbsent(new FoundNode(ancestor, group)))
                        .then())
        .then(Mono.defer(() -> setIfAbsent(new FoundNode(path, metadata))))
        .flatMap(created -> created ? Mono.<Void>empty() : Mono.error(exists(path)))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** Erases the node and everything below it; the root: everything. */
  public Mono<Void> erase(NodePath path) {
    return store
        .erasePrefix(path.prefix())
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** Replaces a node's attributes, read afresh, by what {@code change} makes of them. */
  public Mono<FoundNode> updateAttributes(NodePath path, UnaryOperator<JsonObject> change) {
    return reader
        .read(path)
        .map(
            node ->
                new FoundNode(
                    path,
                    node.metadata().withAttributes(change.apply(node.metadata().attributes()))))
        .flatMap(node -> setAttributes(node).thenReturn(node))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** In one round trip, from the root down. */
  private Mono<List<NodePath>> missingAncestors(NodePath path, NodeMetadata metadata) {
    List<NodePath> ancestors = new ArrayList<>();
    for (NodePath p = path; !p.isRoot(); p = p.parent()) {
      ancestors.add(0, p.parent());
    }
    return Flux.fromIterable(ancestors)
        .flatMapSequential(
            ancestor ->
                reader
                    .find(ancestor)
                    .<Boolean>handle(
                        (node, sink) -> {
                          checkAncestor(path, metadata, node);
                          sink.next(false);
                        })
                    .defaultIfEmpty(true)
                    .filter(missing -> missing)
                    .map(missing -> ancestor))
        .collectList();
  }

  private static void checkAncestor(NodePath path, NodeMetadata metadata, FoundNode ancestor) {
    if (ancestor.metadata() instanceof ArrayMetadata) {
      throw belowArray(path, ancestor.path());
    }
    if (metadata.zarrFormat() == 2 && ancestor.metadata().zarrFormat() == 3) {
      throw new UnsupportedFeatureException(
          "cannot create "
              + path
              + " of Zarr v2 below a group of Zarr v3, where nobody would look for it; create it"
              + " in format 3, or below another group",
          Location.ofNode(ancestor.path().value()));
    }
  }

  /**
   * Stores a node's documents; of Zarr v2 the attributes last, so that of two who create the node
   * only the one who did writes them.
   *
   * @return true where they were stored, false where a node was there
   */
  private Mono<Boolean> setIfAbsent(FoundNode node) {
    return documentIfAbsent(node)
        .delayUntil(
            created ->
                created && node.metadata().zarrFormat() == 2 ? setAttributes(node) : Mono.empty());
  }

  private Mono<Boolean> documentIfAbsent(FoundNode node) {
    if (store.capabilities().contains(StoreCapability.CONDITIONAL_WRITE)) {
      return setDocument(node, Precondition.ABSENT)
          .thenReturn(true)
          .onErrorResume(PreconditionFailedException.class, e -> Mono.just(false));
    }
    return reader
        .exists(node.path())
        .flatMap(
            exists ->
                exists ? Mono.just(false) : setDocument(node, Precondition.NONE).thenReturn(true));
  }

  private Mono<Void> setAttributes(FoundNode node) {
    return node.metadata().zarrFormat() == 2
        ? set(
            node.path().key(NodePath.V2_ATTRIBUTES),
            node.metadata().attributes(),
            Precondition.NONE)
        : setDocument(node, Precondition.NONE);
  }

  private Mono<Void> setDocument(FoundNode node, Precondition precondition) {
    return set(node.metadata().documentKey(node.path()), node.metadata().document(), precondition);
  }

  private Mono<Void> set(StoreKey key, JsonObject document, Precondition precondition) {
    return store.set(key, Bytes.utf8(JsonText.writePretty(document)), precondition);
  }

  private static NodeExistsException exists(NodePath path) {
    return new NodeExistsException(
        "a node is here already; replace it explicitly, or choose another path",
        Location.ofNode(path.value()));
  }

  private static NodeExistsException belowArray(NodePath path, NodePath array) {
    return new NodeExistsException(
        "cannot create " + path + " below an array; arrays have no children",
        Location.ofNode(array.value()));
  }
}
