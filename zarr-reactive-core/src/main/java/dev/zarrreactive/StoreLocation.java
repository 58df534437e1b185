package dev.zarrreactive;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.hierarchy.ForeignContent;
import dev.zarrreactive.internal.store.Archives;
import dev.zarrreactive.internal.text.ArchiveNames;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Opens what lies at a location: a store or, where its name ends so, a zip archive in one. */
final class StoreLocation {
  private static final ByteRange NOTHING = new ByteRange.Suffix(0);

  private StoreLocation() {}

  static Mono<Store> open(String location, StoreOptions options) {
    return Mono.defer(
        () -> {
          URI uri = Stores.uri(location);
          String archive = archiveName(uri);
          return archive == null
              ? Stores.open(uri.toString(), options)
              : openArchive(uri, StoreKey.of(archive), options);
        });
  }

  /** Returns true for a location with the name of an archive; a directory may be called so, too. */
  static boolean mayBeArchive(URI location) {
    return archiveName(location) != null;
  }

  /** Opens a store to create nodes in; refuses an archive. */
  static Mono<Store> openNew(String location, StoreOptions options) {
    return Mono.defer(
        () -> {
          String archive = archiveName(Stores.uri(location));
          if (archive != null) {
            throw new StoreCapabilityException(
                "cannot create a node in the zip archive "
                    + archive
                    + "; ZipStore.create makes a new archive, and Zarr.hierarchy its nodes",
                Location.UNKNOWN);
          }
          return SharedLocations.open(location, options);
        });
  }

  /** The last part of the path, where it is the name of a zip archive. */
  private static @Nullable String archiveName(URI uri) {
    String path = uri.getPath();
    return path != null && ArchiveNames.isArchive(path)
        ? path.substring(path.lastIndexOf('/') + 1)
        : null;
  }

  /** A directory may be called so, too. */
  private static Mono<Store> openArchive(URI uri, StoreKey archive, StoreOptions options) {
    return Stores.open(above(uri), options)
        .flatMap(
            above ->
                above
                    .get(archive, NOTHING)
                    .onErrorResume(StoreException.class, e -> noFile(uri, e))
                    .flatMap(there -> Archives.open(above, archive))
                    .onErrorResume(e -> above.close().then(Mono.error(e)))
                    .switchIfEmpty(
                        Mono.defer(
                            () -> above.close().then(Stores.open(uri.toString(), options)))));
  }

  /** Returns empty on this machine, where a directory at the key of a value is an error. */
  private static <T> Mono<T> noFile(URI uri, StoreException error) {
    return "file".equals(uri.getScheme()) ? Mono.empty() : Mono.error(error);
  }

  /**
   * Emits the archive that lies at a location with another name, after no node was found there;
   * otherwise fails with {@code error} and what lies there instead, if that is known.
   */
  static Mono<Store> otherwise(String location, StoreOptions options, ZarrException error) {
    URI uri = Stores.uri(location);
    boolean isLocal = "file".equals(uri.getScheme());
    boolean isMissing = error instanceof NodeNotFoundException;
    if (archiveName(uri) != null || !(isMissing || isLocal)) {
      return Mono.error(error);
    }
    Mono<Store> found = fileAt(uri, options, error);
    return isMissing
        ? found.switchIfEmpty(Mono.defer(() -> directoryAt(uri, options, error)))
        : found.switchIfEmpty(Mono.error(error));
  }

  /** Emits an archive, fails for another kind of file, and is empty for anything else. */
  private static Mono<Store> fileAt(URI uri, StoreOptions options, ZarrException error) {
    String path = uri.getPath() == null ? "" : uri.getPath();
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      return Mono.empty();
    }
    return Stores.open(above(uri), options)
        .flatMap(
            above ->
                ForeignContent.open(
                    above, StoreKey.of(name), kind -> explained(error, kind.sentence())));
  }

  private static Mono<Store> directoryAt(URI uri, StoreOptions options, ZarrException error) {
    return Mono.usingWhen(
            Stores.open(uri.toString(), options),
            store -> ForeignContent.inDirectory(store, NodePath.ROOT),
            Store::close)
        .flatMap(sentence -> Mono.<Store>error(explained(error, sentence)))
        .switchIfEmpty(Mono.error(error));
  }

  private static ZarrException explained(ZarrException error, String sentence) {
    return new NodeNotFoundException(
        "no array or group here: " + sentence, error.location(), error);
  }

  private static String above(URI uri) {
    String path = uri.getRawPath();
    String text = uri.toString();
    int at = text.lastIndexOf(path, uri.getRawQuery() == null ? text.length() : text.indexOf('?'));
    return text.substring(0, at)
        + path.substring(0, path.lastIndexOf('/') + 1)
        + text.substring(at + path.length());
  }
}
