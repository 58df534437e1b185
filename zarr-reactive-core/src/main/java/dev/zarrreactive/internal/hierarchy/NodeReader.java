package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.pipeline.Concurrently;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Finds nodes of Zarr v3, its drafts, and v2. A node is there where its metadata document is. */
public final class NodeReader {
  /** How many children of a group are asked for at a time. */
  private static final int CONCURRENCY = 32;

  /** How many groups of one level are listed at a time. */
  private static final int LISTINGS = 8;

  /** What an array of Zarr v1 has instead of a document that can be read here. */
  private static final String V1_DOCUMENT = "meta";

  /** A hierarchy deeper than this is taken for a circle of links. */
  private static final int MAX_DEPTH = 256;

  private final Store store;
  private final NodeDocuments documents;
  private final DraftNodes drafts;

  /**
   * A reader of the nodes in {@code store}.
   *
   * @param parser where documents are parsed
   * @param drafts which drafts nodes may be written to
   */
  public NodeReader(Store store, Scheduler parser, Drafts drafts) {
    this.store = store;
    this.documents = new NodeDocuments(store, parser, drafts);
    this.drafts = new DraftNodes(store, parser, drafts, documents);
  }

  /** The node at {@code path}; an error where there is none. */
  public Mono<FoundNode> read(NodePath path) {
    return find(path).switchIfEmpty(Mono.defer(() -> absent(path)));
  }

  /** The node at {@code path}; empty where there is none. */
  public Mono<FoundNode> find(NodePath path) {
    return documents
        .any(path)
        .flatMap(drafts::resolved)
        .switchIfEmpty(Mono.defer(() -> drafts.elsewhere(path)))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** True where there is a node at {@code path}. */
  public Mono<Boolean> exists(NodePath path) {
    return documents
        .exists(path)
        .filter(exists -> exists)
        .switchIfEmpty(Mono.defer(() -> drafts.elsewhere(path).hasElement()))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** Completes where nodes may be changed; an error where the store holds a draft's hierarchy. */
  Mono<Void> checkChangeable() {
    return drafts.checkNo2022();
  }

  /** Says why nothing can be opened at {@code path}. */
  private Mono<FoundNode> absent(NodePath path) {
    StoreKey version1 = path.key(V1_DOCUMENT);
    return store
        .get(version1)
        .<FoundNode>flatMap(
            document ->
                Mono.error(
                    new UnsupportedFeatureException(
                        "the node is of Zarr v1 (it has a "
                            + V1_DOCUMENT
                            + "), which is unsupported",
                        Location.ofNode(path.value()).key(version1.value()))))
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

  /**
   * The nodes directly below a group, in the order in which the store lists them. Below a group of
   * Zarr v3 only nodes of v3 are looked for, with one request each.
   */
  public Flux<FoundNode> children(NodePath group, GroupMetadata metadata) {
    Draft2022Nodes draft = drafts.of(metadata);
    Flux<FoundNode> children =
        draft != null ? draft.children(group, CONCURRENCY) : children(group, metadata.zarrFormat());
    return children.onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(group.value())));
  }

  private Flux<FoundNode> children(NodePath group, int zarrFormat) {
    return Concurrently.mapInOrder(
        store
            .listDir(group.prefix())
            .filter(
                entry -> entry instanceof ListEntry.Prefix && NodePath.isNodeName(entry.name())),
        CONCURRENCY,
        entry -> child(group.resolve(entry.name()), zarrFormat));
  }

  private Mono<FoundNode> child(NodePath path, int zarrFormat) {
    Mono<FoundNode> child =
        zarrFormat == 2
            ? documents.any(path)
            : documents
                .onlyVersion3(path)
                .switchIfEmpty(
                    Mono.defer(() -> drafts.implicit(path))
                        .map(group -> new FoundNode(path, group)));
    return child.onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** Every node below a group, level by level; the groups of a level are listed together. */
  public Flux<FoundNode> tree(NodePath group, GroupMetadata metadata) {
    return below(List.of(new Group(group, metadata)), 1);
  }

  private record Group(NodePath path, GroupMetadata metadata) {}

  private Flux<FoundNode> below(List<Group> groups, int depth) {
    if (groups.isEmpty()) {
      return Flux.empty();
    }
    if (depth > MAX_DEPTH) {
      return Flux.error(
          new UnsupportedFeatureException(
              "the hierarchy is more than " + MAX_DEPTH + " groups deep, or a circle of links",
              Location.ofNode(groups.get(0).path().value())));
    }
    return Flux.defer(
        () -> {
          List<Group> found = new ArrayList<>();
          return Concurrently.mapInOrder(
                  Flux.fromIterable(groups),
                  LISTINGS,
                  group -> children(group.path(), group.metadata()))
              .doOnNext(
                  node -> {
                    if (node.metadata() instanceof GroupMetadata metadata) {
                      found.add(new Group(node.path(), metadata));
                    }
                  })
              .concatWith(Flux.defer(() -> below(found, depth + 1)));
        });
  }
}
