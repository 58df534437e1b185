package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.EntryPoint;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Finds nodes in a hierarchy with an entry point. Documents of arrays and groups have different
 * keys, all below one prefix. A group needs no document if a node is below it.
 */
final class NodesByEntryPoint {
  private final Documents stored;
  private final Store store;
  private final Scheduler parser;
  private final EntryPoint entryPoint;

  NodesByEntryPoint(Documents stored, Scheduler parser, EntryPoint entryPoint) {
    this.stored = stored;
    this.store = stored.store();
    this.parser = parser;
    this.entryPoint = entryPoint;
  }

  /** Emits the node at {@code path}, or completes empty. The root always exists. */
  Mono<NodeMetadata> find(NodePath path) {
    return Concurrently.mapInOrder(
            Flux.just(entryPoint.arrayDocument(path), entryPoint.groupDocument(path)),
            2,
            this::optional)
        .collectList()
        .flatMap(documents -> explicit(path, documents))
        .switchIfEmpty(Mono.defer(() -> path.isRoot() ? implicit(path) : implicitIfAny(path)));
  }

  private Mono<Optional<Bytes>> optional(StoreKey key) {
    return stored.get(key).map(Optional::of).defaultIfEmpty(Optional.empty());
  }

  /** Reads a node that has a document; an array comes before a group. */
  private Mono<NodeMetadata> explicit(NodePath path, List<Optional<Bytes>> documents) {
    Bytes array = documents.get(0).orElse(null);
    Bytes group = documents.get(1).orElse(null);
    if (array != null) {
      return parsedArray(path, array);
    }
    return group == null ? Mono.empty() : parsedGroup(path, group);
  }

  private Mono<NodeMetadata> array(NodePath path) {
    return stored
        .get(entryPoint.arrayDocument(path))
        .flatMap(document -> parsedArray(path, document));
  }

  private Mono<NodeMetadata> group(NodePath path) {
    return stored
        .get(entryPoint.groupDocument(path))
        .flatMap(document -> parsedGroup(path, document));
  }

  private Mono<NodeMetadata> parsedGroup(NodePath path, Bytes document) {
    return parse(path, document, bytes -> entryPoint.group(bytes, path));
  }

  /** Parses an array, and finds the key of the chunk of one without dimensions. */
  private Mono<NodeMetadata> parsedArray(NodePath path, Bytes document) {
    StoreKey otherScalar = entryPoint.otherScalar(path);
    return parse(path, document, bytes -> entryPoint.array(bytes, path, false))
        .flatMap(
            metadata ->
                metadata instanceof ArrayMetadata array
                        && array.shape().rank() == 0
                        && otherScalar != null
                    ? stored
                        .get(otherScalar)
                        .<NodeMetadata>map(chunk -> entryPoint.array(document, path, true))
                        .defaultIfEmpty(metadata)
                    : Mono.just(metadata));
  }

  private Mono<NodeMetadata> parse(
      NodePath path, Bytes document, Function<Bytes, NodeMetadata> reading) {
    return Mono.just(document)
        .publishOn(parser)
        .map(
            bytes ->
                Documents.read(
                    path,
                    bytes.size(),
                    () -> reading.apply(bytes),
                    error -> UnreadableMetadata.of(bytes, error)));
  }

  private Mono<NodeMetadata> implicit(NodePath path) {
    return Mono.fromSupplier(() -> entryPoint.implicitGroup(path));
  }

  private Mono<NodeMetadata> implicitIfAny(NodePath path) {
    if (!store.capabilities().contains(StoreCapability.LIST)) {
      return Mono.empty();
    }
    return store
        .listDir(entryPoint.documentsBelow(path))
        .next()
        .flatMap(anything -> implicit(path));
  }

  /**
   * Emits the nodes directly below a group, by name. A listing shows what each of them is, so that
   * only nodes with a document take a request more.
   */
  Flux<FoundNode> children(NodePath group, int concurrency) {
    return store
        .listDir(entryPoint.documentsBelow(group))
        .collect(TreeMap<String, Kind>::new, this::add)
        .flatMapMany(
            children ->
                Concurrently.mapInOrder(
                    Flux.fromIterable(children.entrySet()),
                    concurrency,
                    child -> child(group.resolve(child.getKey()), child.getValue())));
  }

  /** The kinds of nodes that a listing shows. Of several for one name the first counts. */
  private enum Kind {
    ARRAY,
    GROUP,
    IMPLICIT_GROUP
  }

  private void add(Map<String, Kind> children, ListEntry entry) {
    if (entry instanceof ListEntry.Prefix) {
      add(children, entry.name(), Kind.IMPLICIT_GROUP);
    } else {
      add(children, entryPoint.arrayName(entry.name()), Kind.ARRAY);
      add(children, entryPoint.groupName(entry.name()), Kind.GROUP);
    }
  }

  private static void add(Map<String, Kind> children, String name, Kind kind) {
    if (NodePath.isNodeName(name)) {
      children.merge(name, kind, (a, b) -> a.compareTo(b) < 0 ? a : b);
    }
  }

  private Mono<FoundNode> child(NodePath path, Kind kind) {
    Mono<NodeMetadata> metadata =
        switch (kind) {
          case ARRAY -> array(path);
          case GROUP -> group(path);
          case IMPLICIT_GROUP -> implicit(path);
        };
    return metadata.map(found -> new FoundNode(path, found));
  }
}
