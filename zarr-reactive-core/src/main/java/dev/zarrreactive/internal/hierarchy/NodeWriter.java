package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.internal.hierarchy.Consolidation.Change;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonText;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
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
import reactor.core.scheduler.Scheduler;

/** Creates and erases nodes. What is there is never replaced by accident. */
public final class NodeWriter {
  private final HierarchyContext context;
  private final Store store;
  private final NodeReader reader;
  private final MetadataLimits limits;
  private final Consolidation consolidation;

  /**
   * A writer of the nodes in a store.
   *
   * @param reader one that ignores consolidated metadata
   * @param parser where documents are parsed
   * @param limits how large documents may be
   */
  public NodeWriter(
      HierarchyContext context, NodeReader reader, Scheduler parser, MetadataLimits limits) {
    this.context = context;
    this.store = context.requests();
    this.reader = reader;
    this.limits = limits;
    this.consolidation = new Consolidation(context, reader, parser, limits);
  }

  /**
   * Creates a node and those of its ancestors that are missing, which become groups.
   *
   * @return completes when the documents are stored; {@link NodeExistsException} where a node is
   *     there already, or an ancestor is an array
   */
  public Mono<Void> create(NodePath path, NodeMetadata metadata) {
    return Mono.defer(
            () -> {
              checkWritable();
              return consolidation.changing(
                  path,
                  line(path, metadata)
                      .map(
                          line ->
                              new Change(
                                  line.consolidated(), createAll(path, metadata, line.missing()))));
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  private Mono<Void> createAll(NodePath path, NodeMetadata metadata, List<NodePath> missing) {
    return Flux.fromIterable(missing)
        .concatMap(ancestor -> createAncestor(path, metadata, ancestor))
        .then(Mono.defer(() -> setIfAbsent(path, metadata)))
        .flatMap(created -> created ? Mono.<Void>empty() : Mono.error(exists(path)));
  }

  /** Erases the node and everything below it; the root: everything. */
  public Mono<Void> erase(NodePath path) {
    return Mono.defer(
            () -> {
              boolean canErase = store.capabilities().contains(StoreCapability.ERASE);
              return consolidation.changing(
                  path,
                  Mono.just(
                      new Change(
                          canErase ? ConsolidatedPlace.above(path) : List.of(),
                          reader.checkChangeable().then(store.erasePrefix(path.prefix())))));
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /**
   * Writes the consolidated metadata of a group.
   *
   * @param zarrFormat of the group
   */
  public Mono<FoundNode> consolidate(NodePath group, int zarrFormat) {
    return Mono.defer(
            () -> {
              checkWritable();
              return consolidation.consolidate(group, zarrFormat);
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(group.value())));
  }

  /**
   * Replaces a node's attributes, read afresh, by what {@code change} makes of them; one writer at
   * a time in this process.
   */
  public Mono<FoundNode> updateAttributes(NodePath path, UnaryOperator<JsonObject> change) {
    return Mono.defer(
            () -> {
              checkWritable();
              return KeyLocks.exclusively(
                  context.store(),
                  path.documentKey(),
                  turn -> changeAttributes(path, change, turn));
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  private Mono<FoundNode> changeAttributes(
      NodePath path, UnaryOperator<JsonObject> change, KeyLocks.Holder turn) {
    return reader
        .read(path)
        .map(FoundNode::metadata)
        .map(metadata -> metadata.withAttributes(change.apply(metadata.attributes())))
        .flatMap(
            metadata ->
                consolidation
                    .changing(
                        path,
                        Mono.just(
                            new Change(
                                ConsolidatedPlace.ofAttributes(path, metadata.zarrFormat()),
                                turn.store(setAttributes(path, metadata)))))
                    .thenReturn(new FoundNode(path, metadata)));
  }

  private void checkWritable() {
    if (!store.capabilities().contains(StoreCapability.WRITE)) {
      throw new StoreCapabilityException(
          store + " cannot be written to: it has " + store.capabilities(), Location.UNKNOWN);
    }
  }

  /**
   * The nodes from the root down to one that is to be created.
   *
   * @param missing the ancestors that are not there
   * @param consolidated where those that are there may have consolidated metadata
   */
  private record Line(List<NodePath> missing, List<ConsolidatedPlace> consolidated) {
    static Line of(NodePath path, List<FoundNode> found) {
      List<NodePath> missing = new ArrayList<>(path.ancestors());
      List<ConsolidatedPlace> consolidated = new ArrayList<>();
      for (FoundNode node : found) {
        missing.remove(node.path());
        if (node.metadata() instanceof GroupMetadata group
            && (group.zarrFormat() == 2 || group.carriesConsolidated())) {
          consolidated.add(new ConsolidatedPlace(node.path(), group.zarrFormat()));
        }
      }
      return new Line(missing, consolidated);
    }
  }

  /** Looks along the line; an error where nothing can be created. */
  private Mono<Line> line(NodePath path, NodeMetadata metadata) {
    List<NodePath> line = new ArrayList<>(path.ancestors());
    line.add(path);
    return Concurrently.mapInOrder(Flux.fromIterable(line), line.size(), this::written)
        .doOnNext(found -> checkAncestor(path, metadata, found))
        .collectList()
        .map(found -> Line.of(path, found));
  }

  /** The node, but no group that is there only because something is below it: it can be created. */
  private Mono<FoundNode> written(NodePath path) {
    return reader
        .find(path)
        .filter(
            found ->
                found.metadata().draft2022() != null
                    || !(found.metadata() instanceof GroupMetadata group && group.isImplicit()));
  }

  private static void checkAncestor(NodePath path, NodeMetadata metadata, FoundNode found) {
    if (found.metadata().draft2022() != null) {
      throw Draft.OF_2022.refusesWrites(Location.ofNode(path.value()));
    }
    if (found.path().equals(path)) {
      throw exists(path);
    }
    if (found.metadata() instanceof ArrayMetadata) {
      throw belowArray(path, found.path());
    }
    if (metadata.zarrFormat() == 2 && found.metadata().zarrFormat() == 3) {
      throw new UnsupportedFeatureException(
          "cannot create "
              + path
              + " of Zarr v2 below a group of Zarr v3, where nobody would look for it; create it"
              + " in format 3, or below another group",
          Location.ofNode(found.path().value()));
    }
  }

  /** Makes a group, unless somebody else has just made one. */
  private Mono<Void> createAncestor(NodePath path, NodeMetadata metadata, NodePath ancestor) {
    return setIfAbsent(ancestor, GroupMetadata.of(metadata.zarrFormat(), JsonObject.EMPTY))
        .filter(created -> !created)
        .flatMap(other -> reader.find(ancestor))
        .doOnNext(found -> checkAncestor(path, metadata, found))
        .then();
  }

  /** True where the node was stored, false where one was there. */
  private Mono<Boolean> setIfAbsent(NodePath path, NodeMetadata metadata) {
    if (store.capabilities().contains(StoreCapability.CONDITIONAL_WRITE)) {
      return set(path, metadata, Precondition.ABSENT)
          .thenReturn(true)
          .onErrorResume(PreconditionFailedException.class, e -> Mono.just(false));
    }
    // Without the store's help only the writers in this process know of each other.
    return KeyLocks.exclusively(
        context.store(),
        path.documentKey(),
        turn ->
            written(path)
                .hasElement()
                .flatMap(
                    exists ->
                        exists
                            ? Mono.just(false)
                            : turn.store(set(path, metadata, Precondition.NONE)).thenReturn(true)));
  }

  /**
   * Of Zarr v2 the attributes come last, so that of two who create a node only the one who did
   * writes them.
   */
  private Mono<Void> set(NodePath path, NodeMetadata metadata, Precondition precondition) {
    Mono<Void> document = set(metadata.documentKey(path), metadata.document(), precondition);
    return metadata.zarrFormat() == 2
        ? document.then(Mono.defer(() -> setAttributes(path, metadata)))
        : document;
  }

  private Mono<Void> setAttributes(NodePath path, NodeMetadata metadata) {
    return metadata.zarrFormat() == 2
        ? set(path.key(NodePath.V2_ATTRIBUTES), metadata.attributes(), Precondition.NONE)
        : set(path, metadata, Precondition.NONE);
  }

  private Mono<Void> set(StoreKey key, JsonObject document, Precondition precondition) {
    return Mono.defer(
        () -> {
          Bytes text = Bytes.utf8(JsonText.writePretty(document));
          limits.checkSize(text.size(), Location.ofKey(key.value()));
          return store.set(key, text, precondition);
        });
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
