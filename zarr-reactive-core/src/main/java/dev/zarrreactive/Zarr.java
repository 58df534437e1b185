package dev.zarrreactive;

import dev.zarrreactive.store.Store;
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
