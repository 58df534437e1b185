package dev.zarrreactive;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import reactor.core.publisher.Mono;

/**
 * The entry point: {@link #at} for a location, {@link #hierarchy(Store)} for a store.
 *
 * <pre>{@code
 * Flux<Chunk> chunks =
 *     Zarr.at("https://example.org/earth.zarr/rgb")
 *         .openArray()
 *         .flatMapMany(array -> array.chunks(Selection.parse("0:90,...")));
 *
 * Mono<NdArray> relief =
 *     Zarr.hierarchy(FileSystemStore.open(directory))
 *         .openArray("earth/relief")
 *         .flatMap(array -> array.read());
 * }</pre>
 *
 * <p>So a {@code String} that {@link #at} takes is a location; any other that names a node is its
 * path in a hierarchy, or below a group.
 */
public final class Zarr {
  private Zarr() {}

  /**
   * Names a place with the default options; nothing is opened yet.
   *
   * @param location a path of this system, a {@code file:} URI, {@code memory:name}, or the URL of
   *     a store whose module is on the class path ({@code https://...} with {@code
   *     zarr-reactive-http}, {@code s3://...} with {@code zarr-reactive-s3}, {@code gs://...} with
   *     {@code zarr-reactive-gcs}). A location whose name ends in {@code .zip} or {@code .ozx}, and
   *     that holds a value, is opened as an archive
   */
  public static ZarrLocation at(String location) {
    return new ZarrLocation(location, StoreOptions.none(), ZarrOptions.defaults());
  }

  /**
   * Returns the hierarchy in {@code store}, with the default options. All that is opened so in one
   * store object shares one bound of bytes in flight and the caches, so that this may be called for
   * each node anew.
   */
  public static ZarrHierarchy hierarchy(Store store) {
    return ZarrHierarchy.shared(store, ZarrOptions.defaults());
  }

  /**
   * Returns a hierarchy in {@code store} with a bound of bytes in flight and caches of its own.
   * Keep it for all nodes that are to share them.
   */
  public static ZarrHierarchy hierarchy(Store store, ZarrOptions options) {
    return new ZarrHierarchy(store, options);
  }

  /**
   * Loads the classes and the native libraries that reads and writes need, so that the first
   * request of a service is as quick as later ones: for {@code zstd}, {@code gzip}, {@code blosc}
   * and {@code crc32c}, with and without shards, in Zarr v3 and v2.
   *
   * <p>Each subscription writes and reads some small arrays in memory, on the codec threads; the
   * first one takes about as long as the first read of a process. Never blocks the subscriber. A
   * cancel ends it. A library that this machine lacks is no error here; an array that needs it says
   * so. Stores are not part of it: open yours in the same sequence, {@code
   * Zarr.warmUp().then(Zarr.at(location).openArray())}.
   */
  public static Mono<Void> warmUp() {
    return WarmUp.run();
  }
}
