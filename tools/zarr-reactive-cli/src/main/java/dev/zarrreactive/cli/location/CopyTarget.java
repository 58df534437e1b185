package dev.zarrreactive.cli.location;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.internal.text.ArchiveNames;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter.Segment;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The target of a copy: a directory, a zip archive, or a store at a URL. */
public final class CopyTarget {
  /** The option of a store that names its service. */
  private static final String ENDPOINT = "endpoint";

  private final String text;
  private final StoreOptions options;
  private final boolean overwrite;
  private final Function<String, Mono<Void>> told;

  private CopyTarget(String text, StoreOptions options, boolean overwrite) {
    this(text, options, overwrite, commit -> Mono.empty());
  }

  private CopyTarget(
      String text, StoreOptions options, boolean overwrite, Function<String, Mono<Void>> told) {
    this.text = text;
    this.options = options;
    this.overwrite = overwrite;
    this.told = told;
  }

  /**
   * Reads the target from the command line.
   *
   * @param options the options of a store at a URL
   * @param overwrite whether an archive may be replaced
   * @throws CommandFailure for a place that cannot be written
   */
  public static CopyTarget of(String text, StoreOptions options, boolean overwrite) {
    if (Pipeline.isOne(text)) {
      checkCommit(LocationText.pipeline(text), options);
      return new CopyTarget(text, options, overwrite);
    }
    if (!LocationText.isLocal(text) && isArchive(text)) {
      throw new CommandFailure(
          "a zip archive is written to a file of this machine; write it there, then move it");
    }
    return new CopyTarget(text, options, overwrite);
  }

  private static void checkCommit(Pipeline pipeline, StoreOptions options) {
    Segment last = pipeline.last();
    if (last == null || !last.scheme().equals("icechunk")) {
      throw new CommandFailure("what stands behind a | can only be read, not written to");
    }
    if (options.get("message") == null) {
      throw new CommandFailure(
          "a version of an Icechunk repository is changed by a commit: --message TEXT makes one");
    }
  }

  /** Returns whether the name is that of a zip archive. */
  public static boolean isArchive(String text) {
    return LocationText.isLocal(text)
        ? LocalLocation.isArchiveName(LocalLocation.path(text))
        : !Pipeline.isOne(text) && ArchiveNames.isArchive(whole(text));
  }

  private static String whole(String url) {
    return LocationText.shown(url).replaceAll("/+$", "");
  }

  /**
   * Refuses a copy of a node into itself.
   *
   * @param ofSource the options of the source's store: another endpoint has other buckets
   * @throws CommandFailure for a source that is the destination, or of which one contains the other
   */
  public void checkApart(String source, StoreOptions ofSource) {
    boolean local = LocationText.isLocal(text);
    if (local != LocationText.isLocal(source)
        || !Objects.equals(options.get(ENDPOINT), ofSource.get(ENDPOINT))) {
      return;
    }
    String from = local ? directory(source) : whole(source);
    String to = local ? directory(text) : whole(text);
    if (from.equals(to)) {
      throw new CommandFailure("SRC and DST are the same place");
    } else if (to.startsWith(withSlash(from))) {
      throw new CommandFailure("DST lies inside SRC; a node cannot be copied into itself");
    } else if (from.startsWith(withSlash(to))) {
      throw new CommandFailure("SRC lies inside DST, which the copy would replace");
    }
  }

  /** Returns the path with slashes, after resolving all links. */
  private static String directory(String path) {
    Path real = LocalLocation.real(LocalLocation.path(path));
    return real.toString().replace(real.getFileSystem().getSeparator(), "/");
  }

  private static String withSlash(String path) {
    return path.endsWith("/") ? path : path + "/";
  }

  /**
   * Opens the store for {@code work}, and closes it. An incomplete archive is removed.
   *
   * <p>A target with no node above makes a new hierarchy. Its root is the first directory of the
   * path that is called {@code .zarr}, otherwise the directory of an array if that is new.
   *
   * @param isArray whether the new node is an array; asked for where it matters
   */
  public <T> Mono<T> use(Mono<Boolean> isArray, Function<? super CopyPlace, Mono<T>> work) {
    if (Pipeline.isOne(text)) {
      return useVersion(work, told);
    }
    return LocationText.isLocal(text)
        ? useLocal(LocalLocation.path(text), isArray, work)
        : useRemote(LocationText.url(text), isArray, work);
  }

  /** Opens a branch for {@code work}, which is committed after that. */
  private <T> Mono<T> useVersion(
      Function<? super CopyPlace, Mono<T>> work, Function<String, Mono<Void>> tell) {
    Pipeline pipeline = LocationText.pipeline(text);
    return Mono.usingWhen(
        pipeline.open(options),
        opened ->
            work.apply(
                new CopyPlace(
                    opened.store(), opened.path(), text.substring(0, text.lastIndexOf('|')))),
        opened -> StagedChanges.keep(opened.store(), tell),
        (opened, error) -> StagedChanges.giveUp(opened.store()),
        opened -> StagedChanges.giveUp(opened.store()));
  }

  /** Returns whether the target is a version of a repository, which a commit changes. */
  public boolean isVersion() {
    return Pipeline.isOne(text);
  }

  /** Returns this target, which tells {@code teller} what it has committed. */
  public CopyTarget telling(Function<String, Mono<Void>> teller) {
    return new CopyTarget(text, options, overwrite, teller);
  }

  /** Opens the store for {@code work} that writes nothing; an archive is not begun. */
  public <T> Mono<T> lookAt(Mono<Boolean> isArray, Function<? super CopyPlace, Mono<T>> work) {
    if (isArchive(text)) {
      checkReplaceable(LocalLocation.path(text));
      return work.apply(new CopyPlace(MemoryStore.create(), "", text));
    }
    return use(isArray, work);
  }

  private <T> Mono<T> useRemote(
      URI url, Mono<Boolean> isArray, Function<? super CopyPlace, Mono<T>> work) {
    return Mono.usingWhen(
            Zarr.at(url.toString()).withStoreOptions(options).store(),
            store -> {
              if (!store.capabilities().contains(StoreCapability.WRITE)) {
                throw new CommandFailure(
                    "the store of the new node can only be read, not written to");
              }
              return RemoteLocation.hierarchyAbove(url, options)
                  .map(above -> new Root(above, false))
                  .switchIfEmpty(
                      Mono.defer(() -> RemoteLocation.newHierarchy(url, isArray, options))
                          .map(above -> new Root(above, true)))
                  .map(Optional::of)
                  .defaultIfEmpty(Optional.empty())
                  .flatMap(
                      above ->
                          above.isPresent()
                              ? useHierarchy(above.get(), work)
                              : work.apply(new CopyPlace(store, "", whole(text))));
            },
            Store::close)
        .onErrorMap(
            AccessDeniedException.class,
            error -> Refusals.explained(LocationText.scheme(text), error));
  }

  /** The target as a node of a hierarchy, which may be new. */
  private record Root(RemoteLocation above, boolean isNew) {}

  private <T> Mono<T> useHierarchy(Root root, Function<? super CopyPlace, Mono<T>> work) {
    RemoteLocation above = root.above();
    return Mono.usingWhen(
        Zarr.at(above.store()).withStoreOptions(options).store(),
        store -> work.apply(new CopyPlace(store, above.node(), whole(above.store()), root.isNew())),
        Store::close);
  }

  private <T> Mono<T> useLocal(
      Path target, Mono<Boolean> isArray, Function<? super CopyPlace, Mono<T>> work) {
    if (Files.isDirectory(target) || !LocalLocation.isArchiveName(target)) {
      if (Files.exists(target) && !Files.isDirectory(target)) {
        throw new CommandFailure("DST is a file");
      }
      Path hierarchy = LocalLocation.outermostNodeAbove(target);
      if (overwrite && hierarchy == null && Files.isSymbolicLink(target)) {
        throw new CommandFailure(
            "DST is a symbolic link to "
                + LocalLocation.real(target)
                + ", and --overwrite erases nothing behind a link; name that place, or remove the"
                + " link with zarr rm");
      }
      return hierarchy != null
          ? work.apply(place(hierarchy, target, false))
          : Mono.justOrEmpty(LocalLocation.calledZarr(target, text))
              .switchIfEmpty(
                  Mono.defer(
                      () ->
                          LocalLocation.isNewDirectoryOf(target, text)
                              ? isArray.filter(array -> array).map(array -> parent(target))
                              : Mono.empty()))
              .map(root -> place(root, target, true))
              .defaultIfEmpty(new CopyPlace(FileSystemStore.open(target), "", text))
              .flatMap(work);
    }
    checkReplaceable(target);
    return Mono.usingWhen(
        Mono.fromSupplier(() -> ZipStore.create(target)),
        archive -> work.apply(new CopyPlace(archive, "", text)),
        NewZipStore::close,
        (archive, error) -> archive.discard(),
        NewZipStore::discard);
  }

  private static Path parent(Path target) {
    return Objects.requireNonNull(target.getParent());
  }

  private CopyPlace place(Path root, Path target, boolean isNew) {
    return new CopyPlace(
        FileSystemStore.open(root),
        LocalLocation.relative(root, target),
        LocalLocation.shown(root, target, text),
        isNew);
  }

  private void checkReplaceable(Path archive) {
    if (Files.exists(archive) && !overwrite) {
      throw new CommandFailure("the archive exists; --overwrite replaces it");
    }
  }
}
