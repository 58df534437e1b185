package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.pipeline.Concurrently;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataReader;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Finds nodes. A node is there where its metadata document is. */
public final class NodeReader {
  /** How many children of a group are asked for at a time. */
  private static final int CONCURRENCY = 32;

  /** How many groups of one level are listed at a time. */
  private static final int LISTINGS = 8;

  /** What older versions of Zarr have at a node instead of {@code zarr.json}. */
  private static final List<String> OLD_DOCUMENTS = List.of(".zarray", ".zgroup", "meta");

  /** A hierarchy deeper than this is taken for a circle of links. */
  private static final int MAX_DEPTH = 256;

  private final Store store;
  private final Scheduler parser;

  /**
   * A reader of the nodes in {@code store}.
   *
   * @param parser where documents are parsed
   */
  public NodeReader(Store store, Scheduler parser) {
    this.store = store;
    this.parser = parser;
  }

  /** The node at {@code path}; an error where there is none. */
  public Mono<FoundNode> read(NodePath path) {
    return find(path).switchIfEmpty(Mono.defer(() -> absent(path)));
  }

  /** The node at {@code path}; empty where there is none. */
  public Mono<FoundNode> find(NodePath path) {
    return store
        .get(path.documentKey())
        .publishOn(parser)
        .map(document -> new FoundNode(path, MetadataReader.read(document, path)))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** True where there is a node at {@code path}. */
  public Mono<Boolean> exists(NodePath path) {
    return store
        .get(path.documentKey())
        .hasElement()
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** Says why nothing can be opened at {@code path}. */
  private Mono<FoundNode> absent(NodePath path) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(OLD_DOCUMENTS),
            OLD_DOCUMENTS.size(),
            name -> store.get(path.key(name)).map(document -> name))
        .next()
        .<FoundNode>flatMap(
            name ->
                Mono.error(
                    new UnsupportedFeatureException(
                        "the node is of Zarr "
                            + (name.equals("meta") ? "v1" : "v2")
                            + " (it has a "
                            + name
                            + "), which is unsupported",
                        Location.ofNode(path.value()).key(path.key(name).value()))))
        .switchIfEmpty(Mono.defer(() -> unsupportedRoot(path)))
        .switchIfEmpty(
            Mono.error(
                () ->
                    new NodeNotFoundException(
                        "no array or group here: the store has no such key",
                        Location.ofNode(path.value()).key(path.documentKey().value()))));
  }

  /** An error where the root says that this is a format with its nodes in other places. */
  private Mono<FoundNode> unsupportedRoot(NodePath path) {
    return path.isRoot()
        ? Mono.empty()
        : find(NodePath.ROOT)
            .onErrorResume(
                e ->
                    e instanceof UnsupportedFeatureException unsupported
                            && "/zarr_format".equals(unsupported.location().jsonPointer())
                        ? Mono.error(e)
                        : Mono.empty())
            .filter(root -> false);
  }

  /** The nodes directly below a group, in the order in which the store lists them. */
  public Flux<FoundNode> children(NodePath group) {
    return Concurrently.mapInOrder(
            store
                .listDir(group.prefix())
                .filter(
                    entry ->
                        entry instanceof ListEntry.Prefix && NodePath.isNodeName(entry.name())),
            CONCURRENCY,
            entry -> find(group.resolve(entry.name())))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(group.value())));
  }

  /** Every node below a group, level by level; the groups of a level are listed together. */
  public Flux<FoundNode> tree(NodePath group) {
    return below(List.of(group), 1);
  }

  private Flux<FoundNode> below(List<NodePath> groups, int depth) {
    if (groups.isEmpty()) {
      return Flux.empty();
    }
    if (depth > MAX_DEPTH) {
      return Flux.error(
          new UnsupportedFeatureException(
              "the hierarchy is more than " + MAX_DEPTH + " groups deep, or a circle of links",
              Location.ofNode(groups.get(0).value())));
    }
    return Flux.defer(
        () -> {
          List<NodePath> found = new ArrayList<>();
          return Concurrently.mapInOrder(Flux.fromIterable(groups), LISTINGS, this::children)
              .doOnNext(
                  node -> {
                    if (node.metadata() instanceof GroupMetadata) {
                      found.add(node.path());
                    }
                  })
              .concatWith(Flux.defer(() -> below(found, depth + 1)));
        });
  }
}
