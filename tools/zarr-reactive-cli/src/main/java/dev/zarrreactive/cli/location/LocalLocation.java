package dev.zarrreactive.cli.location;

import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.NearNames;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.internal.text.ArchiveNames;
import dev.zarrreactive.internal.text.ForeignFile;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A location on this machine. */
public final class LocalLocation {
  /** The documents that make a directory a node. */
  private static final List<String> DOCUMENTS =
      List.of(NodePath.DOCUMENT, NodePath.V2_GROUP, NodePath.V2_ARRAY);

  /** The suffix of the name of a hierarchy's root. */
  static final String SUFFIX = ".zarr";

  /** The most entries of a directory among which names are looked for. */
  private static final int MOST_LOOKED_AT = 10_000;

  private static final Pattern FILE_URI = Pattern.compile("(?i)file:.*");

  private LocalLocation() {}

  /**
   * Opens the store of a path.
   *
   * @throws CommandFailure for a path that is neither a directory nor a zip archive
   * @throws IllegalArgumentException for text that is neither a path nor a {@code file:} URI
   */
  static Mono<NodeLocation.Opened> of(String text, Drafts drafts, StoreOptions options) {
    Path path = path(text);
    Path hierarchy = drafts.accepts(Draft.OF_2022) ? hierarchyAbove(path) : path;
    if (Files.isDirectory(hierarchy)) {
      return Mono.fromSupplier(
          () ->
              new NodeLocation.Opened(FileSystemStore.open(hierarchy), relative(hierarchy, path)));
    }
    Path file = file(path);
    if (file == null) {
      throw new CommandFailure("no such directory" + hintOfDraft(path) + namesBeside(path));
    }
    return archive(file, path, options);
  }

  /** Opens the store of the highest node above a path; otherwise as {@link #of}. */
  static Mono<NodeLocation.Opened> inHierarchy(String text, Drafts drafts, StoreOptions options) {
    Path path = path(text);
    Path hierarchy = outermostNodeAbove(path);
    return hierarchy == null || !Files.isDirectory(path)
        ? of(text, drafts, options)
        : Mono.fromSupplier(
            () ->
                new NodeLocation.Opened(
                    FileSystemStore.open(hierarchy), relative(hierarchy, path)));
  }

  /**
   * Opens the store in which the path is erased: as {@link #inHierarchy}, but a symbolic link is a
   * name in the directory that it lies in, for its removal.
   */
  static Mono<NodeLocation.Opened> forErasure(String text, Drafts drafts, StoreOptions options) {
    Path path = path(text);
    Path parent = path.getParent();
    if (!Files.isSymbolicLink(path) || parent == null) {
      return inHierarchy(text, drafts, options);
    }
    Path hierarchy = outermostNodeAbove(path);
    Path base = hierarchy == null ? parent : hierarchy;
    return Mono.fromSupplier(
        () -> new NodeLocation.Opened(FileSystemStore.open(base), relative(base, path)));
  }

  /**
   * Returns the place of a path where symbolic links below {@code base} lead to another one than
   * its name says; null otherwise. A link at the path itself does not count.
   */
  public static @Nullable Path behindLinks(Path base, Path path) {
    Path parent = path.getParent();
    if (parent == null || path.equals(base)) {
      return null;
    }
    Path real = real(parent);
    return real.equals(real(base).resolve(base.relativize(parent)).normalize())
        ? null
        : real.resolve(String.valueOf(path.getFileName()));
  }

  /** Returns the nearest directory above that may be a hierarchy's root, or the path itself. */
  private static Path hierarchyAbove(Path path) {
    for (Path above = path; above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        return Files.isRegularFile(above.resolve("zarr.json")) ? above : path;
      }
    }
    return path;
  }

  /** Returns the end of an error of a path that may be a node of the 2022 draft. */
  private static String hintOfDraft(Path path) {
    Path hierarchy = hierarchyAbove(path);
    return Files.isDirectory(hierarchy.resolve("meta"))
        ? "; " + hierarchy + " may follow the 2022 draft of Zarr v3, which --draft 2022 reads"
        : "";
  }

  /** Returns what is in the nearest directory above that exists, with the name that was meant. */
  private static String namesBeside(Path path) {
    Path name = path.getFileName();
    Path above = path.getParent();
    while (above != null && name != null && !Files.exists(above)) {
      name = above.getFileName();
      above = above.getParent();
    }
    if (above == null || name == null || !Files.isDirectory(above)) {
      return "";
    }
    boolean isNode = isNode(above);
    try (Stream<Path> entries = Files.list(above)) {
      List<String> names =
          entries
              .limit(MOST_LOOKED_AT)
              .filter(entry -> Files.isDirectory(entry) && (!isNode || isNode(entry)))
              .map(entry -> String.valueOf(entry.getFileName()))
              .filter(entry -> !entry.startsWith("."))
              .sorted()
              .toList();
      String question = NearNames.question(name.toString(), names);
      return isNode && !names.isEmpty()
          ? ": no "
              + name
              + question
              + " in "
              + above.getFileName()
              + ", which has "
              + NearNames.listed(names)
          : question;
    } catch (IOException | UncheckedIOException e) {
      return ""; // what is not there is the error
    }
  }

  /** Returns the highest directory above that has the document of a node; null without one. */
  static @Nullable Path outermostNodeAbove(Path path) {
    Path outermost = null;
    for (Path above = path.getParent(); above != null; above = above.getParent()) {
      outermost = isNode(above) ? above : outermost;
    }
    return outermost;
  }

  private static boolean isNode(Path directory) {
    return DOCUMENTS.stream().anyMatch(name -> Files.isRegularFile(directory.resolve(name)));
  }

  /**
   * Returns the first directory on the way to a new node, as the user wrote it, that is called
   * {@code .zarr} and is not the node itself; null without one.
   *
   * @param text the path of the node as the user wrote it
   */
  static @Nullable Path calledZarr(Path node, String text) {
    Path found = null;
    Path above = node.getParent();
    for (int i = writtenAbove(node, text); i > 0 && above != null; i--) {
      if (String.valueOf(above.getFileName()).endsWith(SUFFIX)) {
        found = above;
      }
      above = above.getParent();
    }
    return found;
  }

  /**
   * Returns whether the user wrote the directory of a new node, and the directory is new, or holds
   * only what an interrupted command has left of the node.
   */
  static boolean isNewDirectoryOf(Path node, String text) {
    Path directory = node.getParent();
    if (directory == null
        || writtenAbove(node, text) == 0
        || isNode(node)
        || String.valueOf(node.getFileName()).endsWith(SUFFIX)) {
      return false;
    }
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.limit(2).toList().equals(List.of(node));
    } catch (IOException e) {
      return false; // the write says it better
    }
  }

  /** Returns the number of directories above a node that the user wrote. */
  private static int writtenAbove(Path node, String text) {
    if (FILE_URI.matcher(text).matches()) {
      return Math.max(0, node.getNameCount() - 1);
    }
    int written = 0;
    for (Path name : Path.of(text).normalize()) {
      written += name.toString().equals("..") ? 0 : 1;
    }
    return Math.max(0, written - 1);
  }

  /**
   * Returns the path of a hierarchy in the form in which the user wrote that of a node in it.
   *
   * @param text the path of the node as the user wrote it
   */
  static String shown(Path hierarchy, Path node, String text) {
    if (FILE_URI.matcher(text).matches()) {
      return hierarchy.toString();
    }
    Path shown = Path.of(text).normalize();
    for (int i = hierarchy.relativize(node).getNameCount(); i > 0 && shown != null; i--) {
      shown = shown.getParent();
    }
    return shown != null && shown.toAbsolutePath().normalize().equals(hierarchy)
        ? shown.toString()
        : hierarchy.toString();
  }

  /** Returns the path after resolving all links; a part that does not exist is kept. */
  static Path real(Path path) {
    for (Path above = path; above != null; above = above.getParent()) {
      try {
        return above.toRealPath().resolve(above.relativize(path)).normalize();
      } catch (IOException e) {
        // does not exist; its parent may
      }
    }
    return path;
  }

  static String relative(Path hierarchy, Path node) {
    return hierarchy.relativize(node).toString().replace(node.getFileSystem().getSeparator(), "/");
  }

  /**
   * Returns the path of a file or directory, which need not exist.
   *
   * @throws CommandFailure for text that is not a path of this system
   * @throws IllegalArgumentException for text that is neither a path nor a {@code file:} URI
   */
  public static Path path(String text) {
    if (text.isEmpty()) {
      throw new CommandFailure("the path is empty");
    }
    if (FILE_URI.matcher(text).matches()) {
      return FileSystemStore.open(Stores.uri(text)).directory();
    }
    try {
      return Path.of(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new CommandFailure("not a path: " + e.getReason());
    }
  }

  /** Returns whether a file of this name is, or would be, a zip archive. */
  static boolean isArchiveName(Path path) {
    Path name = path.getFileName();
    return name != null && ArchiveNames.isArchive(name.toString());
  }

  /** Returns the file that the path is, or leads into; null without one. */
  private static @Nullable Path file(Path path) {
    for (Path above = path; above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        return Files.isRegularFile(above) ? above : null;
      }
    }
    return null;
  }

  /** Opens the file as the archive, or the references, that it is by its name or by its content. */
  private static Mono<NodeLocation.Opened> archive(Path file, Path path, StoreOptions options) {
    ForeignFile kind = isArchiveName(file) ? ForeignFile.ZIP : kind(file);
    if (kind == ForeignFile.KERCHUNK) {
      return NodeLocation.Opened.by(
          Pipeline.parse(file.toUri() + "|" + kind.adapter() + ":"), relative(file, path), options);
    }
    if (kind != ForeignFile.ZIP) {
      throw new CommandFailure(
          (file.equals(path) ? "" : file + ": ")
              + (kind == null
                  ? "this is a file, not the directory of an array or a group"
                  : kind.sentence()));
    }
    return ZipStore.open(file).map(zip -> new NodeLocation.Opened(zip, relative(file, path)));
  }

  private static @Nullable ForeignFile kind(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return ForeignFile.of(in.readNBytes(ForeignFile.START));
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + file + ": " + e.getMessage(), e);
    }
  }
}
