package dev.zarrreactive.cli;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.store.FileSystemStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreObserver;
import dev.zarrreactive.store.Stores;
import dev.zarrreactive.store.zip.ZipStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Where a node is: the directory of the node itself, which is the root of a store in its turn; or a
 * zip archive and a path in it. A node of the 2022 draft has no directory of its own: what the user
 * names is then the directory of the hierarchy and, behind that, the node's path in it.
 *
 * @param store the store
 * @param node the node's path in it
 */
record NodeLocation(Mono<Store> store, String node) {
  private static final Pattern FILE_URI = Pattern.compile("(?i)file:.*");

  /** A scheme has two letters at least, for one letter is a drive. */
  private static final Pattern URI_OF_ANOTHER_KIND =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://.*");

  /**
   * Reads what the user wrote.
   *
   * @param drafts which drafts the node may be written to
   * @throws CommandFailure where it is no directory and no zip archive
   * @throws IllegalArgumentException where it is no path and no {@code file:} URI
   */
  static NodeLocation of(String text, Drafts drafts) {
    Path path = path(text);
    Path hierarchy = drafts.accepts(Draft.OF_2022) ? hierarchyAbove(path) : path;
    if (Files.isDirectory(hierarchy)) {
      return new NodeLocation(
          Mono.fromSupplier(() -> FileSystemStore.open(hierarchy)), relative(hierarchy, path));
    }
    Path archive = archive(path);
    if (archive == null) {
      throw new CommandFailure(
          Files.isRegularFile(path)
              ? "this is a file, not the directory of an array or a group"
              : "no such directory");
    }
    return new NodeLocation(ZipStore.open(archive).cast(Store.class), relative(archive, path));
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

  private static String relative(Path hierarchy, Path node) {
    return hierarchy.relativize(node).toString().replace(node.getFileSystem().getSeparator(), "/");
  }

  /**
   * The path of a file or directory that may not be there.
   *
   * @throws CommandFailure where it is none
   * @throws IllegalArgumentException where it is no path and no {@code file:} URI
   */
  static Path path(String text) {
    if (text.isEmpty()) {
      throw new CommandFailure("the path is empty");
    }
    if (FILE_URI.matcher(text).matches()) {
      return FileSystemStore.open(URI.create(text)).directory();
    }
    if (URI_OF_ANOTHER_KIND.matcher(text).matches()) {
      throw new CommandFailure("only directories, zip archives and file: URIs can be opened yet");
    }
    try {
      return Path.of(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new CommandFailure("not a path: " + e.getReason());
    }
  }

  /** True where a file of this name is, or would be, a zip archive. */
  static boolean isArchiveName(Path path) {
    Path name = path.getFileName();
    return name != null && name.toString().toLowerCase(Locale.ROOT).endsWith(".zip");
  }

  /** The zip archive that the path is, or leads into; null where there is none. */
  private static @Nullable Path archive(Path path) {
    for (Path above = path; above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        return Files.isRegularFile(above) && isArchiveName(above) ? above : null;
      }
    }
    return null;
  }

  /** This place, with an observer of the requests to the store. */
  NodeLocation observedBy(StoreObserver observer) {
    return new NodeLocation(store.map(opened -> Stores.observed(opened, observer)), node);
  }

  /** The hierarchy that holds the node. */
  Mono<ZarrHierarchy> hierarchy(ZarrOptions options) {
    return store.map(opened -> Zarr.hierarchy(opened, options));
  }

  Mono<ZarrNode> open(ZarrOptions options) {
    return hierarchy(options).flatMap(hierarchy -> hierarchy.open(node));
  }

  Mono<ZarrGroup> openGroup(ZarrOptions options) {
    return hierarchy(options).flatMap(hierarchy -> hierarchy.openGroup(node));
  }

  /** The node, also where it cannot be opened. */
  Mono<ZarrNode> inspect(ZarrOptions options) {
    return hierarchy(options).flatMap(hierarchy -> hierarchy.inspect(node));
  }

  Mono<ZarrArray> openArray(ZarrOptions options) {
    return hierarchy(options).flatMap(hierarchy -> hierarchy.openArray(node));
  }
}
