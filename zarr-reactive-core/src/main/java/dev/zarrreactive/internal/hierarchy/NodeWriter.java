package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.PreconditionFailedException;
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
    return missingAncestors(path)
        .concatMap(ancestor -> setIfAbsent(ancestor, GroupMetadata.of(JsonObject.EMPTY)))
        .then(Mono.defer(() -> setIfAbsent(path, metadata)))
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
        .flatMap(node -> set(node, Precondition.NONE).thenReturn(node))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  private Flux<NodePath> missingAncestors(NodePath path) {
    List<NodePath> ancestors = new ArrayList<>();
    for (NodePath p = path; !p.isRoot(); p = p.parent()) {
      ancestors.add(0, p.parent());
    }
    return Flux.fromIterable(ancestors)
        .flatMapSequential(
            ancestor ->
                reader
                    .find(ancestor)
                    .flatMap(
                        node ->
                            node.metadata() instanceof ArrayMetadata
                                ? Mono.<Boolean>error(belowArray(path, ancestor))
                                : Mono.just(false))
                    .defaultIfEmpty(true)
                    .filter(missing -> missing)
                    .map(missing -> ancestor))
        .collectList()
        .flatMapIterable(missing -> missing);
  }

  /** True where the document was stored, false where one was there. */
  private Mono<Boolean> setIfAbsent(NodePath path, NodeMetadata metadata) {
    FoundNode node = new FoundNode(path, metadata);
    if (store.capabilities().contains(StoreCapability.CONDITIONAL_WRITE)) {
      return set(node, Precondition.ABSENT)
          .thenReturn(true)
          .onErrorResume(PreconditionFailedException.class, e -> Mono.just(false));
    }
    return reader
        .exists(path)
        .flatMap(
            exists -> exists ? Mono.just(false) : set(node, Precondition.NONE).thenReturn(true));
  }

  private Mono<Void> set(FoundNode node, Precondition precondition) {
    String json = JsonText.writePretty(node.metadata().document());
    return store.set(node.path().documentKey(), Bytes.utf8(json), precondition);
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
