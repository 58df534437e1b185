package dev.zarrreactive.cli;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.store.FileSystemStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreObserver;
import dev.zarrreactive.store.Stores;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * Where a node is: the directory of the node itself, which is the root of a store in its turn.
 *
 * @param store the store whose root the node is
 */
record NodeLocation(Store store) {
  private static final Pattern FILE_URI = Pattern.compile("(?i)file:.*");

  /** A scheme has two letters at least, for one letter is a drive. */
  private static final Pattern URI_OF_ANOTHER_KIND =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://.*");

  /**
   * Reads what the user wrote.
   *
   * @throws CommandFailure where it is no directory
   * @throws IllegalArgumentException where it is no path and no {@code file:} URI
   */
  static NodeLocation of(String path) {
    if (path.isEmpty()) {
      throw new CommandFailure("the path is empty");
    }
    if (URI_OF_ANOTHER_KIND.matcher(path).matches() && !FILE_URI.matcher(path).matches()) {
      throw new CommandFailure("only directories and file: URIs can be opened yet");
    }
    FileSystemStore store =
        FILE_URI.matcher(path).matches()
            ? FileSystemStore.open(URI.create(path))
            : FileSystemStore.open(directory(path));
    requireDirectory(store.directory());
    return new NodeLocation(store);
  }

  private static Path directory(String path) {
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw new CommandFailure("not a path: " + e.getReason());
    }
  }

  private static void requireDirectory(Path path) {
    if (Files.isRegularFile(path)) {
      throw new CommandFailure(
          path.toString().endsWith(".zip")
              ? "zip files cannot be opened yet, only directories"
              : "this is a file, not the directory of an array or a group");
    }
    if (!Files.isDirectory(path)) {
      throw new CommandFailure("no such directory");
    }
  }

  /** This place, with an observer of the requests to the store. */
  NodeLocation observedBy(StoreObserver observer) {
    return new NodeLocation(Stores.observed(store, observer));
  }

  Mono<ZarrNode> open() {
    return Zarr.open(store, "");
  }

  Mono<ZarrGroup> openGroup() {
    return Zarr.openGroup(store, "");
  }

  /** The node, also where it cannot be opened. */
  Mono<ZarrNode> inspect() {
    return Zarr.hierarchy(store).inspect("");
  }

  Mono<ZarrArray> openArray() {
    return openArray(ZarrOptions.defaults());
  }

  Mono<ZarrArray> openArray(ZarrOptions options) {
    return Zarr.hierarchy(store, options).openArray("");
  }
}
