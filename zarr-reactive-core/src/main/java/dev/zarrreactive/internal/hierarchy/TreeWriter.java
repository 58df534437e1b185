package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.hierarchy.Consolidation.Change;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.file.FileSystemStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Creates, moves and erases whole trees of nodes. */
public final class TreeWriter {
  /** The number of nodes that are created at a time. */
  private static final int NODES = 16;

  /** The number of values that are copied at a time: their sizes are unknown. */
  private static final int VALUES = 4;

  /** The number of keys that are erased between two reports of progress. */
  private static final int BATCH = 1_000;

  private static final List<String> DOCUMENTS =
      List.of(
          NodePath.V2_ATTRIBUTES,
          NodePath.V2_CONSOLIDATED,
          NodePath.V2_ARRAY,
          NodePath.V2_GROUP,
          NodePath.DOCUMENT);

  private final HierarchyContext context;
  private final Store store;
  private final NodeReader reader;
  private final NodeWriter writer;
  private final Consolidation consolidation;

  TreeWriter(
      HierarchyContext context, NodeReader reader, NodeWriter writer, Consolidation consolidation) {
    this.context = context;
    this.store = context.requests();
    this.reader = reader;
    this.writer = writer;
    this.consolidation = consolidation;
  }

  /**
   * Creates the nodes, those of one depth at the same time, and the missing groups above them.
   *
   * @throws NodeExistsException for a node below an array of the description
   */
  public Mono<Void> create(Map<NodePath, ? extends NodeMetadata> nodes) {
    return Mono.defer(
        () -> {
          writer.checkWritable();
          Map<NodePath, NodeMetadata> described = new TreeMap<>(nodes);
          described.forEach((path, metadata) -> checkAbove(path, metadata, described));
          Map<NodePath, Map<Integer, List<NodePath>>> trees = new TreeMap<>();
          for (NodePath path : described.keySet()) {
            NodePath top = top(path, described);
            trees
                .computeIfAbsent(top, any -> new TreeMap<>())
                .computeIfAbsent(path.ancestors().size(), any -> new ArrayList<>())
                .add(path);
          }
          return Concurrently.map(
                  Flux.fromIterable(trees.entrySet()),
                  NODES,
                  tree -> create(tree.getKey(), described, tree.getValue()))
              .then();
        });
  }

  /** Returns the highest node of the description on the line of described nodes to {@code path}. */
  private static NodePath top(NodePath path, Map<NodePath, NodeMetadata> described) {
    NodePath top = path;
    for (NodePath above : path.ancestors()) {
      if (described.containsKey(above) && above.contains(top)) {
        top = above;
      }
    }
    return top;
  }

  private static void checkAbove(
      NodePath path, NodeMetadata metadata, Map<NodePath, NodeMetadata> described) {
    path.checkNames(metadata.zarrFormat());
    for (NodePath above : path.ancestors()) {
      NodeMetadata ancestor = described.get(above);
      if (ancestor != null) {
        NodeWriter.checkBelow(path, metadata, above, ancestor);
      }
    }
  }

  private Mono<Void> create(
      NodePath top, Map<NodePath, NodeMetadata> described, Map<Integer, List<NodePath>> levels) {
    Map<Integer, List<NodePath>> all = withGroupsBetween(top, described, levels);
    NodeMetadata first = metadata(top, described);
    Mono<Void> below =
        Flux.fromIterable(all.values())
            .concatMap(
                level ->
                    Concurrently.map(
                            Flux.fromIterable(level).filter(path -> !path.equals(top)),
                            NODES,
                            path -> create(path, metadata(path, described)))
                        .then(),
                0)
            .then();
    return consolidation
        .change(
            top,
            writer
                .line(top, first)
                .map(
                    line ->
                        new Change(
                            line.consolidated(),
                            writer.createAll(top, first, line.missing()).then(below))))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(top.value())));
  }

  /** Adds the groups that the description leaves out between the top and the other nodes. */
  private static Map<Integer, List<NodePath>> withGroupsBetween(
      NodePath top, Map<NodePath, NodeMetadata> described, Map<Integer, List<NodePath>> levels) {
    Map<Integer, List<NodePath>> all = new TreeMap<>();
    Set<NodePath> added = new HashSet<>();
    levels.forEach((depth, paths) -> all.put(depth, new ArrayList<>(paths)));
    for (List<NodePath> paths : levels.values()) {
      for (NodePath path : paths) {
        for (NodePath above : path.ancestors()) {
          if (top.contains(above) && !described.containsKey(above) && added.add(above)) {
            all.computeIfAbsent(above.ancestors().size(), any -> new ArrayList<>()).add(above);
          }
        }
      }
    }
    return all;
  }

  /** Returns the metadata of a node; a group that the description leaves out has no attributes. */
  private static NodeMetadata metadata(NodePath path, Map<NodePath, NodeMetadata> described) {
    NodeMetadata metadata = described.get(path);
    if (metadata != null) {
      return metadata;
    }
    int format =
        described.entrySet().stream()
            .filter(node -> path.contains(node.getKey()))
            .mapToInt(node -> node.getValue().zarrFormat())
            .min()
            .orElse(3);
    return GroupMetadata.of(format, JsonObject.EMPTY);
  }

  private Mono<Void> create(NodePath path, NodeMetadata metadata) {
    return writer
        .setIfAbsent(path, metadata)
        .doOnNext(created -> context.forgetShapes(path))
        .flatMap(
            created -> created ? Mono.<Void>empty() : Mono.error(() -> NodeWriter.exists(path)));
  }

  /**
   * Moves a node and all below it, and creates the missing groups above its new place.
   *
   * @return completes when the node is at its new place alone
   */
  public Mono<Void> move(NodePath from, NodePath to) {
    return Mono.defer(
            () -> {
              checkMove(from, to);
              return reader
                  .checkChangeable()
                  .then(from.hasReservedName() ? readReserved(from, to) : reader.read(from))
                  .flatMap(node -> move(from, to, node.metadata()));
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(from.value())));
  }

  /** Emits the node under a reserved name with the metadata that it has under its new name. */
  private Mono<FoundNode> readReserved(NodePath from, NodePath to) {
    return reader
        .look(from)
        .map(
            found ->
                found.metadata() instanceof UnreadableMetadata unreadable
                        && unreadable.zarrFormat() == 3
                    ? new FoundNode(from, NodeMetadata.parse(text(unreadable), to))
                    : found.orThrow());
  }

  private static Bytes text(UnreadableMetadata metadata) {
    return Bytes.utf8(metadata.document().toString());
  }

  private void checkMove(NodePath from, NodePath to) {
    if (from.isRoot()) {
      throw new IllegalArgumentException("the root of a hierarchy cannot be moved inside of it");
    }
    if (from.contains(to)) {
      throw new IllegalArgumentException(
          "cannot move " + from + " to " + to + ": a node cannot be moved into itself");
    }
    writer.checkWritable();
    for (StoreCapability needed : List.of(StoreCapability.LIST, StoreCapability.ERASE)) {
      if (!store.capabilities().contains(needed)) {
        throw needed.refusal(store, "move a node", Location.UNKNOWN);
      }
    }
  }

  private Mono<Void> move(NodePath from, NodePath to, NodeMetadata metadata) {
    Mono<Change> there =
        writer
            .line(to, metadata)
            .flatMap(
                line ->
                    checkEmpty(to)
                        .thenReturn(
                            new Change(
                                line.consolidated(),
                                ancestors(to, metadata, line.missing())
                                    .then(Mono.defer(() -> moveValues(from, to))))));
    Mono<Void> moved = consolidation.change(to, there);
    return consolidation
        .change(from, Mono.just(new Change(ConsolidatedPlace.above(from), moved)))
        .doOnSuccess(
            done -> {
              context.forgetShapes(from);
              context.forgetShapes(to);
            });
  }

  /** Refuses keys that belong to no node: they would become a part of the moved node. */
  private Mono<Void> checkEmpty(NodePath to) {
    return store
        .listDir(to.prefix())
        .next()
        .flatMap(
            entry ->
                Mono.error(
                    () ->
                        new NodeExistsException(
                            "a key that belongs to no node exists in the new place: \""
                                + entry.name()
                                + "\"; choose another place, or remove it",
                            Location.ofNode(to.value()))));
  }

  private Mono<Void> ancestors(NodePath to, NodeMetadata metadata, List<NodePath> missing) {
    return Flux.fromIterable(missing)
        .concatMap(above -> writer.createAncestor(to, metadata, above), 0)
        .then();
  }

  private Mono<Void> moveValues(NodePath from, NodePath to) {
    Mono<Void> renamed =
        context.store() instanceof FileSystemStore files
            ? files
                .move(from.prefix(), to.prefix())
                .flatMap(done -> done ? Mono.<Void>empty() : copyAndErase(from, to))
            : copyAndErase(from, to);
    return context.change(key -> from.prefix().contains(key) || to.prefix().contains(key), renamed);
  }

  /** Copies the documents of the node last and erases them first: half a node cannot be opened. */
  private Mono<Void> copyAndErase(NodePath from, NodePath to) {
    Set<StoreKey> documents = new HashSet<>();
    DOCUMENTS.forEach(name -> documents.add(from.key(name)));
    return Concurrently.map(
            store.listPrefix(from.prefix()).filter(key -> !documents.contains(key)),
            VALUES,
            key -> copy(key, from, to))
        .then(forEach(DOCUMENTS, name -> copy(from.key(name), from, to)))
        .then(documents(from).flatMap(found -> forEach(found, store::erase)))
        .then(Mono.defer(() -> store.erasePrefix(from.prefix())));
  }

  /**
   * Emits the keys of a node's documents that an erasure removes by themselves: none where the
   * node's directory is a symbolic link, which is removed in their place. A link that leads nowhere
   * cannot be listed; whatever else cannot be listed fails again in the erasure of the rest. An
   * error that passes would not: the documents would stay while the rest is erased.
   */
  private Mono<List<StoreKey>> documents(NodePath path) {
    return store
        .listDir(path.prefix())
        .ofType(ListEntry.Key.class)
        .filter(entry -> !entry.isBehindLink() && DOCUMENTS.contains(entry.name()))
        .map(ListEntry.Key::key)
        .collectList()
        .onErrorResume(
            e -> e instanceof StoreException && !(e instanceof TransientStoreException),
            e -> Mono.just(List.of()));
  }

  private static <T> Mono<Void> forEach(Collection<T> all, Function<T, Mono<Void>> step) {
    return Flux.fromIterable(all).concatMap(step, 0).then();
  }

  private Mono<Void> copy(StoreKey key, NodePath from, NodePath to) {
    String name = key.value().substring(from.prefix().value().length());
    StoreKey target = StoreKey.of(to.prefix().value() + name);
    boolean decides = name.equals(NodePath.DOCUMENT) || name.equals(NodePath.V2_ARRAY);
    boolean guarded = decides && store.capabilities().contains(StoreCapability.CONDITIONAL_WRITE);
    return store
        .get(key)
        .flatMap(
            value -> store.set(target, value, guarded ? Precondition.ABSENT : Precondition.NONE));
  }

  /**
   * Erases the node and everything below it, its own documents first, and emits the number of
   * erased values now and then.
   */
  public Flux<Long> erase(NodePath path) {
    return Flux.defer(
            () -> {
              if (!store.capabilities().contains(StoreCapability.LIST)) {
                throw StoreCapability.LIST.refusal(
                    store, "list the values to erase", Location.UNKNOWN);
              }
              return reader
                  .checkChangeable()
                  .then(eraseDocuments(path))
                  .then(Mono.fromSupplier(() -> batches(path)))
                  .flatMapMany(batches -> batches.scan(0L, Long::sum).skip(1));
            })
        .doOnComplete(() -> context.forgetShapes(path))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(path.value())));
  }

  private Mono<Void> eraseDocuments(NodePath path) {
    return consolidation.change(
        path,
        Mono.just(
            new Change(
                ConsolidatedPlace.above(path),
                documents(path).flatMap(found -> store.eraseValues(Flux.fromIterable(found))))));
  }

  /**
   * Erases the rest in batches, and at last what remains, such as symbolic links and files of dead
   * writers. The values behind a link stay.
   */
  private Flux<Long> batches(NodePath path) {
    Flux<ListEntry.Key> own =
        context.store() instanceof FileSystemStore files
            ? files.listOwnValues(path.prefix())
            : store.listValues(path.prefix()).filter(value -> !value.isBehindLink());
    Flux<Long> listed =
        own.map(ListEntry.Key::key)
            .buffer(BATCH)
            .concatMap(
                keys -> store.eraseValues(Flux.fromIterable(keys)).thenReturn((long) keys.size()),
                0);
    return Flux.concat(List.of(listed, store.erasePrefix(path.prefix()).thenReturn(0L)));
  }
}
