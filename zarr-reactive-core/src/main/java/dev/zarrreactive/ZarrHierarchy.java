package dev.zarrreactive;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.hierarchy.FoundNode;
import dev.zarrreactive.internal.hierarchy.NodeReader;
import dev.zarrreactive.internal.hierarchy.NodeWriter;
import dev.zarrreactive.internal.pipeline.ArrayStorage;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The nodes of one store, by path (specification: "Hierarchy"). Paths may be written with or
 * without a leading slash; {@code ""} is the root. A path that cannot be one throws {@link
 * IllegalArgumentException} at once.
 *
 * <p>All publishers are cold and lazy and do not block; signals come on a thread of the codec
 * scheduler or of the store. A cancel gives up what is in flight. A node that is not there is
 * {@link dev.zarrreactive.error.NodeNotFoundException}, one whose metadata breaks a rule {@link
 * MetadataException}.
 */
public final class ZarrHierarchy {
  private final Store store;
  private final ZarrOptions options;
  private final NodeReader reader;
  private final NodeWriter writer;

  ZarrHierarchy(Store store, ZarrOptions options) {
    this.store = store;
    this.options = options;
    this.reader = new NodeReader(store, options.codecScheduler());
    this.writer = new NodeWriter(store, reader);
  }

  /** The store that holds the nodes. */
  public Store store() {
    return store;
  }

  /** What the operations on nodes may use. */
  public ZarrOptions options() {
    return options;
  }

  /** Opens the node at {@code path}, array or group. */
  public Mono<ZarrNode> open(String path) {
    return open(path, this::node);
  }

  /** Opens the array at {@code path}; {@link MetadataException} where there is a group. */
  public Mono<ZarrArray> openArray(String path) {
    return open(path, this::array);
  }

  /** Opens the group at {@code path}; {@link MetadataException} where there is an array. */
  public Mono<ZarrGroup> openGroup(String path) {
    return open(path, this::group);
  }

  private <T> Mono<T> open(String path, Function<FoundNode, T> opened) {
    NodePath node = NodePath.of(path);
    return reader.read(node).map(opened).checkpoint("zarr open of " + node);
  }

  /**
   * The array at {@code path} whose metadata is known already, such as from a cache, or is to be
   * stored later. Asks the store for nothing.
   *
   * @throws dev.zarrreactive.error.ZarrException where no array can have such metadata
   */
  public ZarrArray array(String path, ArrayMetadata metadata) {
    return array(new FoundNode(NodePath.of(path), metadata));
  }

  /** True where there is a node at {@code path}. */
  public Mono<Boolean> exists(String path) {
    NodePath node = NodePath.of(path);
    return reader.exists(node).checkpoint("zarr exists of " + node);
  }

  /**
   * Creates an array, and groups of its format for those of its ancestors that are missing. {@link
   * dev.zarrreactive.error.NodeExistsException} where a node is at the path already, or an ancestor
   * is an array; what is there stays as it is. {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} where it would be one of Zarr v2 below a
   * group of Zarr v3.
   */
  public Mono<ZarrArray> createArray(String path, ArrayMetadata array) {
    return create(path, array, this::array);
  }

  /** Creates a group of Zarr v3; otherwise as {@link #createArray}. */
  public Mono<ZarrGroup> createGroup(String path, JsonObject attributes) {
    return createGroup(path, GroupMetadata.of(attributes));
  }

  /** Creates a group; otherwise as {@link #createArray}. */
  public Mono<ZarrGroup> createGroup(String path, GroupMetadata group) {
    return create(path, group, this::group);
  }

  private <T> Mono<T> create(String path, NodeMetadata metadata, Function<FoundNode, T> opened) {
    FoundNode node = new FoundNode(NodePath.of(path), metadata);
    return Mono.fromSupplier(() -> opened.apply(node)) // refuses metadata that nobody could open
        .delayUntil(created -> writer.create(node.path(), metadata))
        .checkpoint("zarr create of " + node.path());
  }

  /**
   * Erases the node at {@code path} and everything below it; no error where there is none. Erasing
   * the root empties the store.
   */
  public Mono<Void> erase(String path) {
    NodePath node = NodePath.of(path);
    return writer.erase(node).checkpoint("zarr erase of " + node);
  }

  Flux<ZarrNode> children(NodePath group, int zarrFormat) {
    return reader
        .children(group, zarrFormat)
        .map(this::node)
        .checkpoint("zarr children of " + group);
  }

  Flux<ZarrNode> tree(NodePath group, int zarrFormat) {
    return reader.tree(group, zarrFormat).map(this::node).checkpoint("zarr tree of " + group);
  }

  Mono<FoundNode> updateAttributes(NodePath path, UnaryOperator<JsonObject> change) {
    return writer.updateAttributes(path, change).checkpoint("zarr attributes of " + path);
  }

  private ZarrNode node(FoundNode found) {
    return found.metadata() instanceof ArrayMetadata ? array(found) : group(found);
  }

  ZarrArray array(FoundNode found) {
    if (found.metadata() instanceof ArrayMetadata metadata) {
      return new ZarrArray(
          this, ArrayStorage.of(store, found.path(), metadata, options.codecs(), options.limits()));
    }
    throw wrongKind(found, "expected an array, found a group");
  }

  ZarrGroup group(FoundNode found) {
    if (found.metadata() instanceof GroupMetadata metadata) {
      return new ZarrGroup(this, found.path(), metadata);
    }
    throw wrongKind(found, "expected a group, found an array");
  }

  private static MetadataException wrongKind(FoundNode found, String message) {
    return new MetadataException(
        message, Location.ofNode(found.path().value()).pointer("/node_type"));
  }
}
