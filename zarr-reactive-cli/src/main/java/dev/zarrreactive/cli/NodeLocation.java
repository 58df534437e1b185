package dev.zarrreactive.cli;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
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
 * Where a node is: the directory of the node itself, which is the root of a store in its turn. A
 * node of the 2022 draft has no directory of its own: what the user names is then the directory of
 * the hierarchy and, behind that, the node's path in it.
 *
 * @param store the store
 * @param node the node's path in it
 */
record NodeLocation(Store store, String node) {
  private static final Pattern FILE_URI = Pattern.compile("(?i)file:.*");

  /** A scheme has two letters at least, for one letter is a drive. */
  private static final Pattern URI_OF_ANOTHER_KIND =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://.*");

  /**
   * Reads what the user wrote.
   *
   * @param drafts which drafts the node may be written to
   * @throws CommandFailure where it is no directory
   * @throws IllegalArgumentException where it is no path and no {@code file:} URI
   */
  static NodeLocation of(String path, Drafts drafts) {
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
    Path hierarchy =
        drafts.accepts(Draft.OF_2022) ? hierarchyAbove(store.directory()) : store.directory();
    requireDirectory(hierarchy);
    return hierarchy.equals(store.directory())
        ? new NodeLocation(store, "")
        : new NodeLocation(FileSystemStore.open(hierarchy), relative(hierarchy, store));
  }

  private static Path directory(String path) {
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw new CommandFailure("not a path: " + e.getReason());
    }
  }

  /** The nearest directory above that may be a hierarchy's; the path itself where there is none. */
  private static Path hierarchyAbove(Path path) {
    for (Path above = path; above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        return Files.isRegularFile(above.resolve("zarr.json")) ? above : path;
      }
    }
    return path;
  }

  private static String relative(Path hierarchy, FileSystemStore store) {
    Path node = hierarchy.relativize(store.directory());
    return node.toString().replace(node.getFileSystem().getSeparator(), "/");
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
    return new NodeLocation(Stores.observed(store, observer), node);
  }

  Mono<ZarrNode> open(ZarrOptions options) {
    return Zarr.hierarchy(store, options).open(node);
  }

  Mono<ZarrGroup> openGroup(ZarrOptions options) {
    return Zarr.hierarchy(store, options).openGroup(node);
  }

  /** The node, also where it cannot be opened. */
  Mono<ZarrNode> inspect(ZarrOptions options) {
    return Zarr.hierarchy(store, options).inspect(node);
  }

  Mono<ZarrArray> openArray(ZarrOptions options) {
    return Zarr.hierarchy(store, options).openArray(node);
  }
}
