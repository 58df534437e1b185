package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Finds nodes of Zarr v3, its drafts, and v2. A node is there where its metadata document is. */
public final class NodeReader {
  /** How many children of a group are asked for at a time. */
  private static final int CONCURRENCY = 64;

  /** How many groups of one level are listed at a time. */
  private static final int LISTINGS = 64;

  /** What an array of Zarr v1 has instead of a document that can be read here. */
  private static final String V1_DOCUMENT = "meta";

  /** A hierarchy deeper than this is taken for a circle of links. */
  private static final int MAX_DEPTH = 256;

  private final HierarchyContext context;
  private final Store store;
  private final Scheduler parser;
  private final boolean consolidated;
  private final Documents stored;
  private final NodeDocuments documents;
  private final DraftNodes drafts;

  /**
   * A reader of the nodes in a store.
   *
   * @param parser where documents are parsed
   * @param consolidated false where consolidated metadata are to be ignored
   * @param drafts which drafts nodes may be written to
   * @param limits how large documents may be
   * @param zarrFormat the format of all nodes, 2 or 3; null where it is unknown
   */
  public NodeReader(
      HierarchyContext context,
      Scheduler parser,
      boolean consolidated,
      Drafts drafts,
      MetadataLimits limits,
      @Nullable Integer zarrFormat) {
    this.context = context;
    this.store = context.requests();
    this.parser = parser;
    this.consolidated = consolidated;
    this.stored = new Documents(store, limits);
    this.documents = new NodeDocuments(stored, parser, drafts, zarrFormat);
    this.drafts = new DraftNodes(stored, parser, drafts, documents);
  }

  private NodeReader(NodeReader other, boolean consolidated) {
    this.context = other.context;
    this.store = other.store;
    this.parser = other.parser;
    this.consolidated = consolidated;
    this.stored = other.stored;
    this.documents = other.documents;
    this.drafts = other.drafts;
  }

  /** A reader that ignores consolidated metadata, and learns from this one. */
  public NodeReader withoutConsolidated() {
    return new NodeReader(this, false);
  }

  /** The node at {@code path}; an error where there is none, or it is unreadable. */
  public Mono<FoundNode> read(NodePath path) {
    return look(path).map(FoundNode::orThrow);
  }

  /**
   * As {@link #read}, in one round trip and three requests where it is an array; that it is not a
   * group, too, is not looked at.
   */
  public Mono<FoundNode> readArray(NodePath path) {
    return found(path, resolved(path, documents.array(path)))
        .switchIfEmpty(Mono.defer(() -> look(path)))
        .map(FoundNode::orThrow);
  }

  /**
   * As {@link #read}, for three requests at once where it is a group; that it is not an array, too,
   * is not looked at.
   */
  public Mono<FoundNode> readGroup(NodePath path) {
    return found(path, resolved(path, documents.group(path, consolidated)))
        .switchIfEmpty(Mono.defer(() -> look(path)))
        .map(FoundNode::orThrow);
  }

  /** The node at {@code path}, which may be unreadable; an error where there is none. */
  public Mono<FoundNode> look(NodePath path) {
    return any(path).switchIfEmpty(Mono.defer(() -> absent(path)));
  }

  /** The node at {@code path}; empty where there is none, an error where it is unreadable. */
  public Mono<FoundNode> find(NodePath path) {
    return any(path).map(FoundNode::orThrow);
  }

  /** The node at {@code path} below {@code group}; not asked for where the group knows of it. */
  public Mono<FoundNode> read(FoundNode group, NodePath path) {
    return group.below() == KnownNodes.NONE
        ? readBelow(group, path)
        : Mono.fromSupplier(() -> group.below().node(path))
            .map(FoundNode::orThrow)
            .subscribeOn(parser)
            .switchIfEmpty(Mono.defer(() -> readBelow(group, path)));
  }

  /** Below a group of Zarr v3, a node of v3 costs one request, and any other a round trip more. */
  private Mono<FoundNode> readBelow(FoundNode group, NodePath path) {
    return group.metadata().zarrFormat() == 2 || drafts.of(group.metadata()) != null
        ? read(path)
        : found(path, resolved(path, documents.onlyVersion3(path)))
            .map(FoundNode::orThrow)
            .switchIfEmpty(Mono.defer(() -> read(path)));
  }

  /** True where there is a node at {@code path} below {@code group}; as {@link #read}. */
  public Mono<Boolean> exists(FoundNode group, NodePath path) {
    return Mono.defer(() -> group.below().has(path) ? Mono.just(Boolean.TRUE) : exists(path));
  }

  private Mono<FoundNode> any(NodePath path) {
    return any(path, documents.node(path, consolidated));
  }

  private Mono<FoundNode> any(NodePath path, Mono<NodeMetadata> any) {
    return found(path, resolved(path, any).switchIfEmpty(Mono.defer(() -> drafts.elsewhere(path))));
  }

  private Mono<NodeMetadata> resolved(NodePath path, Mono<NodeMetadata> found) {
    return found.flatMap(metadata -> drafts.resolved(path, metadata));
  }

  private Mono<FoundNode> found(NodePath path, Mono<NodeMetadata> documents) {
    Mono<FoundNode> found =
        consolidated
            ? knowing(path, documents)
            : documents.map(metadata -> new FoundNode(path, metadata));
    return found.onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** The node with what its consolidated metadata say. */
  private Mono<FoundNode> knowing(NodePath path, Mono<NodeMetadata> documents) {
    return Mono.defer(
        () -> {
          Trust trust = Trust.below(context.store(), path);
          return documents.map(
              metadata -> new FoundNode(path, metadata, KnownNodes.of(path, metadata, trust)));
        });
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
    return stored
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
                        "no " + documents.sought() + " here: the store has no such key",
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
   * The nodes directly below a group, unreadable ones among them: those that the group knows of,
   * sorted, or else in the order in which the store lists them. Below a group of Zarr v3 only nodes
   * of v3 are looked for, with one request each.
   */
  public Flux<FoundNode> children(FoundNode group) {
    return Flux.defer(
        () -> {
          Stream<FoundNode> known = group.below().children(group.path());
          return known == null ? listed(group) : Flux.fromStream(known).subscribeOn(parser);
        });
  }

  private Flux<FoundNode> listed(FoundNode group) {
    NodePath path = group.path();
    Draft2022Nodes draft = drafts.of(group.metadata());
    Flux<FoundNode> children = draft == null ? prefixes(group) : draft.children(path, CONCURRENCY);
    return children.onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  private Flux<FoundNode> prefixes(FoundNode group) {
    NodePath path = group.path();
    return Concurrently.mapInOrder(
        store
            .listDir(path.prefix())
            .filter(
                entry -> entry instanceof ListEntry.Prefix && NodePath.isNodeName(entry.name())),
        CONCURRENCY,
        entry -> child(path.resolve(entry.name()), group.metadata().zarrFormat()));
  }

  private Mono<FoundNode> child(NodePath path, int zarrFormat) {
    return found(
        path,
        zarrFormat == 2
            ? documents.nodeAtOnce(path)
            : documents.onlyVersion3(path).switchIfEmpty(Mono.defer(() -> drafts.implicit(path))));
  }

  /** Every node below a group, level by level; the groups of a level are listed together. */
  public Flux<FoundNode> tree(FoundNode group) {
    return below(List.of(group), 1);
  }

  private Flux<FoundNode> below(List<FoundNode> groups, int depth) {
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
          List<FoundNode> found = new ArrayList<>();
          return Concurrently.mapInOrder(Flux.fromIterable(groups), LISTINGS, this::children)
              .doOnNext(
                  node -> {
                    if (node.metadata() instanceof GroupMetadata) {
                      found.add(node);
                    }
                  })
              .concatWith(Flux.defer(() -> below(found, depth + 1)));
        });
  }
}
