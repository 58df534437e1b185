package dev.zarrreactive;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.context.SharedContexts;
import dev.zarrreactive.internal.hierarchy.FoundNode;
import dev.zarrreactive.internal.hierarchy.NodeReader;
import dev.zarrreactive.internal.hierarchy.NodeWriter;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;
import dev.zarrreactive.observation.ZarrOperation.Kind;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreSnapshot;
import dev.zarrreactive.store.decorator.CacheCounts;
import dev.zarrreactive.store.decorator.CachedStore;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * The nodes of one store, by path (specification: "Hierarchy"). Paths may be written with or
 * without a leading slash; {@code ""} is the root. A path that cannot be one throws {@link
 * IllegalArgumentException} at once.
 *
 * <p>All publishers are cold and lazy and do not block; signals come on a thread of the codec
 * scheduler or of the store. A cancel ends the requests in flight. A missing node is a {@link
 * dev.zarrreactive.error.NodeNotFoundException}, a node whose metadata break a rule is a {@link
 * MetadataException}.
 */
public final class ZarrHierarchy {
  static {
    HierarchyRequests.handIn(any -> ((ZarrHierarchy) any).newest().requests());
  }

  private final Store store;
  private final ZarrOptions options;
  private final NodeReader reader;
  private final NodeReader plainReader;
  private final NodeWriter writer;
  private final HierarchyContext context;
  private final @Nullable FollowedSnapshots followed;

  ZarrHierarchy(Store store, ZarrOptions options) {
    this(
        store,
        options,
        new HierarchyContext(store, options.limits(), options.requestLimit(), options.observer())
            .announced(),
        null);
  }

  private ZarrHierarchy(
      Store store,
      ZarrOptions options,
      HierarchyContext context,
      @Nullable FollowedSnapshots followed) {
    this.followed = followed;
    this.store = store;
    this.options = options;
    this.context = context;
    Scheduler parser = options.codecScheduler();
    this.reader =
        new NodeReader(
            context,
            parser,
            options.consolidatedMetadata(),
            options.drafts(),
            options.leniencies(),
            options.metadataLimits(),
            options.zarrFormat());
    this.plainReader = reader.withoutConsolidated();
    this.writer = new NodeWriter(context, plainReader, parser, options.metadataLimits());
  }

  /**
   * Returns the hierarchy of a caller without one. Callers that use one store with equal options
   * share the bound of bytes in flight and the caches.
   */
  static ZarrHierarchy shared(Store store, ZarrOptions options) {
    return new ZarrHierarchy(
        store,
        options,
        SharedContexts.of(store, options.limits(), options.requestLimit(), options.observer()),
        null);
  }

  /**
   * Returns the hierarchy of a caller that has opened {@code store} by its location. Callers with
   * equal options share the bound of bytes in flight, whatever the location.
   */
  static ZarrHierarchy located(Store store, ZarrOptions options) {
    return new ZarrHierarchy(
        store,
        options,
        SharedContexts.located(store, options.limits(), options.requestLimit(), options.observer()),
        null);
  }

  /**
   * Returns a hierarchy in what the store shows a snapshot of, such as a branch of an Icechunk
   * repository; this one where it shows none. {@link #open}, {@link #openArray}, {@link
   * #openGroup}, {@link #inspect} and {@link #exists} find the newest snapshot first, by one
   * request at a time for all who ask, which has no body where nothing has changed. A node stays in
   * the snapshot in which it was opened. All snapshots share the bounds of this hierarchy; each has
   * caches of its own.
   */
  public ZarrHierarchy following() {
    return StoreSnapshot.of(store) == null || followed != null
        ? this
        : new ZarrHierarchy(store, options, context, new FollowedSnapshots(this));
  }

  /**
   * Returns a context of subscribers in which the hierarchies that {@linkplain #following follow}
   * find their snapshot once, so that all nodes that one response opens are of the same snapshot.
   */
  public static Context inOneSnapshot(Context context) {
    return FollowedSnapshots.inOne(context);
  }

  /** Returns the hierarchy of another snapshot, with what this one shares. */
  ZarrHierarchy at(Store snapshot) {
    return new ZarrHierarchy(snapshot, options, context.at(snapshot, options.observer()), null);
  }

  private <T> Mono<T> now(Function<ZarrHierarchy, Mono<T>> operation) {
    return followed == null ? operation.apply(this) : followed.now().flatMap(operation);
  }

  /** Returns a hierarchy in the same store with other options, and with what it shares by them. */
  static ZarrHierarchy shared(HierarchyContext context, ZarrOptions options) {
    return context.isLocated()
        ? located(context.store(), options)
        : shared(context.store(), options);
  }

  /** The store that holds the nodes; of a hierarchy that follows, that of the last snapshot. */
  public Store store() {
    return followed == null ? store : followed.last().store;
  }

  /** The options of operations on nodes. */
  public ZarrOptions options() {
    return options;
  }

  /** Opens the node at {@code path}, array or group. */
  public Mono<ZarrNode> open(String path) {
    NodePath node = NodePath.of(path);
    return now(in -> in.open(node, in.reader::read, in::node));
  }

  /** Opens the array at {@code path}; {@link MetadataException} where there is a group. */
  public Mono<ZarrArray> openArray(String path) {
    NodePath node = NodePath.of(path);
    return now(in -> in.open(node, in.plainReader::readArray, in::array));
  }

  /** Opens the group at {@code path}; {@link MetadataException} where there is an array. */
  public Mono<ZarrGroup> openGroup(String path) {
    NodePath node = NodePath.of(path);
    return now(in -> in.open(node, in.reader::readGroup, in::group));
  }

  /**
   * Opens a node as {@link #open} does, but emits an {@link UnreadableNode} instead of an error if
   * the node exists and cannot be opened.
   */
  public Mono<ZarrNode> inspect(String path) {
    NodePath node = NodePath.of(path);
    return now(in -> in.open(node, in.reader::look, in::nodeOrUnreadable));
  }

  Mono<ZarrNode> open(FoundNode group, NodePath path) {
    return open(group, path, this::node);
  }

  Mono<ZarrArray> openArray(FoundNode group, NodePath path) {
    return open(group, path, this::array);
  }

  Mono<ZarrGroup> openGroup(FoundNode group, NodePath path) {
    return open(group, path, this::group);
  }

  private <T> Mono<T> open(
      NodePath node, Function<NodePath, Mono<FoundNode>> found, Function<FoundNode, T> opened) {
    return observe(Kind.OPEN, node, found.apply(node).map(opened))
        .checkpoint("zarr open of " + node);
  }

  private <T> Mono<T> open(FoundNode group, NodePath path, Function<FoundNode, T> opened) {
    return observe(Kind.OPEN, path, reader.read(group, path).map(opened))
        .checkpoint("zarr open of " + path);
  }

  /**
   * The array at {@code path} whose metadata are known already, such as from a cache, or will be
   * stored later. Makes no request.
   *
   * @throws dev.zarrreactive.error.ZarrException if the metadata are invalid or unknown
   */
  public ZarrArray array(String path, ArrayMetadata metadata) {
    return array(new FoundNode(NodePath.of(path), metadata));
  }

  /** Returns true if there is a node at {@code path}. */
  public Mono<Boolean> exists(String path) {
    NodePath node = NodePath.of(path);
    return now(in -> in.observe(Kind.EXISTS, node, in.reader.exists(node)))
        .checkpoint("zarr exists of " + node);
  }

  Mono<Boolean> exists(FoundNode group, NodePath path) {
    return observe(Kind.EXISTS, path, reader.exists(group, path))
        .checkpoint("zarr exists of " + path);
  }

  /**
   * Creates an array, and groups of its format for those of its ancestors that are missing. {@link
   * dev.zarrreactive.error.NodeExistsException} where a node is at the path already, or an ancestor
   * is an array; what is there stays as it is. {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} where it would be one of Zarr v2 below a
   * group of Zarr v3.
   *
   * @throws IllegalArgumentException if no node can have the path, or Zarr v3 reserves a name of it
   *     and the array is one of Zarr v3
   */
  public Mono<ZarrArray> createArray(String path, ArrayMetadata array) {
    return create(path, array, this::array);
  }

  /** Creates a group of Zarr v3 without attributes; otherwise as {@link #createArray}. */
  public Mono<ZarrGroup> createGroup(String path) {
    return createGroup(path, GroupMetadata.of(JsonObject.EMPTY));
  }

  /** Creates a group; otherwise as {@link #createArray}. */
  public Mono<ZarrGroup> createGroup(String path, GroupMetadata group) {
    return create(path, group, this::group);
  }

  private <T> Mono<T> create(String path, NodeMetadata metadata, Function<FoundNode, T> opened) {
    FoundNode node = new FoundNode(NodePath.of(path), metadata);
    node.path().checkNames(metadata.zarrFormat());
    Mono<T> created =
        Mono.fromSupplier(() -> opened.apply(node)) // refuses metadata that cannot be opened
            .delayUntil(any -> writer.create(node.path(), metadata));
    return observe(Kind.WRITE_METADATA, node.path(), created)
        .checkpoint("zarr create of " + node.path());
  }

  /**
   * Creates the arrays and groups of a description, by path, those of one depth at the same time;
   * groups that are missing between or above them are created, too. Otherwise as {@link
   * #createArray}. A parent is created before its children, so that what an error or a cancel
   * leaves is a hierarchy with fewer nodes.
   */
  public Mono<Void> create(Map<String, ? extends NodeMetadata> nodes) {
    Map<NodePath, NodeMetadata> described = new TreeMap<>();
    nodes.forEach(
        (path, metadata) -> {
          NodePath.of(path).checkNames(metadata.zarrFormat());
          if (described.put(NodePath.of(path), metadata) != null) {
            throw new IllegalArgumentException("the path " + path + " is described twice");
          }
        });
    Mono<Void> created =
        Mono.fromRunnable(() -> described.forEach(this::checkOpens))
            .then(writer.trees().create(described));
    return observe(Kind.WRITE_METADATA, NodePath.ROOT, created).checkpoint("zarr create of nodes");
  }

  private void checkOpens(NodePath path, NodeMetadata metadata) {
    node(new FoundNode(path, metadata)); // refuses metadata that cannot be opened
  }

  /**
   * Moves the node at {@code from}, and everything below it, to {@code to}, and creates the missing
   * groups above. A {@link dev.zarrreactive.store.file.FileSystemStore} renames the directory in
   * one step where the system can. Any other store is copied value by value, the node's own
   * documents last, and then erased, these documents first: an error or a cancel leaves the node in
   * its old place, in both, or in the new one, and never a part of it that can be opened as a
   * whole. Writers of the node must rest. A node of Zarr v3 with a reserved name, which cannot be
   * opened, can be moved to another name.
   *
   * <p>{@link IllegalArgumentException} for the root, and for a place inside of the node; {@link
   * dev.zarrreactive.error.NodeExistsException} where there is a node, or a key of none; the store
   * must list and erase. Consolidated metadata above both places are removed.
   */
  public Mono<Void> move(String from, String to) {
    NodePath source = NodePath.of(from);
    NodePath target = NodePath.of(to);
    return observe(Kind.WRITE_METADATA, source, writer.trees().move(source, target))
        .checkpoint("zarr move of " + source + " to " + target);
  }

  /**
   * Erases as {@link #erase} does, and emits the number of erased values after every thousand; the
   * last is the number of all but the node's own documents, which go first. The store must list its
   * keys. A node that was erased in part cannot be opened; a second call erases the rest.
   */
  public Flux<Long> eraseInSteps(String path) {
    NodePath node = NodePath.of(path);
    Flux<Long> erasure =
        Flux.usingWhen(
            Mono.just(node),
            any -> writer.trees().erase(node),
            any -> context.change(node.prefix()::contains, Mono.<Void>empty()));
    return context
        .instrumentation()
        .of(Kind.ERASE, node.toString(), erasure)
        .checkpoint("zarr erase of " + node);
  }

  /**
   * Erases the node at {@code path} and everything below it; completes if it is missing. Erasing
   * the root empties the store.
   */
  public Mono<Void> erase(String path) {
    NodePath node = NodePath.of(path);
    Mono<Void> erasure = context.change(node.prefix()::contains, writer.erase(node));
    return observe(Kind.ERASE, node, erasure).checkpoint("zarr erase of " + node);
  }

  /**
   * Evicts what caches keep of the node at {@code path} and below it, such as after a change by
   * another program: decoded chunks and shard indexes of every hierarchy of this process on the
   * store, and the values of {@link CachedStore}. Requests in flight go on, and nothing of them is
   * kept. Asks the store for nothing.
   */
  public Mono<Void> forget(String path) {
    NodePath node = NodePath.of(path);
    Mono<Void> values =
        Mono.fromRunnable(
            () -> {
              for (Store each = store(); each instanceof DelegatingStore decorator; ) {
                if (each instanceof CachedStore cache) {
                  cache.forget(node.prefix());
                }
                each = decorator.delegate();
              }
            });
    return context.change(node.prefix()::contains, values);
  }

  /**
   * Returns the bytes, encoded and decoded, that running operations hold of the {@link
   * ZarrOptions#maxInFlightBytes}.
   */
  public long bytesInFlight() {
    return context.budget().held();
  }

  /**
   * Returns the counts of look-ups of decoded chunks, over all arrays opened through this
   * hierarchy; all zero without a cache, see {@link ZarrOptions#withDecodedChunkCache}.
   */
  public CacheCounts decodedChunkCounts() {
    return newest().decodedChunks().counts();
  }

  /**
   * Returns the counts of look-ups of shard indexes, over all arrays opened through this hierarchy.
   */
  public CacheCounts shardIndexCounts() {
    return newest().shardIndexes().counts();
  }

  private HierarchyContext newest() {
    return followed == null ? context : followed.last().context;
  }

  Flux<ZarrNode> children(FoundNode group) {
    Flux<ZarrNode> found = reader.children(group).map(this::nodeOrUnreadable);
    return context
        .instrumentation()
        .of(Kind.LIST, group.path().toString(), found)
        .checkpoint("zarr children of " + group.path());
  }

  Flux<ZarrNode> tree(FoundNode group) {
    Flux<ZarrNode> found = reader.tree(group).map(this::nodeOrUnreadable);
    return context
        .instrumentation()
        .of(Kind.LIST, group.path().toString(), found)
        .checkpoint("zarr tree of " + group.path());
  }

  Mono<ZarrGroup> consolidate(FoundNode group) {
    Mono<ZarrGroup> consolidated =
        writer
            .consolidate(group.path(), group.metadata().zarrFormat())
            .map(
                written ->
                    options.consolidatedMetadata()
                        ? written
                        : new FoundNode(written.path(), written.metadata()))
            .map(this::group);
    return observe(Kind.WRITE_METADATA, group.path(), consolidated)
        .checkpoint("zarr consolidate of " + group.path());
  }

  Mono<FoundNode> updateAttributes(
      NodePath path, NodeMetadata known, UnaryOperator<JsonObject> change) {
    return observe(Kind.WRITE_METADATA, path, writer.updateAttributes(path, known, change))
        .checkpoint("zarr attributes of " + path);
  }

  private <T> Mono<T> observe(Kind kind, NodePath path, Mono<T> operation) {
    return context.instrumentation().of(kind, path.toString(), operation);
  }

  /** Tells the observer of the options, where there is one. */
  Instrumentation instrumentation() {
    return context.instrumentation();
  }

  private ZarrNode node(FoundNode found) {
    return found.metadata() instanceof ArrayMetadata ? array(found) : group(found);
  }

  private ZarrNode nodeOrUnreadable(FoundNode found) {
    try {
      return found.metadata() instanceof UnreadableMetadata unreadable
          ? new UnreadableNode(store, found.path(), unreadable, unreadable.error())
          : node(found);
    } catch (ZarrException e) { // for example an unknown codec
      return new UnreadableNode(store, found.path(), found.metadata(), e);
    }
  }

  ZarrArray array(FoundNode found) {
    if (found.metadata() instanceof ArrayMetadata metadata) {
      return new ZarrArray(
          this, ArrayStorage.of(context, found.path(), metadata, options.codecs()));
    }
    throw wrongKind(found, "expected an array, found a group");
  }

  NodeWriter writer() {
    return writer;
  }

  ZarrGroup group(FoundNode found) {
    if (found.metadata() instanceof GroupMetadata metadata) {
      return new ZarrGroup(this, found, metadata);
    }
    throw wrongKind(found, "expected a group, found an array");
  }

  private static MetadataException wrongKind(FoundNode found, String message) {
    return new MetadataException(
        message, Location.ofNode(found.path().value()).pointer("/node_type"));
  }
}
