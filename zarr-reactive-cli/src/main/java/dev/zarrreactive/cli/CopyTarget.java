package dev.zarrreactive.cli;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.copy.CopyProgress;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.store.FileSystemStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Where a copy goes: a directory, a zip archive, or a store at a URL. */
final class CopyTarget {
  private final String text;
  private final StoreOptions options;
  private final boolean overwrite;

  private CopyTarget(String text, StoreOptions options, boolean overwrite) {
    this.text = text;
    this.options = options;
    this.overwrite = overwrite;
  }

  /**
   * What the user named.
   *
   * @param options what the store at a URL is told
   * @param overwrite true where an archive may be replaced
   * @throws CommandFailure where nothing can be written there
   */
  static CopyTarget of(String text, StoreOptions options, boolean overwrite) {
    if (!LocationText.isLocal(text) && isArchive(text)) {
      throw new CommandFailure(
          "a zip archive is written to a file of this machine; write it there, then move it");
    }
    return new CopyTarget(text, options, overwrite);
  }

  /** True where the name is that of a zip archive. */
  static boolean isArchive(String text) {
    return LocationText.isLocal(text)
        ? LocalLocation.isArchiveName(LocalLocation.path(text))
        : whole(text).toLowerCase(Locale.ROOT).endsWith(".zip");
  }

  private static String whole(String url) {
    return LocationText.shown(url).replaceAll("/+$", "");
  }

  /**
   * Refuses a copy into itself.
   *
   * @throws CommandFailure where {@code source} and this hold each other
   */
  void checkApart(String source) {
    boolean local = LocationText.isLocal(text);
    if (local == LocationText.isLocal(source)
        && (local
            ? hold(LocalLocation.path(source), LocalLocation.path(text))
            : hold(whole(source), whole(text)))) {
      throw new CommandFailure("one would hold the other");
    }
  }

  private static boolean hold(Path one, Path other) {
    return one.startsWith(other) || other.startsWith(one);
  }

  private static boolean hold(String one, String other) {
    return (one + "/").startsWith(other + "/") || (other + "/").startsWith(one + "/");
  }

  /** Opens the store for {@code work}, and closes it; what is half an archive is removed. */
  Mono<CopyProgress> use(Function<? super Store, Mono<CopyProgress>> work) {
    return LocationText.isLocal(text)
        ? useLocal(LocalLocation.path(text), work)
        : useRemote(LocationText.url(text), work);
  }

  private Mono<CopyProgress> useRemote(URI url, Function<? super Store, Mono<CopyProgress>> work) {
    return Mono.usingWhen(
            Zarr.store(url.toString(), options),
            store -> {
              if (!store.capabilities().contains(StoreCapability.WRITE)) {
                throw new CommandFailure("the store of the copy can only be read, not written to");
              }
              return work.apply(store);
            },
            Store::close)
        .onErrorMap(
            AccessDeniedException.class,
            error -> Refusals.explained(LocationText.scheme(text), error));
  }

  private Mono<CopyProgress> useLocal(
      Path target, Function<? super Store, Mono<CopyProgress>> work) {
    if (Files.isDirectory(target) || !LocalLocation.isArchiveName(target)) {
      if (Files.exists(target) && !Files.isDirectory(target)) {
        throw new CommandFailure("a file is there already");
      }
      return work.apply(FileSystemStore.open(target));
    }
    if (Files.exists(target) && !overwrite) {
      throw new CommandFailure("the archive is there already; --overwrite replaces it");
    }
    return Mono.usingWhen(
        Mono.fromSupplier(() -> ZipStore.create(target)),
        work,
        NewZipStore::close,
        (archive, error) -> archive.discard(),
        NewZipStore::discard);
  }
}
