package dev.zarrreactive;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * A place where a store begins, with options: a directory, an archive or a URL. Made by {@link
 * Zarr#at}. Immutable; nothing is opened before a subscription.
 *
 * <p>The verbs are those of {@link ZarrHierarchy}, for the node at the place itself. Nodes that are
 * opened at one place with equal options share one store and its caches for as long as one of them
 * is in use; archives have a store each. All nodes that are opened by a location, and have equal
 * {@link ZarrOptions#withMaxInFlightBytes}, share one bound of bytes in flight, so that many of
 * them take no more memory than one.
 *
 * <p>The store of a node that was opened or created stays open for as long as the process runs.
 * That costs little: whatever is opened at one server, with equal options, shares its connections,
 * which close by themselves when they are not used for a while. To close a store, open it with
 * {@link #store()} or {@link #hierarchy()}.
 *
 * <p>Opening never blocks, and a cancel ends it. Errors of a location are those of {@link
 * dev.zarrreactive.store.decorator.Stores#open(String, StoreOptions)}.
 */
public final class ZarrLocation {
  private final String location;
  private final StoreOptions storeOptions;
  private final ZarrOptions options;

  ZarrLocation(String location, StoreOptions storeOptions, ZarrOptions options) {
    this.location = Objects.requireNonNull(location);
    this.storeOptions = Objects.requireNonNull(storeOptions);
    this.options = Objects.requireNonNull(options);
  }

  /** This place with other options of its store, such as credentials or a region. */
  public ZarrLocation withStoreOptions(StoreOptions options) {
    return new ZarrLocation(location, options, this.options);
  }

  /** The options of the store; some may be secrets. */
  public StoreOptions storeOptions() {
    return storeOptions;
  }

  /**
   * Emits this place at the version that it has now, for a program that opens it more than once or
   * on several machines: a branch, a tag or an instant of an Icechunk repository becomes its
   * snapshot, which never changes, and the options that named the version are gone. Any other place
   * is emitted as it is, without a request. A repository costs the requests of opening it; errors
   * are those of {@link #hierarchy}. Leaves no store open, and a cancel ends it.
   */
  public Mono<ZarrLocation> pin() {
    return Mono.defer(() -> Pipeline.pin(location, storeOptions))
        .map(pinned -> new ZarrLocation(pinned.location(), pinned.options(), options));
  }

  /** The options of operations on the nodes here. */
  public ZarrOptions options() {
    return options;
  }

  /** This place with other options of operations on its nodes. */
  public ZarrLocation withOptions(ZarrOptions options) {
    return new ZarrLocation(location, storeOptions, options);
  }

  /**
   * Opens the store. Each subscription opens one of its own, which the subscriber closes. Stores at
   * one server that are opened with equal options share their connections: the last store that is
   * closed closes them.
   */
  public Mono<Store> store() {
    return StoreLocation.open(location, storeOptions);
  }

  /**
   * Opens the hierarchy, without a request. Close its {@link ZarrHierarchy#store()} once where it
   * is needed no more; the last close by the openers of the location closes its connections.
   */
  public Mono<ZarrHierarchy> hierarchy() {
    return share().map(this::in);
  }

  /**
   * Opens the hierarchy to create nodes in, without a request; otherwise as {@link #hierarchy()}.
   *
   * <p>Errors: {@link dev.zarrreactive.error.StoreCapabilityException} for the name of a zip
   * archive, which {@code ZipStore.create} makes.
   */
  public Mono<ZarrHierarchy> newHierarchy() {
    return StoreLocation.openNew(location, storeOptions).map(this::in);
  }

  /**
   * Opens the node, array or group. A file without the suffix of an archive is opened as one by its
   * content. For other files and directories that are no Zarr, such as netCDF, a repository of
   * Icechunk or references of kerchunk, the error names what they are. The store is closed if the
   * node cannot be opened.
   */
  public Mono<ZarrNode> open() {
    return openIn(hierarchy -> hierarchy.open(""));
  }

  /** Opens the array; otherwise as {@link #open}. */
  public Mono<ZarrArray> openArray() {
    return openIn(hierarchy -> hierarchy.openArray(""));
  }

  /** Opens the group; otherwise as {@link #open}. */
  public Mono<ZarrGroup> openGroup() {
    return openIn(hierarchy -> hierarchy.openGroup(""));
  }

  /** Returns true if there is a node that {@link #open} finds. Leaves no store open. */
  public Mono<Boolean> exists() {
    Function<ZarrHierarchy, Mono<Boolean>> look =
        hierarchy ->
            hierarchy
                .exists("")
                .filter(isThere -> isThere)
                .switchIfEmpty(
                    Mono.error(
                        () -> new NodeNotFoundException("no array or group", Location.ofNode(""))));
    return orOtherwise(stores -> closing(stores, look))
        .onErrorResume(NodeNotFoundException.class, missing -> Mono.just(false));
  }

  /**
   * Creates an array; otherwise as {@link ZarrHierarchy#createArray}. A group creates the arrays
   * below it: {@code Zarr.at("earth.zarr").createGroup().flatMap(group -> group.createArray("a/b",
   * metadata))}.
   *
   * <p>Errors: {@link dev.zarrreactive.error.NodeExistsException} if a node is at the location,
   * which stays as it is; {@link dev.zarrreactive.error.StoreCapabilityException} for a store that
   * can only be read, such as one over HTTP, and for a zip archive, which {@code ZipStore.create}
   * makes.
   */
  public Mono<ZarrArray> createArray(ArrayMetadata array) {
    return createIn(hierarchy -> hierarchy.createArray("", array));
  }

  /** Creates a group of Zarr v3 without attributes; otherwise as {@link #createArray}. */
  public Mono<ZarrGroup> createGroup() {
    return createIn(hierarchy -> hierarchy.createGroup(""));
  }

  /** Creates a group; otherwise as {@link #createArray}. */
  public Mono<ZarrGroup> createGroup(GroupMetadata group) {
    return createIn(hierarchy -> hierarchy.createGroup("", group));
  }

  /**
   * Erases everything here, as {@link ZarrHierarchy#erase} with the root: not only nodes. Completes
   * if nothing is here. Leaves no store open.
   */
  public Mono<Void> erase() {
    return closing(share(), hierarchy -> hierarchy.erase(""));
  }

  private Mono<Store> share() {
    return SharedLocations.open(location, storeOptions);
  }

  private ZarrHierarchy in(Store store) {
    return ZarrHierarchy.located(store, StoreLocation.options(location, options));
  }

  private <T> Mono<T> openIn(Function<ZarrHierarchy, Mono<T>> opened) {
    return orOtherwise(stores -> keeping(stores, opened));
  }

  private <T> Mono<T> createIn(Function<ZarrHierarchy, Mono<T>> created) {
    return keeping(StoreLocation.openNew(location, storeOptions), created);
  }

  /** Works on the store at the location or, if that fails, on the archive that lies there. */
  private <T> Mono<T> orOtherwise(Function<Mono<Store>, Mono<T>> work) {
    return work.apply(share())
        .onErrorResume(
            ZarrException.class,
            error -> work.apply(StoreLocation.otherwise(location, storeOptions, error)));
  }

  /** Opens or creates a node in a store; closes the store if that fails. */
  private <T> Mono<T> keeping(Mono<Store> stores, Function<ZarrHierarchy, Mono<T>> work) {
    return Mono.usingWhen(
        stores,
        store -> work.apply(in(store)),
        kept -> Mono.empty(),
        (store, error) -> store.close(),
        Store::close);
  }

  private <T> Mono<T> closing(Mono<Store> stores, Function<ZarrHierarchy, Mono<T>> work) {
    return Mono.usingWhen(stores, store -> work.apply(in(store)), Store::close);
  }

  /** The location as it was given; options are left out, for they may be secrets. */
  @Override
  public String toString() {
    return location;
  }
}
