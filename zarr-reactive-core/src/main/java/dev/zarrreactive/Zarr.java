package dev.zarrreactive;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The entry point.
 *
 * <pre>{@code
 * Flux<Chunk> chunks =
 *     Zarr.openArray(FileSystemStore.open(directory), "earth/rgb")
 *         .flatMapMany(array -> array.chunks(Selection.parse("0:90,...")));
 * }</pre>
 */
public final class Zarr {
  private Zarr() {}

  /**
   * Loads the classes and the native libraries that reads and writes need, so that the first
   * request of a service is as quick as later ones: for {@code zstd}, {@code gzip}, {@code blosc}
   * and {@code crc32c}, with and without shards, in Zarr v3 and v2.
   *
   * <p>Each subscription writes and reads some small arrays in memory, on the codec threads; the
   * first one takes about as long as the first read of a process. Never blocks the subscriber. A
   * cancel ends it. A library that this machine lacks is no error here; an array that needs it says
   * so. Stores are not part of it: open yours in the same sequence, {@code
   * Zarr.warmUp().then(Zarr.openArray(location))}.
   */
  public static Mono<Void> warmUp() {
    return WarmUp.run();
  }

  /** The hierarchy in {@code store}, with the default options. */
  public static ZarrHierarchy hierarchy(Store store) {
    return hierarchy(store, ZarrOptions.defaults());
  }

  /** The hierarchy in {@code store}. */
  public static ZarrHierarchy hierarchy(Store store, ZarrOptions options) {
    return new ZarrHierarchy(store, options);
  }

  /**
   * Opens the hierarchy at {@code location}, the root of the store there, without a request. As the
   * nodes of {@link #open(String, StoreOptions, ZarrOptions)}, it shares its store and its caches
   * with everything that is opened at this location with equal options, and its bound of bytes in
   * flight with everything that is opened by a location. Close its {@link ZarrHierarchy#store()}
   * once where it is needed no more; the last close by the openers of the location closes its
   * connections. Errors are those of {@link #store(String, StoreOptions)}.
   */
  public static Mono<ZarrHierarchy> hierarchy(
      String location, StoreOptions options, ZarrOptions operations) {
    return SharedLocations.open(location, options)
        .map(store -> ZarrHierarchy.located(store, operations));
  }

  /** The store at {@code location}, without options; as {@link #store(String, StoreOptions)}. */
  public static Mono<Store> store(String location) {
    return store(location, StoreOptions.none());
  }

  /**
   * The store at {@code location}: a path of this system, a {@code file:} URI, {@code memory:name},
   * or the URL of a store whose module is on the class path ({@code https://...} with {@code
   * zarr-reactive-http}). A location whose name ends in {@code .zip} or {@code .ozx} and that holds
   * a value is opened as an archive.
   *
   * <p>Each subscription opens a store of its own, which the subscriber closes. Stores at one
   * server that are opened with equal options share their connections: the last store that is
   * closed closes them. Opening never blocks, and a cancel ends it. Errors are the same as of
   * {@link dev.zarrreactive.store.decorator.Stores#open(String, StoreOptions)}.
   */
  public static Mono<Store> store(String location, StoreOptions options) {
    return StoreLocation.open(location, options);
  }

  /**
   * Opens the node that lies at {@code location}, the root of the store there, without options; as
   * {@link #open(String, StoreOptions, ZarrOptions)}.
   */
  public static Mono<ZarrNode> open(String location) {
    return open(location, StoreOptions.none());
  }

  /** Opens the node at {@code location}; as {@link #open(String, StoreOptions, ZarrOptions)}. */
  public static Mono<ZarrNode> open(String location, StoreOptions options) {
    return open(location, options, ZarrOptions.defaults());
  }

  /**
   * Opens the node that lies at {@code location}, the root of the store there: {@link #store} and
   * {@link ZarrHierarchy#open}. A file without the suffix of an archive is opened as one by its
   * content. For other files and directories that are no Zarr, such as netCDF, a repository of
   * Icechunk or references of kerchunk, the error names what they are.
   *
   * <p>Nodes that are opened at one location with equal options share one store and its caches for
   * as long as one of them is in use; archives have a store each. All nodes that are opened by a
   * location, and have equal {@link ZarrOptions#withMaxInFlightBytes}, share one bound of bytes in
   * flight, so that many of them take no more memory than one.
   *
   * <p>The store stays open for as long as the process runs, unless the node cannot be opened. That
   * costs little: whatever is opened at one server, with equal options, shares its connections,
   * which close by themselves when they are not used for a while. To close the store, open it with
   * {@link #store(String, StoreOptions)}.
   */
  public static Mono<ZarrNode> open(String location, StoreOptions options, ZarrOptions operations) {
    return at(location, options, operations, hierarchy -> hierarchy.open(""));
  }

  /** Opens the array that lies at {@code location}, as {@link #open(String)}. */
  public static Mono<ZarrArray> openArray(String location) {
    return openArray(location, StoreOptions.none());
  }

  /** Opens the array at {@code location}, as {@link #open(String, StoreOptions)}. */
  public static Mono<ZarrArray> openArray(String location, StoreOptions options) {
    return openArray(location, options, ZarrOptions.defaults());
  }

  /** Opens the array at {@code location}, as {@link #open(String, StoreOptions, ZarrOptions)}. */
  public static Mono<ZarrArray> openArray(
      String location, StoreOptions options, ZarrOptions operations) {
    return at(location, options, operations, hierarchy -> hierarchy.openArray(""));
  }

  /** Opens the group that lies at {@code location}, as {@link #open(String)}. */
  public static Mono<ZarrGroup> openGroup(String location) {
    return openGroup(location, StoreOptions.none());
  }

  /** Opens the group at {@code location}, as {@link #open(String, StoreOptions)}. */
  public static Mono<ZarrGroup> openGroup(String location, StoreOptions options) {
    return openGroup(location, options, ZarrOptions.defaults());
  }

  /** Opens the group at {@code location}, as {@link #open(String, StoreOptions, ZarrOptions)}. */
  public static Mono<ZarrGroup> openGroup(
      String location, StoreOptions options, ZarrOptions operations) {
    return at(location, options, operations, hierarchy -> hierarchy.openGroup(""));
  }

  /**
   * Creates an array at {@code location}, the root of the store there, without options; as {@link
   * #createArray(String, ArrayMetadata, StoreOptions, ZarrOptions)}.
   */
  public static Mono<ZarrArray> createArray(String location, ArrayMetadata array) {
    return createArray(location, array, StoreOptions.none());
  }

  /**
   * Creates an array at {@code location}; as {@link #createArray(String, ArrayMetadata,
   * StoreOptions, ZarrOptions)}.
   */
  public static Mono<ZarrArray> createArray(
      String location, ArrayMetadata array, StoreOptions options) {
    return createArray(location, array, options, ZarrOptions.defaults());
  }

  /**
   * Creates an array at {@code location}, the root of the store there: {@link #store} and {@link
   * ZarrHierarchy#createArray}. The store stays open as that of {@link #open(String, StoreOptions,
   * ZarrOptions)}.
   *
   * <p>An array below a group is created by the group, which makes the groups between them: {@code
   * Zarr.createGroup("earth.zarr").flatMap(group -> group.createArray("a/b", metadata))}.
   *
   * <p>Errors: {@link dev.zarrreactive.error.NodeExistsException} if a node is at the location,
   * which stays as it is; {@link dev.zarrreactive.error.StoreCapabilityException} for a store that
   * can only be read, such as one over HTTP, and for a zip archive, which {@code ZipStore.create}
   * makes.
   */
  public static Mono<ZarrArray> createArray(
      String location, ArrayMetadata array, StoreOptions options, ZarrOptions operations) {
    return created(location, options, operations, hierarchy -> hierarchy.createArray("", array));
  }

  /**
   * Creates a group of Zarr v3 without attributes at {@code location}; otherwise as {@link
   * #createArray(String, ArrayMetadata)}.
   */
  public static Mono<ZarrGroup> createGroup(String location) {
    return createGroup(location, GroupMetadata.of(JsonObject.EMPTY));
  }

  /** Creates a group at {@code location}; as {@link #createArray(String, ArrayMetadata)}. */
  public static Mono<ZarrGroup> createGroup(String location, GroupMetadata group) {
    return createGroup(location, group, StoreOptions.none());
  }

  /**
   * Creates a group at {@code location}; as {@link #createArray(String, ArrayMetadata,
   * StoreOptions)}.
   */
  public static Mono<ZarrGroup> createGroup(
      String location, GroupMetadata group, StoreOptions options) {
    return createGroup(location, group, options, ZarrOptions.defaults());
  }

  /**
   * Creates a group at {@code location}; as {@link #createArray(String, ArrayMetadata,
   * StoreOptions, ZarrOptions)}.
   */
  public static Mono<ZarrGroup> createGroup(
      String location, GroupMetadata group, StoreOptions options, ZarrOptions operations) {
    return created(location, options, operations, hierarchy -> hierarchy.createGroup("", group));
  }

  private static <T> Mono<T> created(
      String location,
      StoreOptions options,
      ZarrOptions operations,
      Function<ZarrHierarchy, Mono<T>> created) {
    return in(StoreLocation.openNew(location, options), operations, created);
  }

  private static <T> Mono<T> at(
      String location,
      StoreOptions options,
      ZarrOptions operations,
      Function<ZarrHierarchy, Mono<T>> opened) {
    return in(SharedLocations.open(location, options), operations, opened)
        .onErrorResume(
            ZarrException.class,
            error -> in(StoreLocation.otherwise(location, options, error), operations, opened));
  }

  /** Opens or creates a node in a store; closes the store if that fails. */
  private static <T> Mono<T> in(
      Mono<Store> stores, ZarrOptions operations, Function<ZarrHierarchy, Mono<T>> opened) {
    return Mono.usingWhen(
        stores,
        store -> opened.apply(ZarrHierarchy.located(store, operations)),
        kept -> Mono.empty(),
        (store, error) -> store.close(),
        Store::close);
  }

  /**
   * Opens the node at {@code path}; as {@link ZarrHierarchy#open}. Nodes that are opened so share
   * one bound of bytes in flight and the caches where they are of one store object.
   */
  public static Mono<ZarrNode> open(Store store, String path) {
    return shared(store).open(path);
  }

  /** Opens the array at {@code path}; as {@link #open(Store, String)}. */
  public static Mono<ZarrArray> openArray(Store store, String path) {
    return shared(store).openArray(path);
  }

  /** Opens the group at {@code path}; as {@link #open(Store, String)}. */
  public static Mono<ZarrGroup> openGroup(Store store, String path) {
    return shared(store).openGroup(path);
  }

  /**
   * Creates an array at {@code path}, and the groups above it that are missing; as {@link
   * ZarrHierarchy#createArray}.
   */
  public static Mono<ZarrArray> createArray(Store store, String path, ArrayMetadata array) {
    return shared(store).createArray(path, array);
  }

  /**
   * Creates a group at {@code path}, and the groups above it that are missing; as {@link
   * ZarrHierarchy#createGroup(String, GroupMetadata)}.
   */
  public static Mono<ZarrGroup> createGroup(Store store, String path, GroupMetadata group) {
    return shared(store).createGroup(path, group);
  }

  private static ZarrHierarchy shared(Store store) {
    return ZarrHierarchy.shared(store, ZarrOptions.defaults());
  }
}
