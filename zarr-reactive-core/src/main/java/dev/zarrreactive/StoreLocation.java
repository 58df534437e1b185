package dev.zarrreactive;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.zip.ZipStore;
import java.net.URI;
import java.util.Locale;
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
    return path != null && path.toLowerCase(Locale.ROOT).endsWith(".zip")
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
                    .flatMap(there -> ZipStore.open(above, archive))
                    .<Store>map(zip -> new Archive(zip, above))
                    .onErrorResume(e -> above.close().then(Mono.error(e)))
                    .switchIfEmpty(
                        Mono.defer(
                            () -> above.close().then(Stores.open(uri.toString(), options)))));
  }

  /** Returns empty on this machine, where a directory at the key of a value is an error. */
  private static <T> Mono<T> noFile(URI uri, StoreException error) {
    return "file".equals(uri.getScheme()) ? Mono.empty() : Mono.error(error);
  }

  private static String above(URI uri) {
    String path = uri.getRawPath();
    String text = uri.toString();
    int at = text.lastIndexOf(path, uri.getRawQuery() == null ? text.length() : text.indexOf('?'));
    return text.substring(0, at)
        + path.substring(0, path.lastIndexOf('/') + 1)
        + text.substring(at + path.length());
  }

  /** The archive with the store that was opened for it. */
  private static final class Archive extends DelegatingStore {
    private final Store above;

    Archive(ZipStore zip, Store above) {
      super(zip);
      this.above = above;
    }

    @Override
    public Mono<Void> close() {
      return delegate().close().then(above.close());
    }

    @Override
    public String toString() {
      return delegate().toString();
    }
  }
}
