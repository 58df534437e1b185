package dev.zarrreactive;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.hierarchy.ForeignContent;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.internal.store.Adapters;
import dev.zarrreactive.internal.text.ArchiveNames;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import reactor.core.publisher.Mono;

/** Opens what lies at a location: a store, or what adapters find in one. */
final class StoreLocation {
  private static final ByteRange NOTHING = new ByteRange.Suffix(0);

  private StoreLocation() {}

  static Mono<Store> open(String given, StoreOptions options) {
    return Mono.defer(() -> Pipeline.named(given, options))
        .flatMap(location -> openNamed(location, options));
  }

  private static Mono<Store> openNamed(String location, StoreOptions options) {
    return Mono.defer(
        () -> {
          if (Pipeline.isOne(location)) {
            return Pipeline.parse(location).open(options).map(Pipeline::directoryOf);
          }
          URI uri = Stores.uri(location);
          return isArchiveName(uri)
              ? openArchive(uri, options)
              : Stores.open(uri.toString(), options);
        });
  }

  /** Returns true for a location whose store nodes share: each open of an archive is its own. */
  static boolean isShared(String location) {
    return !Pipeline.isOne(location) && !isArchiveName(Stores.uri(location));
  }

  /** Returns the options of operations on the node at a location, which may name its format. */
  static ZarrOptions options(String location, ZarrOptions options) {
    Integer format = Pipeline.isOne(location) ? Pipeline.parse(location).format() : null;
    return format == null ? options : options.withZarrFormat(format);
  }

  /** Opens a store to create nodes in; refuses an archive. */
  static Mono<Store> openNew(String location, StoreOptions options) {
    return Mono.defer(
        () -> {
          if (Pipeline.isOne(location)) {
            return open(location, options);
          }
          URI uri = Stores.uri(location);
          if (isArchiveName(uri)) {
            throw new StoreCapabilityException(
                "cannot create a node in the zip archive "
                    + Pipeline.name(uri)
                    + "; ZipStore.create makes a new archive, and Zarr.hierarchy its nodes",
                Location.UNKNOWN);
          }
          return SharedLocations.open(location, options);
        });
  }

  private static boolean isArchiveName(URI uri) {
    String path = uri.getPath();
    return path != null && ArchiveNames.isArchive(path);
  }

  /** Opens a location with the name of an archive; a directory may be called so, too. */
  private static Mono<Store> openArchive(URI uri, StoreOptions options) {
    return Pipeline.place(uri, options)
        .file()
        .flatMap(
            file ->
                file.store()
                    .get(file.key(), NOTHING)
                    .onErrorResume(StoreException.class, e -> noFile(uri, e))
                    .flatMap(there -> Adapters.ofFile(file.key().value()))
                    .flatMap(
                        adapter -> Pipeline.openFile(adapter, file.store(), file.key(), options))
                    .onErrorResume(e -> file.store().close().then(Mono.error(e)))
                    .switchIfEmpty(
                        Mono.defer(
                            () ->
                                file.store().close().then(Stores.open(uri.toString(), options)))));
  }

  /** Returns empty on this machine, where a directory at the key of a value is an error. */
  private static <T> Mono<T> noFile(URI uri, StoreException error) {
    return "file".equals(uri.getScheme()) ? Mono.empty() : Mono.error(error);
  }

  /**
   * Emits the archive, the references or the repository that lies at a location, after no node was
   * found there; otherwise fails with {@code error} and what lies there instead, if that is known.
   */
  static Mono<Store> otherwise(String location, StoreOptions options, ZarrException error) {
    if (Pipeline.isOne(location)) {
      return Mono.error(error);
    }
    URI uri = Stores.uri(location);
    boolean isLocal = "file".equals(uri.getScheme());
    boolean isMissing = error instanceof NodeNotFoundException;
    if (isArchiveName(uri) || !(isMissing || isLocal)) {
      return Mono.error(error);
    }
    Mono<Store> found = fileAt(uri, options, error);
    return isMissing
        ? found.switchIfEmpty(Mono.defer(() -> directoryAt(uri, options, error)))
        : found.switchIfEmpty(Mono.error(error));
  }

  /**
   * Emits what an adapter opens, fails for another kind of file, and is empty for anything else.
   */
  private static Mono<Store> fileAt(URI uri, StoreOptions options, ZarrException error) {
    String name = Pipeline.name(uri);
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      return Mono.empty();
    }
    return Pipeline.place(uri, options)
        .file()
        .flatMap(
            file ->
                ForeignContent.open(
                    file.store(), file.key(), options, kind -> explained(error, kind.sentence())))
        .map(ForeignContent.Recognised::store);
  }

  private static Mono<Store> directoryAt(URI uri, StoreOptions options, ZarrException error) {
    return Mono.usingWhen(
            Stores.open(uri.toString(), options),
            store -> ForeignContent.inDirectory(store, NodePath.ROOT),
            Store::close)
        .flatMap(
            found ->
                ForeignContent.pipeline(uri.toString(), found)
                    .flatMap(pipeline -> pipeline.open(options))
                    .map(Pipeline::directoryOf)
                    .switchIfEmpty(Mono.error(() -> explained(error, found.sentence()))))
        .switchIfEmpty(Mono.error(error));
  }

  private static ZarrException explained(ZarrException error, String sentence) {
    return new NodeNotFoundException(
        "no array or group here: " + sentence, error.location(), error);
  }
}
