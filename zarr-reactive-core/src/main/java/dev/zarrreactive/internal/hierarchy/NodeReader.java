package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Finds nodes of Zarr v3, its drafts, and v2. A node exists if its metadata document does. */
public final class NodeReader {
  /** The number of children of a group that are requested at a time. */
  private static final int CONCURRENCY = 64;

  /** The number of groups of one level that are listed at a time. */
  private static final int LISTINGS = 64;

  /** The document of an array of Zarr v1, which is refused. */
  private static final String V1_DOCUMENT = "meta";

  /** The deepest hierarchy; a deeper one is taken for a cycle of links. */
  private static final int MAX_DEPTH = 256;

  private final HierarchyContext context;
  private final Store store;
  private final Scheduler parser;
  private final boolean consolidated;
  private final boolean lenient;
  private final Documents stored;
  private final NodeDocuments documents;
  private final NodesElsewhere elsewhere;

  /**
   * Creates a reader of the nodes in a store.
   *
   * @param parser the scheduler on which documents are parsed
   * @param consolidated whether consolidated metadata are used
   * @param drafts the drafts that are accepted
   * @param lenient whether nodes that need a leniency are read
   * @param limits the largest documents
   * @param zarrFormat the format of all nodes, 2 or 3; null if it is unknown
   */
  public NodeReader(
      HierarchyContext context,
      Scheduler parser,
      boolean consolidated,
      Drafts drafts,
      boolean lenient,
      MetadataLimits limits,
      @Nullable Integer zarrFormat) {
    this.context = context;
    this.store = context.requests();
    this.parser = parser;
    this.consolidated = consolidated;
    this.lenient = lenient;
    this.stored = new Documents(store, limits);
    this.documents = new NodeDocuments(stored, parser, drafts, zarrFormat);
    this.elsewhere = new NodesElsewhere(stored, parser, drafts, documents);
  }

  private NodeReader(NodeReader other, boolean consolidated) {
    this.context = other.context;
    this.store = other.store;
    this.parser = other.parser;
    this.consolidated = consolidated;
    this.lenient = other.lenient;
    this.stored = other.stored;
    this.documents = other.documents;
    this.elsewhere = other.elsewhere;
  }

  /** Returns a reader that ignores consolidated metadata, and shares the knowledge of this one. */
  public NodeReader withoutConsolidated() {
    return new NodeReader(this, false);
  }

  /** Emits the node at {@code path}, or an error for a missing or unreadable one. */
  public Mono<FoundNode> read(NodePath path) {
    return look(path).map(FoundNode::orThrow);
  }

  /**
   * Does the same as {@link #read} in one round trip and three requests for an array. A group at
   * the same path is not looked for.
   */
  public Mono<FoundNode> readArray(NodePath path) {
    return found(path, resolve(path, documents.array(path)))
        .switchIfEmpty(Mono.defer(() -> look(path)))
        .map(FoundNode::orThrow);
  }

  /**
   * Does the same as {@link #read} with three requests at once for a group. An array at the same
   * path is not looked for.
   */
  public Mono<FoundNode> readGroup(NodePath path) {
    return found(path, resolve(path, documents.group(path, consolidated)))
        .switchIfEmpty(Mono.defer(() -> look(path)))
        .map(FoundNode::orThrow);
  }

  /**
   * Emits the metadata of an array afresh, of the same format as {@code known}.
   *
   * @param read the request for its document
   */
  Mono<ArrayMetadata> array(NodePath path, ArrayMetadata known, Mono<Bytes> read) {
    return read.switchIfEmpty(
            Mono.error(
                () ->
                    new NodeNotFoundException(
                        "the array is gone since it was opened",
                        Location.ofNode(path.value()).key(known.documentKey(path).value()))))
        .publishOn(parser)
        .map(document -> documents.array(path, known, document))
        .doOnNext(array -> new FoundNode(path, checked(array)).orThrow());
  }

  /** Emits the node at {@code path}, which may be unreadable, or an error for a missing one. */
  public Mono<FoundNode> look(NodePath path) {
    return any(path).switchIfEmpty(Mono.defer(() -> absent(path)));
  }

  /**
   * Emits the node at {@code path}, completes empty for a missing one, and fails for an unreadable
   * one.
   */
  public Mono<FoundNode> find(NodePath path) {
    return any(path).map(FoundNode::orThrow);
  }

  /**
   * Emits the node at {@code path} below {@code group}, without a request if the group knows it.
   */
  public Mono<FoundNode> read(FoundNode group, NodePath path) {
    return group.below() == KnownNodes.NONE
        ? readBelow(group, path)
        : Mono.fromSupplier(() -> group.below().node(path))
            .subscribeOn(parser)
            .flatMap(this::orOwnDocument)
            .map(FoundNode::orThrow)
            .switchIfEmpty(Mono.defer(() -> readBelow(group, path)));
  }

  /**
   * Emits a node of consolidated metadata. One that is unreadable there is read from its own
   * document; without one it stays as it is.
   */
  private Mono<FoundNode> orOwnDocument(FoundNode listed) {
    FoundNode known = new FoundNode(listed.path(), checked(listed.metadata()), listed.below());
    if (!(known.metadata() instanceof UnreadableMetadata unreadable)) {
      return Mono.just(known);
    }
    Mono<NodeMetadata> own =
        unreadable.zarrFormat() == 2
            ? documents.nodeAtOnce(known.path())
            : documents.onlyVersion3(known.path());
    return own.map(metadata -> new FoundNode(known.path(), checked(metadata), known.below()))
        .onErrorResume(ZarrException.class, e -> Mono.empty()) // the known error tells more
        .defaultIfEmpty(known);
  }

  /**
   * Reads a node below a group of Zarr v3: one of v3 costs one request, any other a round trip
   * more.
   */
  private Mono<FoundNode> readBelow(FoundNode group, NodePath path) {
    return group.metadata().zarrFormat() == 2 || elsewhere.of(group.metadata()) != null
        ? read(path)
        : found(path, resolve(path, documents.onlyVersion3(path)))
            .map(FoundNode::orThrow)
            .switchIfEmpty(Mono.defer(() -> read(path)));
  }

  /** Emits whether a node is at {@code path} below {@code group}, see {@link #read}. */
  public Mono<Boolean> exists(FoundNode group, NodePath path) {
    return Mono.defer(() -> group.below().has(path) ? Mono.just(Boolean.TRUE) : exists(path));
  }

  private Mono<FoundNode> any(NodePath path) {
    return any(path, documents.node(path, consolidated));
  }

  private Mono<FoundNode> any(NodePath path, Mono<NodeMetadata> any) {
    return found(path, resolve(path, any).switchIfEmpty(Mono.defer(() -> elsewhere.find(path))));
  }

  private Mono<NodeMetadata> resolve(NodePath path, Mono<NodeMetadata> found) {
    return found.flatMap(metadata -> elsewhere.resolve(path, metadata));
  }

  /** Returns the metadata, or those of a refused node if they need a leniency and none may. */
  private NodeMetadata checked(NodeMetadata metadata) {
    return lenient || metadata.warnings().isEmpty()
        ? metadata
        : UnreadableMetadata.refused(metadata);
  }

  private Mono<FoundNode> found(NodePath path, Mono<NodeMetadata> any) {
    Mono<NodeMetadata> documents = any.map(this::checked);
    Mono<FoundNode> found =
        consolidated
            ? knowing(path, documents)
            : documents.map(metadata -> new FoundNode(path, metadata));
    return found.onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** Emits the node with the nodes that its consolidated metadata list. */
  private Mono<FoundNode> knowing(NodePath path, Mono<NodeMetadata> documents) {
    return Mono.defer(
        () -> {
          KnownNodes.Validity trust = KnownNodes.Validity.below(context.store(), path);
          return documents.map(
              metadata -> new FoundNode(path, metadata, KnownNodes.of(path, metadata, trust)));
        });
  }

  /** Emits whether a node is at {@code path}. */
  public Mono<Boolean> exists(NodePath path) {
    return documents
        .exists(path)
        .filter(exists -> exists)
        .switchIfEmpty(Mono.defer(() -> elsewhere.find(path).hasElement()))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** Completes if nodes may be changed, and fails for a store with a draft's hierarchy. */
  Mono<Void> checkChangeable() {
    return elsewhere.checkNoEntryPoint();
  }

  /** Fails with the reason that there is no node at {@code path}. */
  private Mono<FoundNode> absent(NodePath path) {
    StoreKey version1 = path.key(V1_DOCUMENT);
    return stored
        .get(version1)
        .<FoundNode>flatMap(
            document ->
                Mono.error(
                    new UnsupportedFeatureException(
                        "Zarr v1 is not supported; the node has a document \"" + V1_DOCUMENT + "\"",
                        Location.ofNode(path.value()).key(version1.value()))))
        .switchIfEmpty(Mono.defer(() -> unsupportedRoot(path)))
        .switchIfEmpty(
            Mono.error(
                () ->
                    new NodeNotFoundException(
                        documents.absence() + "; the store is " + context.store(),
                        Location.ofNode(path.value()).key(path.documentKey().value()))));
  }

  /** Fails if the root is of a format with its nodes in other places. */
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
   * Emits the nodes directly below a group, also unreadable ones: sorted if the group knows them,
   * otherwise in the order of the store's listing. Below a group of Zarr v3 only nodes of v3 are
   * looked for, with one request each.
   */
  public Flux<FoundNode> children(FoundNode group) {
    return Flux.defer(
        () -> {
          Stream<FoundNode> known = group.below().children(group.path());
          boolean isDoubtful = group.below().isPartial() && canList();
          return known == null || isDoubtful
              ? list(group)
              : Concurrently.mapInOrder(
                  Flux.fromStream(known).subscribeOn(parser), CONCURRENCY, this::orOwnDocument);
        });
  }

  private boolean canList() {
    return store.capabilities().contains(StoreCapability.LIST);
  }

  private Flux<FoundNode> list(FoundNode group) {
    NodePath path = group.path();
    NodesByEntryPoint nodes = elsewhere.of(group.metadata());
    Flux<FoundNode> children = nodes == null ? prefixes(group) : nodes.children(path, CONCURRENCY);
    return children
        .onErrorMap(StoreCapabilityException.class, e -> unlisted(group, e))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** Returns the error of a store that cannot list, with that of the consolidated metadata. */
  private static StoreCapabilityException unlisted(
      FoundNode group, StoreCapabilityException error) {
    MetadataException problem =
        group.metadata() instanceof GroupMetadata metadata ? metadata.consolidatedProblem() : null;
    return problem == null
        ? error
        : new StoreCapabilityException(
            error.statement()
                + "; the consolidated metadata of the group are broken: "
                + problem.getMessage(),
            error.location(),
            problem);
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
                : documents
                    .onlyVersion3(path)
                    .switchIfEmpty(Mono.defer(() -> elsewhere.implicit(path))))
        .onErrorResume(AccessDeniedException.class, e -> Mono.just(denied(path, e)));
  }

  private static FoundNode denied(NodePath path, AccessDeniedException error) {
    return new FoundNode(path, UnreadableMetadata.of(JsonObject.EMPTY, error));
  }

  /** Emits every node below a group, level by level. The groups of a level are listed together. */
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
              "the hierarchy is more than " + MAX_DEPTH + " groups deep, or a cycle of links",
              Location.ofNode(groups.get(0).path().value())));
    }
    return Flux.defer(
        () -> {
          List<FoundNode> found = new ArrayList<>();
          Flux<FoundNode> here =
              Concurrently.mapInOrder(Flux.fromIterable(groups), LISTINGS, this::children)
                  .doOnNext(
                      node -> {
                        if (node.metadata() instanceof GroupMetadata) {
                          found.add(node);
                        }
                      });
          return Flux.concat(List.of(here, Flux.defer(() -> below(found, depth + 1))));
        });
  }
}
