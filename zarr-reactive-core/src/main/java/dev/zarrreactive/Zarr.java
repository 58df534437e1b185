package dev.zarrreactive;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import reactor.core.publisher.Mono;

/**
 * The entry point.
 *
 * <pre>{@code
 * Flux<Chunk> chunks =
 *     Zarr.openArray(FileSystemStore.at(directory), "earth/rgb")
 *         .flatMapMany(array -> array.chunks(Selection.parse("0:90,...")));
 * }</pre>
 */
public final class Zarr {
  private Zarr() {}

  /** The hierarchy in {@code store}, with the default options. */
  public static ZarrHierarchy hierarchy(Store store) {
    return hierarchy(store, ZarrOptions.defaults());
  }

  /** The hierarchy in {@code store}. */
  public static ZarrHierarchy hierarchy(Store store, ZarrOptions options) {
    return new ZarrHierarchy(store, options);
  }

  /** The store at {@code location}, without options; as {@link #store(String, StoreOptions)}. */
  public static Mono<Store> store(String location) {
    return store(location, StoreOptions.none());
  }

  /**
   * The store at {@code location}: a path of this system, a {@code file:} URI, {@code memory:name},
   * or the URL of a store whose module is on the class path ({@code https://...} with {@code
   * zarr-reactive-http}). Where the name ends in {@code .zip} and is that of a value, the store is
   * the archive.
   *
   * <p>Each subscription opens it anew, and whoever subscribes closes it. Nothing blocks; a cancel
   * gives up. Errors are those of {@link dev.zarrreactive.store.Stores#open(String, StoreOptions)}.
   */
  public static Mono<Store> store(String location, StoreOptions options) {
    return StoreLocation.open(location, options);
  }

  /**
   * Opens the node that lies at {@code location}, the root of the store there: {@link #store} and
   * {@link ZarrHierarchy#open}. To close the store, open it yourself.
   */
  public static Mono<ZarrNode> open(String location) {
    ZarrOptions options = ZarrOptions.defaults(); // looks for codecs here, not on an event loop
    return store(location).flatMap(store -> hierarchy(store, options).open(""));
  }

  /** Opens the array that lies at {@code location}, as {@link #open(String)}. */
  public static Mono<ZarrArray> openArray(String location) {
    ZarrOptions options = ZarrOptions.defaults(); // looks for codecs here, not on an event loop
    return store(location).flatMap(store -> hierarchy(store, options).openArray(""));
  }

  /** Opens the group that lies at {@code location}, as {@link #open(String)}. */
  public static Mono<ZarrGroup> openGroup(String location) {
    ZarrOptions options = ZarrOptions.defaults(); // looks for codecs here, not on an event loop
    return store(location).flatMap(store -> hierarchy(store, options).openGroup(""));
  }

  /** Opens the node at {@code path}; as {@link ZarrHierarchy#open}. */
  public static Mono<ZarrNode> open(Store store, String path) {
    return hierarchy(store).open(path);
  }

  /** Opens the array at {@code path}; as {@link ZarrHierarchy#openArray}. */
  public static Mono<ZarrArray> openArray(Store store, String path) {
    return hierarchy(store).openArray(path);
  }

  /** Opens the group at {@code path}; as {@link ZarrHierarchy#openGroup}. */
  public static Mono<ZarrGroup> openGroup(Store store, String path) {
    return hierarchy(store).openGroup(path);
  }
}
