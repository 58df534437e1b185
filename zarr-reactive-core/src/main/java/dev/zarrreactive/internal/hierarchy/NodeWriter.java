package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ConditionalUpdate;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.internal.hierarchy.Consolidation.Change;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Creates and erases nodes, and replaces none by accident. */
public final class NodeWriter {
  private final HierarchyContext context;
  private final Store store;
  private final NodeReader reader;
  private final MetadataLimits limits;
  private final Consolidation consolidation;

  /**
   * Creates a writer of the nodes in a store.
   *
   * @param reader a reader that ignores consolidated metadata
   * @param parser the scheduler on which documents are parsed
   * @param limits the largest documents
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
   * Creates a node, and its missing ancestors as groups.
   *
   * @return completes when the documents are stored; {@link NodeExistsException} for a node that
   *     exists, or an ancestor that is an array
   */
  public Mono<Void> create(NodePath path, NodeMetadata metadata) {
    return Mono.defer(
            () -> {
              checkWritable();
              return consolidation.change(
                  path,
                  line(path, metadata)
                      .map(
                          line ->
                              new Change(
                                  line.consolidated(), createAll(path, metadata, line.missing()))));
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  Mono<Void> createAll(NodePath path, NodeMetadata metadata, List<NodePath> missing) {
    return Flux.fromIterable(missing)
        .concatMap(ancestor -> createAncestor(path, metadata, ancestor))
        .then(Mono.defer(() -> setIfAbsent(path, metadata)))
        .doOnNext(
            created -> {
              if (created) {
                context.forgetShapes(path);
              }
            })
        .flatMap(created -> created ? Mono.<Void>empty() : Mono.error(exists(path)));
  }

  /** Erases the node and everything below it; at the root, everything. */
  public Mono<Void> erase(NodePath path) {
    return Mono.defer(
            () -> {
              boolean canErase = store.capabilities().contains(StoreCapability.ERASE);
              return consolidation.change(
                  path,
                  Mono.just(
                      new Change(
                          canErase ? ConsolidatedPlace.above(path) : List.of(),
                          reader.checkChangeable().then(store.erasePrefix(path.prefix())))));
            })
        .doOnSuccess(erased -> context.forgetShapes(path))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  /** Returns the writer of several nodes at once. */
  public TreeWriter trees() {
    return new TreeWriter(context, reader, this, consolidation);
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
   * Reads a node's attributes afresh, and replaces them by the result of {@code change}. The
   * writers of this process take turns. The document of an array of Zarr v3 has its shape, too, and
   * is stored only if no other program has changed it since.
   *
   * @param known the metadata that the node was opened with
   */
  public Mono<FoundNode> updateAttributes(
      NodePath path, NodeMetadata known, UnaryOperator<JsonObject> change) {
    if (known instanceof ArrayMetadata array && known.zarrFormat() == 3 && known.draft() == null) {
      return updateArray(
          path,
          array,
          now -> now.withAttributes(change.apply(now.attributes())),
          changed -> Mono.just(new FoundNode(path, changed.after())));
    }
    return takeTurn(path, turn -> changeAttributes(path, change, turn));
  }

  /** Runs a change of a node's documents; the writers of this process take turns. */
  private <T> Mono<T> takeTurn(NodePath path, Function<KeyLocks.Holder, Mono<T>> change) {
    return Mono.defer(
            () -> {
              checkWritable();
              return KeyLocks.exclusively(context.store(), path.documentKey(), change);
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
                    .change(
                        path,
                        Mono.just(
                            new Change(
                                ConsolidatedPlace.ofAttributes(path, metadata.zarrFormat()),
                                turn.store(setAttributes(path, metadata)))))
                    .thenReturn(new FoundNode(path, metadata)));
  }

  /** The metadata of an array before and after a change. */
  public record ArrayChange(ArrayMetadata before, ArrayMetadata after) {}

  /**
   * Reads an array's document afresh, and replaces it by the result of {@code change}, if no other
   * writer has changed it since; otherwise reads and changes it again. The writers of this process
   * take turns. In a store without versions or conditional writes a change by another program
   * between the read and the write is lost.
   *
   * @param known the metadata that the array was opened with, which name the document
   * @param change returns its argument to store nothing
   * @param next the rest of the operation, in the same turn
   */
  public <T> Mono<T> updateArray(
      NodePath path,
      ArrayMetadata known,
      UnaryOperator<ArrayMetadata> change,
      Function<ArrayChange, Mono<T>> next) {
    return takeTurn(
        path,
        turn ->
            ConditionalUpdate.attempt(
                    store,
                    known.documentKey(path),
                    target -> change(path, known, change, target, turn))
                .flatMap(next));
  }

  private Mono<ArrayChange> change(
      NodePath path,
      ArrayMetadata known,
      UnaryOperator<ArrayMetadata> change,
      ConditionalUpdate target,
      KeyLocks.Holder turn) {
    return reader
        .array(path, known, target.read(limits.range()))
        .map(before -> new ArrayChange(before, change.apply(before)))
        .delayUntil(
            changed ->
                changed.after() == changed.before()
                    ? Mono.empty()
                    : store(path, changed, target, turn))
        .doOnNext(changed -> context.resized(path, changed.after().shape()));
  }

  private Mono<Void> store(
      NodePath path, ArrayChange changed, ConditionalUpdate target, KeyLocks.Holder turn) {
    ArrayMetadata after = changed.after();
    Bytes text = text(after.documentKey(path), after.document());
    return consolidation.change(
        path,
        Mono.just(
            new Change(
                ConsolidatedPlace.above(path, after.zarrFormat()), turn.store(target.set(text)))));
  }

  /** Emits the metadata of an array afresh, of the same format as {@code known}. */
  public Mono<ArrayMetadata> readArray(NodePath path, ArrayMetadata known) {
    return reader.array(path, known, store.get(known.documentKey(path), limits.range()));
  }

  void checkWritable() {
    if (!store.capabilities().contains(StoreCapability.WRITE)) {
      throw StoreCapability.WRITE.refusal(store, "be written to", Location.UNKNOWN);
    }
  }

  /**
   * The nodes from the root down to the one to create.
   *
   * @param missing the ancestors that do not exist
   * @param consolidated the places of consolidated metadata of existing ancestors
   */
  record Line(List<NodePath> missing, List<ConsolidatedPlace> consolidated) {
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

  /** Reads the ancestors, and fails if no node can be created. */
  Mono<Line> line(NodePath path, NodeMetadata metadata) {
    path.checkNames(metadata.zarrFormat());
    List<NodePath> line = new ArrayList<>(path.ancestors());
    line.add(path);
    return Concurrently.mapInOrder(Flux.fromIterable(line), line.size(), this::findStored)
        .doOnNext(found -> checkAncestor(path, metadata, found))
        .collectList()
        .map(found -> Line.of(path, found));
  }

  /** Emits the node. A group without a document counts as missing: it can be created. */
  private Mono<FoundNode> findStored(NodePath path) {
    return reader
        .find(path)
        .filter(
            found ->
                found.metadata().entryPoint() != null
                    || !(found.metadata() instanceof GroupMetadata group && group.isImplicit()));
  }

  private static void checkAncestor(NodePath path, NodeMetadata metadata, FoundNode found) {
    if (found.metadata().entryPoint() != null) {
      throw Draft.OF_2022.refusesWrites(Location.ofNode(path.value()));
    }
    if (found.path().equals(path)) {
      throw exists(path);
    }
    checkBelow(path, metadata, found.path(), found.metadata());
  }

  /** Refuses a node below an array, and one of Zarr v2 below a group of Zarr v3. */
  static void checkBelow(
      NodePath path, NodeMetadata metadata, NodePath above, NodeMetadata ancestor) {
    if (ancestor instanceof ArrayMetadata) {
      throw new NodeExistsException(
          "cannot create " + path + " below an array; arrays have no children",
          Location.ofNode(above.value()));
    }
    if (metadata.zarrFormat() == 2 && ancestor.zarrFormat() == 3) {
      throw new UnsupportedFeatureException(
          "cannot create "
              + path
              + " of Zarr v2 below a group of Zarr v3, where readers look for Zarr v3 only; create it"
              + " in format 3, or below another group",
          Location.ofNode(above.value()));
    }
  }

  /** Creates a group, unless another writer has just created it. */
  Mono<Void> createAncestor(NodePath path, NodeMetadata metadata, NodePath ancestor) {
    return setIfAbsent(ancestor, GroupMetadata.of(metadata.zarrFormat(), JsonObject.EMPTY))
        .filter(created -> !created)
        .flatMap(other -> reader.find(ancestor))
        .doOnNext(found -> checkAncestor(path, metadata, found))
        .then();
  }

  /** Emits whether the node was stored; false for one that exists. */
  Mono<Boolean> setIfAbsent(NodePath path, NodeMetadata metadata) {
    if (store.capabilities().contains(StoreCapability.CONDITIONAL_WRITE)) {
      return set(path, metadata, Precondition.ABSENT)
          .thenReturn(true)
          .onErrorResume(PreconditionFailedException.class, e -> Mono.just(false));
    }
    // Without conditional writes of the store only the writers of this process exclude each other.
    return KeyLocks.exclusively(
        context.store(),
        path.documentKey(),
        turn ->
            findStored(path)
                .hasElement()
                .flatMap(
                    exists ->
                        exists
                            ? Mono.just(false)
                            : turn.store(set(path, metadata, Precondition.NONE)).thenReturn(true)));
  }

  /**
   * Stores the documents of a node. The attributes of Zarr v2 come last: of two writers only the
   * one that created the node writes them.
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
    return Mono.defer(() -> store.set(key, text(key, document), precondition));
  }

  private Bytes text(StoreKey key, JsonObject document) {
    Bytes text = Bytes.utf8(document.toPrettyString());
    limits.checkSize(text.size(), Location.ofKey(key.value()));
    return text;
  }

  static NodeExistsException exists(NodePath path) {
    return new NodeExistsException(
        "a node exists here; replace it explicitly, or choose another path",
        Location.ofNode(path.value()));
  }
}
